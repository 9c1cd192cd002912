"""Sends a request until it is answered, refused for good, or the deadline is near. It is the same each time."""

import http.client
import json
import random
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from ._errors import WheelhouseProblem, WheelhouseUnreachable

_FIRST_PAUSE_SECONDS = 0.1
_PAUSE_SECONDS_MAX = 10.0


@dataclass(frozen=True, slots=True)
class OutgoingRequest:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    idempotency_key: str | None
    is_repeatable: bool
    """Whether sending it again has no further effect."""


@dataclass(frozen=True, slots=True)
class Retry:
    """A retry that is about to be made, for your log."""

    error: WheelhouseProblem | WheelhouseUnreachable
    wait_seconds: float
    attempts: int


@dataclass(frozen=True, slots=True)
class Patience:
    deadline_seconds: float
    """For the whole call."""
    attempt_seconds: float
    """For one attempt: a connection that fell silent must not use up the whole deadline."""
    on_retry: Callable[[Retry], object] | None


@dataclass(frozen=True, slots=True)
class Answer:
    headers: Message
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Failure:
    error: WheelhouseProblem | WheelhouseUnreachable
    may_repeat: bool
    retry_after_seconds: float = 0


class _EveryStatus(urllib.request.HTTPErrorProcessor):
    """Passes every answer on: no redirect is followed, which would take the token elsewhere."""

    def http_response(
        self, request: urllib.request.Request, response: http.client.HTTPResponse
    ) -> http.client.HTTPResponse:
        return response

    https_response = http_response


_opener = urllib.request.build_opener(_EveryStatus)


def send(request: OutgoingRequest, patience: Patience) -> Answer:
    deadline = time.monotonic() + patience.deadline_seconds
    attempts = 0
    while True:
        attempts += 1
        # A socket without any time left would not block at all, and fail in another way.
        left_seconds = max(deadline - time.monotonic(), 0.001)
        outcome = _attempt(request, min(patience.attempt_seconds, left_seconds))
        if isinstance(outcome, Answer):
            return outcome
        wait_seconds = outcome.retry_after_seconds + _backoff_seconds(attempts - 1)
        # To wait for an attempt that has no time left would only delay the error.
        if not outcome.may_repeat or time.monotonic() + wait_seconds >= deadline:
            raise outcome.error
        if patience.on_retry is not None:
            patience.on_retry(Retry(outcome.error, wait_seconds, attempts))
        time.sleep(wait_seconds)


def _backoff_seconds(failures: int) -> float:
    """Exponential, with full jitter, so that callers that failed together do not come back together."""
    return random.uniform(0, min(_PAUSE_SECONDS_MAX, _FIRST_PAUSE_SECONDS * 2 ** min(failures, 30)))


def _attempt(request: OutgoingRequest, timeout_seconds: float) -> Answer | _Failure:
    end = time.monotonic() + timeout_seconds
    outgoing = urllib.request.Request(request.url, request.body, dict(request.headers), method=request.method)
    try:
        with _opener.open(outgoing, timeout=timeout_seconds) as response:
            return _judge(request, response.status, response.headers, _read(response, end))
    except (OSError, http.client.HTTPException) as cause:
        error = WheelhouseUnreachable(
            f"No answer from {_name(request)}: {getattr(cause, 'reason', cause)}",
            idempotency_key=request.idempotency_key,
        )
        error.__cause__ = cause
        return _Failure(error, request.is_repeatable)


def _read(response: http.client.HTTPResponse, end: float) -> bytes:
    """Reads the whole body. A socket's timeout is for each part that arrives, which may be a byte."""
    content = b""
    while part := response.read1():
        content += part
        if time.monotonic() > end:
            raise TimeoutError("the answer did not arrive in time")
    if response.length:
        raise http.client.IncompleteRead(content, response.length)
    return content


def _judge(request: OutgoingRequest, status: int, headers: Message, content: bytes) -> Answer | _Failure:
    body = _parse(content)
    if 200 <= status < 300 and body is not None:
        return Answer(headers, body)
    retry_after_seconds = _seconds_in(headers.get("Retry-After"))
    # 429 is sent before anything is done, so that even what must not be repeated may be.
    is_safe = request.is_repeatable or status == 429
    if body is not None and isinstance(body.get("code"), str) and isinstance(body.get("retryable"), bool):
        problem = WheelhouseProblem(body, request.idempotency_key)
        return _Failure(problem, is_safe and problem.retryable, retry_after_seconds)
    message = f"Something that is not Wheelhouse answered {_name(request)} with {status}"
    unreachable = WheelhouseUnreachable(message, status, request.idempotency_key)
    return _Failure(unreachable, is_safe and _is_passing(status, headers), retry_after_seconds)


def _is_passing(status: int, headers: Message) -> bool:
    """A proxy that can't reach the server, or JSON that was cut off. A page instead of JSON is a wrong address."""
    if 200 <= status < 300:
        return "json" in headers.get("Content-Type", "")
    return status in (408, 429) or status >= 500


def _parse(content: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(content)
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _seconds_in(retry_after: str | None) -> float:
    """Wheelhouse sends seconds; a proxy may send a date."""
    if retry_after is None:
        return 0
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return 0


def _name(request: OutgoingRequest) -> str:
    return f"{request.method} {urlsplit(request.url).path}"
