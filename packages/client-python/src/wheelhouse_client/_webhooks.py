"""The check of webhooks, by the Standard Webhooks specification."""

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterable
from typing import Protocol

from ._errors import WebhookRejected
from ._events import Event, event_of


class Headers(Protocol):
    """What every web framework has as headers: a dict, or anything with `items()`."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    headers: Headers,
    body: bytes | str,
    secrets: str | Iterable[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> Event:
    """The event in a webhook, if Wheelhouse signed it with one of the secrets; otherwise raises `WebhookRejected`.

    `body` is the raw body, not parsed and not changed. Give both secrets while you rotate one. `tolerance_seconds` is
    how old the webhook may be, and how far in the future. `now` is in seconds since 1970.
    """
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("Give at least one webhook secret.")
    sent = {name.lower(): value for name, value in headers.items()}
    sent_id, timestamp, signatures = (
        _header(sent, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    time_now = time.time() if now is None else now
    age_seconds = time_now - int(timestamp) if re.fullmatch(r"[0-9]{1,12}", timestamp) else math.inf
    if abs(age_seconds) > tolerance_seconds:
        message = f"The webhook is {age_seconds:.0f} seconds old by the clock of this machine."
        raise WebhookRejected("timestamp_out_of_range", message)
    content = body.encode() if isinstance(body, str) else body
    signed = f"{sent_id}.{timestamp}.".encode(errors="replace") + content
    expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)) for key in keys]
    given = signatures.encode(errors="replace").split(b" ")
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        raise WebhookRejected("signature_mismatch", "The webhook is not signed with any of these secrets.")
    try:
        return event_of(json.loads(content))
    except (ValueError, KeyError, TypeError) as error:
        raise WebhookRejected("body_malformed", "The body of the webhook is not an event.") from error


def _header(sent: dict[str, str], name: str) -> str:
    value = sent.get(name)
    if not isinstance(value, str) or value == "":
        raise WebhookRejected("headers_missing", f"The header {name} is missing.")
    return value


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if key == b"":
        raise ValueError("A webhook secret looks like whsec_…")
    return key
