"""Sends the requests: with a token, and again where that is safe."""

from __future__ import annotations

import json
import random
import time
import uuid
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Callable, Iterator, Literal, Mapping, ParamSpec, TypeVar

import httpx

from .contract import VERSION, ChangeFeed, FieldError, Operations

#: Returns the token: called with None before each request, and after a 401 with the refused token for a new one.
TokenSource = Callable[[str | None], str | None]

Given = ParamSpec("Given")
Page = TypeVar("Page")

#: Longest pause before a repetition, in seconds. A longer Retry-After is left to the caller.
MAX_PAUSE = 60.0
FIRST_PAUSE = 0.25
MAX_GUESS = 8.0
#: Time limit of a file, in seconds.
FILE_TIMEOUT = 600.0
PAGE_SIZE = 100
NOT_BEGUN = ("OVERLOADED", "DISK_FULL", "IDEMPOTENCY_KEY_IN_USE")


class ApiError(Exception):
    """An error of the service, an answer that is none of the service, or no answer at all: then `status` is None."""

    def __init__(self, message: str, url: str, response: httpx.Response | None = None, body: object = None) -> None:
        super().__init__(message)
        fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
        headers = response.headers if response is not None else httpx.Headers()
        self.status: int | None = None if response is None else response.status_code
        self.url = url
        self.code: str | None = fields.get("code")
        self.errors: list[FieldError] = fields.get("errors", [])
        self.request_id: str | None = fields.get("requestId") or headers.get("x-request-id")
        #: With PRECONDITION_FAILED the present state, and its ETag.
        self.data: Any = fields.get("data")
        self.etag: str | None = headers.get("etag")
        #: Seconds.
        self.retry_after = _seconds_until(headers)


class Client(Operations):
    """A client of the service at `base_url`. `timeout` is for each step of an attempt, in seconds."""

    def __init__(
        self,
        base_url: str,
        token: str | TokenSource | None = None,
        *,
        retries: int = 4,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._token = token if callable(token) else _always(token)
        self._retries = retries
        self._timeout = timeout
        self._http = httpx.Client(
            base_url=base_url.rstrip("/"),
            transport=transport,
            headers={"user-agent": f"orgdesk-client-python/{VERSION}", "accept": "application/json"},
        )

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        """Sends a GET to a path of the contract."""
        wait = (query or {}).get("wait")
        limit = self._timeout + (wait if isinstance(wait, int) else 0)
        request = self._http.build_request("GET", path, params=_in_query(query), timeout=limit)
        return self._send(request)

    def post(
        self,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, object] | None = None,
        content_type: str = "application/json",
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Sends a POST to a path of the contract, by a key: the service does a repeated one once."""
        headers = {"content-type": content_type, "idempotency-key": idempotency_key or str(uuid.uuid4())}
        if if_match is not None:
            headers["if-match"] = if_match
        is_file = isinstance(body, bytes)
        content = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
        limit = FILE_TIMEOUT if is_file else self._timeout
        request = self._http.build_request(
            "POST", path, params=_in_query(query), content=content, headers=headers, timeout=limit
        )
        return self._send(request)

    def pages(self, operation: Callable[Given, Page], *given: Given.args, **query: Given.kwargs) -> Iterator[Page]:
        """Yields the pages of a list, read by cursor: `pages(orgdesk.list_bands, companyId=…)`."""
        read: Callable[..., Any] = operation
        after: str | None = str(query.get("after") or "start")
        while after is not None:
            page = read(*given, **{"limit": PAGE_SIZE, **query, "after": after})
            yield page
            after = page["pagination"]["next"]

    def feed(
        self,
        *,
        after: str | None = None,
        from_: Literal["now"] | None = None,
        wait: int = 25,
        live: bool = True,
        **query: Any,
    ) -> Iterator[ChangeFeed]:
        """Yields the changes by answer, each with the cursor `next`; without `live` until there is nothing new."""
        failures = 0
        while True:
            place: dict[str, object] = {"from": from_} if after is None else {"after": after, "wait": wait if live else None}
            try:
                answer: ChangeFeed = self.get("/api/events/list", {**query, **place})
            except ApiError as error:
                failures += 1
                pause = _pause_before(error, failures) if live else None
                if pause is None:
                    raise
                time.sleep(pause)
                continue
            failures = 0
            is_new = answer["next"] != after
            if is_new:
                yield answer
            elif not live:
                return
            after = answer["next"]

    def _send(self, request: httpx.Request) -> Any:
        token = self._token(None)
        is_renewed = False
        failures = 0
        while True:
            if token is not None:
                request.headers["authorization"] = f"Bearer {token}"
            try:
                return self._once(request)
            except ApiError as error:
                if error.status == 401 and token is not None and not is_renewed:
                    is_renewed = True
                    renewed = self._token(token)
                    if renewed is None or renewed == token:
                        raise
                    token = renewed
                    continue
                failures += 1
                pause = _pause_before(error, failures) if failures <= self._retries else None
                if pause is None:
                    raise
                time.sleep(pause)

    def _once(self, request: httpx.Request) -> Any:
        url = str(request.url)
        try:
            # A redirect would make a GET of a POST.
            response = self._http.send(request, follow_redirects=request.method == "GET")
        except httpx.HTTPError as error:
            raise ApiError(f"{url} does not answer: {error}", url) from error
        try:
            answer = response.json()
        except ValueError:
            answer = None
        is_ours = isinstance(answer, dict) and (answer.get("success") is True or not request.url.path.startswith("/api/"))
        if not (response.is_success and is_ours):
            told = answer.get("message") if isinstance(answer, dict) and response.is_error else None
            message = told or f"The answer of {url} is {response.status_code}, and none of the service"
            raise ApiError(str(message), url, response, answer)
        etag = response.headers.get("etag")
        return answer if etag is None else {**answer, "etag": etag}


def _always(token: str | None) -> TokenSource:
    return lambda refused: token


def _pause_before(error: ApiError, failures: int) -> float | None:
    """Returns the pause before a repetition; None if that is useless or unsafe."""
    guess: float = min(FIRST_PAUSE * 2.0 ** (failures - 1), MAX_GUESS) * random.uniform(0.5, 1)
    if error.status is None:
        return guess
    is_not_begun = error.status == 429 or error.code in NOT_BEGUN
    is_unknown = error.status < 300 or error.status in (502, 503, 504)
    pause: float = guess if error.retry_after is None else error.retry_after
    if not (is_not_begun or is_unknown) or pause > MAX_PAUSE:
        return None
    # Other clients got the same Retry-After.
    return pause + random.uniform(0, 0.25)


def _seconds_until(headers: httpx.Headers) -> float | None:
    """Reads a Retry-After: a number of seconds, or a date by the clock of who sent it."""
    given = headers.get("retry-after", "")
    if given.isascii() and given.isdigit():
        return float(given)
    try:
        until: float = parsedate_to_datetime(given).timestamp()
        now: float = parsedate_to_datetime(headers["date"]).timestamp() if "date" in headers else time.time()
    except (TypeError, ValueError):
        return None
    return max(0.0, until - now)


def _in_query(query: Mapping[str, object] | None) -> dict[str, str]:
    """Facts and the like are JSON in a query."""
    texts = {}
    for name, value in (query or {}).items():
        if value is not None:
            texts[name] = value if isinstance(value, str) else json.dumps(value)
    return texts
