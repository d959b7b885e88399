"""Verification of webhook messages, by Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, TypedDict, cast


class WebhookError(Exception):
    """Raised for a message that is not from the service, or too old, and for a secret that is none."""


class WebhookMessage(TypedDict):
    """A message; `id` is the same for each delivery attempt."""

    id: str
    type: str
    timestamp: str
    data: dict[str, Any]


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str, *, tolerance: float = 300) -> WebhookMessage:
    """Verifies that the service sent a message within `tolerance` seconds, and parses it. `body` is the raw one."""
    if not isinstance(body, (bytes, str)):
        raise WebhookError("verify_webhook needs the raw body: this one is parsed already")
    raw = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    message_id, sent, signatures = (_header(given, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not (sent.isascii() and sent.isdigit() and len(sent) <= 12):
        raise WebhookError("The header webhook-timestamp is not a number of seconds")
    late = time.time() - int(sent)
    if abs(late) > tolerance:
        raise WebhookError(f"The message is too {'old' if late > 0 else 'new'}")
    signed = b".".join([message_id.encode(), sent.encode(), raw])
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(each.encode(), expected) for each in signatures.split()):
        raise WebhookError("No signature of the message is by this secret")
    try:
        message = json.loads(raw)
    except ValueError as error:
        raise WebhookError("The message is not JSON") from error
    return cast(WebhookMessage, {"id": message_id, **message})


def _header(given: Mapping[str, str], name: str) -> str:
    value = given.get(name, "")
    if value == "":
        raise WebhookError(f"The header {name} is missing")
    return value


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise WebhookError("The secret of the webhook is not whsec_ and base64") from error
    if key == b"":
        raise WebhookError("The secret of the webhook is missing")
    return key
