"""What can go wrong.

Every error passes its arguments on, so that it can be pickled: task queues send errors to other processes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._generated import ProblemCode


@dataclass(frozen=True, slots=True)
class FieldError:
    """One wrong field of a request."""

    pointer: str
    """A JSON pointer into the body, such as `/spinNumber`."""
    detail: str


class WheelhouseError(Exception):
    """Any error of this client."""


class WheelhouseProblem(WheelhouseError):
    """Wheelhouse refused the request. Decide on `code`; a newer server may send codes that are not listed here."""

    code: ProblemCode
    status: int
    title: str
    detail: str
    request_id: str
    """Names the request in the server's log."""
    retryable: bool
    """Whether the same request may succeed later, unchanged."""
    errors: tuple[FieldError, ...]
    """The wrong fields; empty where the problem is another one."""
    document: Mapping[str, Any]
    """The whole answer. Some codes have fields of their own, such as `resumeAfter` of `events_expired`."""
    idempotency_key: str | None
    """The key of the call, to repeat it with."""

    def __init__(self, document: Mapping[str, Any], idempotency_key: str | None = None) -> None:
        super().__init__(document, idempotency_key)
        self.code = document["code"]
        self.status = document.get("status", 0)
        self.title = document.get("title", "")
        self.detail = document.get("detail", "")
        self.request_id = document.get("requestId", "")
        self.retryable = document["retryable"]
        self.errors = tuple(FieldError(wrong["pointer"], wrong["detail"]) for wrong in document.get("errors", ()))
        self.document = document
        self.idempotency_key = idempotency_key

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class WheelhouseUnreachable(WheelhouseError):
    """No answer of Wheelhouse arrived before the deadline, or something on the way answered instead.

    Whether the change was made is not known: repeat the call with the same `idempotency_key`.
    """

    def __init__(self, message: str, status: int | None = None, idempotency_key: str | None = None) -> None:
        super().__init__(message, status, idempotency_key)
        self.message = message
        self.status = status
        """The status, where something on the way answered."""
        self.idempotency_key = idempotency_key

    def __str__(self) -> str:
        return self.message


class WebhookRejected(WheelhouseError):
    """A webhook that Wheelhouse did not send, or not lately. Answer it with 401, and do nothing else with it."""

    Reason = Literal["headers_missing", "timestamp_out_of_range", "signature_mismatch", "body_malformed"]

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message
