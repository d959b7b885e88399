"""A product with orgdesk behind it. Its server has an API key (`users.read`, `policies.evaluate`, `bookings.write`).

ORGDESK_URL=… ORGDESK_KEY=… COMPANY_ID=… uvicorn app:app --port 8080
"""

import os

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from orgdesk_client import ApiError, Client
from pydantic import BaseModel

COMPANY = os.environ["COMPANY_ID"]
orgdesk = Client(os.environ["ORGDESK_URL"], token=os.environ["ORGDESK_KEY"])
app = FastAPI(title="Trips")


class Trip(BaseModel):
    id: str
    email: str
    amount: str


@app.post("/trips")
def plan_trip(trip: Trip) -> dict[str, object]:
    """Books a trip at once if nobody has to approve it, and otherwise names who has to."""
    people = orgdesk.list_users(companyId=COMPANY, email=trip.email)["data"]
    if not people:
        return {"decision": "UNKNOWN_PERSON", "because": [], "approvers": []}
    user = people[0]["id"]
    decision = orgdesk.evaluate_approval_policy(userId=user, amount=trip.amount)["data"]
    if decision["decision"] == "AUTO_APPROVED":
        booking = {"id": trip.id, "companyId": COMPANY, "userId": user, "amount": trip.amount}
        orgdesk.record_bookings({"bookings": [booking]})
    return {
        "decision": decision["decision"],
        "because": [reason["message"] for reason in decision["reasons"]],
        "approvers": [
            [f"{person['firstName']} {person['lastName']}" for person in step["approvers"]["people"]]
            for step in decision["steps"]
            if step["skipped"] is None
        ],
    }


@app.exception_handler(ApiError)
def show_refusal(_request: Request, error: ApiError) -> JSONResponse:
    """What orgdesk refuses has a message for people, by field."""
    return JSONResponse({"message": str(error), "errors": error.errors}, status_code=error.status or 502)
