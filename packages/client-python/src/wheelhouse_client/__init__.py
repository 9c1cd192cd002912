"""The client for Wheelhouse, the self-hosted spin-the-wheel service."""

from ._client import GameLink, Grant, Wheelhouse
from ._errors import FieldError, WebhookRejected, WheelhouseError, WheelhouseProblem, WheelhouseUnreachable
from ._events import Event, EventPage
from ._generated import EventType, ProblemCode
from ._send import Retry
from ._webhooks import verify_webhook

__all__ = [
    "Event",
    "EventPage",
    "EventType",
    "FieldError",
    "GameLink",
    "Grant",
    "ProblemCode",
    "Retry",
    "WebhookRejected",
    "Wheelhouse",
    "WheelhouseError",
    "WheelhouseProblem",
    "WheelhouseUnreachable",
    "verify_webhook",
]
