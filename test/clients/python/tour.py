"""Uses the client against a service: ADDRESS TOKEN COMPANY_ID EMAIL. Checked by mypy --strict, for which a wrong role is an error."""

from __future__ import annotations

import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Callable

import httpx

from orgdesk_client import ApiError, Client, WebhookError, verify_webhook
from orgdesk_client.contract import Department

address, token, company_id, email = sys.argv[1:]


def read(orgdesk: Client) -> None:
    assert orgdesk.get_profile()["data"]["email"] == email
    listed: list[Department] = []
    for page in orgdesk.pages(orgdesk.list_departments, companyId=company_id, limit=3):
        assert len(page["data"]) <= 3
        listed += page["data"]
    assert len(listed) == len({each["id"] for each in listed}) > 3
    whole = orgdesk.list_departments(companyId=company_id, limit=100)
    assert [each["name"] for each in whole["data"]] == [each["name"] for each in listed]
    people = orgdesk.list_users(companyId=company_id, role="MANAGER")
    assert people["data"]
    refused = error_of(lambda: orgdesk.list_users(companyId=company_id, role="KING"))  # type: ignore[arg-type]
    assert (refused.status, refused.code, refused.errors[0]["field"]) == (400, "INVALID_INPUT", "role")
    assert refused.request_id


def write(orgdesk: Client) -> None:
    code = f"PY-{uuid.uuid4()}"
    created = orgdesk.create_department({"companyId": company_id, "name": "Python", "costCode": code})
    department = created["data"]["id"]
    changed = orgdesk.update_department({"id": department, "name": "Pythons"}, if_match=created["etag"])
    late = error_of(lambda: orgdesk.delete_department({"id": department}, if_match=created["etag"]))
    assert (late.status, late.code, late.data["name"]) == (412, "PRECONDITION_FAILED", "Pythons")
    assert late.etag == changed["etag"]
    key = str(uuid.uuid4())
    for _ in range(2):
        orgdesk.delete_department({"id": department}, if_match=changed["etag"], idempotency_key=key)
    actions = [
        change["action"]
        for part in orgdesk.feed(live=False, entity="department", companyId=company_id)
        for change in part["data"]
        if change["entityId"] == department
    ]
    assert actions == ["added", "changed", "removed"], actions


def receive(orgdesk: Client) -> None:
    received: list[tuple[bytes, dict[str, str]]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.rfile.read(int(self.headers["content-length"])), dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        webhook = orgdesk.create_webhook({"companyId": company_id, "url": url, "entities": ["substitution"]})["data"]
        try:
            assert orgdesk.test_webhook({"id": webhook["id"]})["data"]["status"] == 204
        finally:
            orgdesk.delete_webhook({"id": webhook["id"]})
    [(body, headers)] = received
    message = verify_webhook(body, headers, webhook["secret"])
    assert (message["type"], message["data"]) == ("test", {"webhookId": webhook["id"]})
    bad: list[tuple[bytes, dict[str, str], str]] = [(body + b" ", headers, webhook["secret"]), (body, {}, webhook["secret"]), (body, headers, "whsec_no")]
    for given in bad:
        try:
            verify_webhook(*given)
        except WebhookError:
            continue
        raise AssertionError(given)


def repeat() -> None:
    """Is answered by each of these in turn."""
    answers = [
        httpx.Response(503, headers={"retry-after": "0"}, json={"success": False, "code": "UNAVAILABLE", "message": "Later."}),
        httpx.Response(200, html="<p>Sign in to the network</p>"),
        httpx.Response(200, json={"success": True, "message": "Done", "data": {}}, headers={"etag": '"1"'}),
        httpx.Response(302, headers={"location": "https://other.example/"}),
        httpx.Response(400, json={"success": False, "code": "INVALID_INPUT", "message": "Wrong.", "requestId": "r-1"}),
    ]
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answers[len(seen) - 1]

    tokens: list[str | None] = []

    def source(refused: str | None) -> str:
        tokens.append(refused)
        return "odk_1"

    with Client("https://orgdesk.example.com/", source, transport=httpx.MockTransport(answer)) as orgdesk:
        done = orgdesk.post("/api/bands/delete", {"id": "1"})
        assert done["etag"] == '"1"'
        assert len({request.headers["idempotency-key"] for request in seen}) == 1 and len(seen) == 3
        moved = error_of(lambda: orgdesk.post("/api/bands/delete", {"id": "1"}))
        assert (moved.status, moved.code) == (302, None)
        wrong = error_of(lambda: orgdesk.get("/api/bands/get", {"id": "1"}))
        assert (wrong.status, wrong.code, wrong.request_id, str(wrong)) == (400, "INVALID_INPUT", "r-1", "Wrong.")
    assert seen[0].headers["authorization"] == "Bearer odk_1" and tokens == [None] * 3
    with Client("http://127.0.0.1:9", retries=0) as nobody:
        assert error_of(lambda: nobody.get_liveness()).status is None


def error_of(work: Callable[[], object]) -> ApiError:
    try:
        work()
    except ApiError as error:
        return error
    raise AssertionError("It was not refused")


with Client(address, token) as client:
    read(client)
    write(client)
    receive(client)
with Client(address, lambda refused: "odk_wrong" if refused is None else token) as renewed:
    assert renewed.get_profile()["data"]["email"] == email
repeat()
print("reads, writes, follows and verifies")
