"""Events, as webhooks bring them and as the log has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ._generated import EventType


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, told apart by `type`. A newer server may send other types and data: pass over them."""

    id: str
    """The permanent id of the event. A receiver that gets an event twice recognises it by this id."""
    seq: int
    """Its number among the events of the merchant: 1, 2, 3 … without a gap. 0 for a test event."""
    type: EventType
    at: datetime
    """When it happened."""
    merchant: str
    """The id of the merchant."""
    data: Mapping[str, Any]
    """Its fields depend on the type."""


@dataclass(frozen=True, slots=True)
class EventPage:
    """A part of the event log."""

    events: tuple[Event, ...]
    next: int
    """Pass it as `after` for the next page. It also moves past events of types that were not asked for."""
    last: int
    """The number of the newest event. While `next` is less, there is more to read."""


def event_of(fields: Mapping[str, Any]) -> Event:
    return Event(
        id=fields["id"],
        seq=fields["seq"],
        type=fields["type"],
        at=datetime.fromisoformat(fields["at"]),
        merchant=fields["merchant"],
        data=fields["data"],
    )
