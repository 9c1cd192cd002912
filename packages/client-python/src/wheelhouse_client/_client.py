"""The client."""

import json
import math
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._events import Event, EventPage, event_of
from ._generated import KEYED_OPERATIONS, EventType
from ._send import Answer, OutgoingRequest, Patience, Retry, send

QueryValue = str | int | Iterable[str] | None


@dataclass(frozen=True, slots=True)
class Grant:
    """Spins that a player got."""

    player_id: str
    spin_count: int
    """The spins that the player can use now."""
    replayed: bool
    """Whether the grant already existed."""


@dataclass(frozen=True, slots=True)
class GameLink:
    """A link that opens the game for one player."""

    link: str
    token: str
    """The token in the link, which is for the player alone."""


class Wheelhouse:
    """Talks to Wheelhouse. Every call is repeated until it is answered, where a repeat is safe and the deadline allows.

    It keeps no state between calls: many threads may use one client at the same time.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        deadline_seconds: float = 30,
        attempt_seconds: float = 10,
        on_retry: Callable[[Retry], object] | None = None,
    ) -> None:
        """`url` is where Wheelhouse is, such as `https://wheel.example`. Keep the service token on your server.

        `deadline_seconds` is how long a call may take, with all its retries; `attempt_seconds` how long one attempt
        may take.
        """
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("The url of Wheelhouse begins with https:// or http://")
        # A port that is no number raises an error of its own.
        if address.port == 0 or address.username is not None or address.query != "" or address.fragment != "":
            raise ValueError("The url of Wheelhouse has a host, at most a port and a path, and nothing else.")
        # Without the value in the message, which may end up in a log.
        if not _is_visible_ascii(token):
            raise ValueError("The token is empty, or has white space or other characters that no token has.")
        self._url = url.rstrip("/")
        self._token = token
        self._deadline_seconds = deadline_seconds
        self._attempt_seconds = attempt_seconds
        self._on_retry = on_retry

    def grant(
        self,
        player_id: str,
        spin_number: int,
        *,
        idempotency_key: str | None = None,
        deadline_seconds: float | None = None,
    ) -> Grant:
        """Gives a player spins, exactly once however often the request has to be repeated.

        Pass an `idempotency_key` that names the reason, such as an order number, and a second call for the same order
        adds nothing either.
        """
        answer = self._send(
            "POST",
            "/api/player/increaseSpin",
            body={"playerId": player_id, "spinNumber": spin_number},
            idempotency_key=idempotency_key,
            deadline_seconds=deadline_seconds,
        )
        replayed = answer.headers.get("Idempotent-Replayed") == "true"
        return Grant(answer.body["playerId"], answer.body["spinCount"], replayed)

    def link(
        self, player_id: str, *, initial_spin: int | None = None, deadline_seconds: float | None = None
    ) -> GameLink:
        """Makes a game link. `initial_spin` welcomes a newcomer: it is granted once per player."""
        body = {"playerId": player_id} | ({} if initial_spin is None else {"initialSpin": initial_spin})
        made = self.request("POST", "/api/game/sso", body=body, deadline_seconds=deadline_seconds)
        return GameLink(made["link"], made["token"])

    def claim_prize(self, play_id: str) -> dict[str, Any]:
        """Marks a prize as claimed by its winner. A play wins at most one prize, which goes by the id of the play."""
        return self.request("PUT", "/api/v1/prizes/{playId}/claim", path_values={"playId": play_id}, body={})

    def redeem_prize(self, play_id: str) -> dict[str, Any]:
        """Hands a prize over. Only the first redemption succeeds; a second one gets the problem `prize_settled`."""
        return self.request("PUT", "/api/v1/prizes/{playId}/redemption", path_values={"playId": play_id}, body={})

    def cancel_prize(self, play_id: str, *, reason: str | None = None) -> dict[str, Any]:
        """Takes a prize back that has not been handed over."""
        body = {} if reason is None else {"reason": reason}
        return self.request("PUT", "/api/v1/prizes/{playId}/cancellation", path_values={"playId": play_id}, body=body)

    def events(
        self,
        *,
        after: int | None = None,
        types: Iterable[EventType] | None = None,
        wait_seconds: int = 25,
        on_position: Callable[[int], object] | None = None,
    ) -> Iterator[Event]:
        """The merchant's events, one after the other, as they happen. Resumes by itself after a lost connection.

        `after` is the number of the last event that you have dealt with; left out, it begins with the oldest event that
        is kept. `wait_seconds` is how long one request waits for an event, up to 30. With 0 the loop ends when there is
        nothing more to read.

        `on_position` is called when every event up to a number has been dealt with, which is so when the next one is
        asked for: keep the number, and start with it as `after` next time.
        """
        wanted = None if types is None else list(types)
        position = after
        while True:
            page = self.event_page(after=position, types=wanted, wait_seconds=wait_seconds, deadline_seconds=math.inf)
            yield from page.events
            if page.next != position and on_position is not None:
                on_position(page.next)
            position = page.next
            if wait_seconds == 0 and page.next >= page.last:
                return

    def event_page(
        self,
        *,
        after: int | None = None,
        types: Iterable[EventType] | None = None,
        wait_seconds: int = 0,
        deadline_seconds: float | None = None,
    ) -> EventPage:
        """One page of the event log. For a job that runs now and then, and keeps `next` until it runs again."""
        query: dict[str, QueryValue] = {"after": after, "types": types, "wait": wait_seconds}
        page = self._send(
            "GET", "/api/v1/events", query=query, deadline_seconds=deadline_seconds, wait_seconds=wait_seconds
        ).body
        return EventPage(tuple(event_of(fields) for fields in page["events"]), page["next"], page["last"])

    def all(
        self,
        path: str,
        *,
        path_values: Mapping[str, str | int] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        deadline_seconds: float | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Every item of a paged list, by the path of the list, such as `/api/v1/players`.

        Reads a page at a time: `limit` in the query is the size of a page, and the deadline is for each page.
        """
        cursor: str | int | None = None
        while True:
            page = self.request(
                "GET",
                path,
                path_values=path_values,
                query={**(query or {}), **({} if cursor is None else {"cursor": cursor})},
                deadline_seconds=deadline_seconds,
            )
            if "next" not in page:
                raise ValueError(f"{path} is not a list that comes in pages")
            # The list is the only array of a page.
            yield from next(value for value in page.values() if isinstance(value, list))
            cursor = page["next"]
            if cursor is None:
                return

    def request(
        self,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, str | int] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        deadline_seconds: float | None = None,
    ) -> dict[str, Any]:
        """Any operation of the API, by its method and path, as in the API reference.

        `path_values` fill the placeholders of the path, such as `{playerId}`.
        """
        return self._send(
            method,
            path,
            path_values=path_values,
            query=query,
            body=body,
            headers=headers,
            idempotency_key=idempotency_key,
            deadline_seconds=deadline_seconds,
        ).body

    def _send(
        self,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, str | int] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        deadline_seconds: float | None = None,
        wait_seconds: float = 0,
    ) -> Answer:
        takes_key = _KEYED.match(f"{method} {path}") is not None
        key = str(uuid.uuid4()) if idempotency_key is None and takes_key else idempotency_key
        if key is not None and not _is_visible_ascii(key):
            raise ValueError("An idempotency key has visible ASCII characters only.")
        sent_headers = {
            "Accept": "application/json",
            "Authorization": self._token,
            "User-Agent": "wheelhouse-client-python",
            **({} if body is None else {"Content-Type": "application/json"}),
            **({} if key is None else {"Idempotency-Key": key}),
            **(headers or {}),
        }
        request = OutgoingRequest(
            method=method,
            url=self._url + _address_of(path, path_values or {}, query or {}),
            headers=sent_headers,
            body=None if body is None else json.dumps(body, allow_nan=False).encode(),
            idempotency_key=key,
            # A new game link has no further effect: the old one stays valid.
            is_repeatable=takes_key or method in ("GET", "PUT", "DELETE") or path == "/api/game/sso",
        )
        patience = Patience(
            deadline_seconds=self._deadline_seconds if deadline_seconds is None else deadline_seconds,
            attempt_seconds=self._attempt_seconds + wait_seconds,
            on_retry=self._on_retry,
        )
        return send(request, patience)


# The path of an operation may be filled in already.
_KEYED = re.compile("(" + "|".join(re.sub(r"\{\w+\}", "[^/]+", one) for one in KEYED_OPERATIONS) + r")(\?|$)")


def _is_visible_ascii(text: str) -> bool:
    # An environment variable that is not set is None.
    return isinstance(text, str) and re.fullmatch(r"[!-~]+", text) is not None


def _address_of(path: str, path_values: Mapping[str, str | int], query: Mapping[str, QueryValue]) -> str:
    if not path.startswith("/") or not _is_visible_ascii(path):
        raise ValueError("A path begins with a slash, and values for its placeholders are in path_values.")

    def fill(placeholder: re.Match[str]) -> str:
        value = str(path_values.get(placeholder[1], ""))
        if value == "":
            raise ValueError(f"path_values has no {placeholder[1]}")
        return quote(value, safe="")

    filled = re.sub(r"\{(\w+)\}", fill, path)
    search = urlencode({name: _text_of(value) for name, value in query.items() if value is not None})
    return filled if search == "" else f"{filled}?{search}"


def _text_of(value: QueryValue) -> str:
    """Lists are joined by commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int)) else ",".join(value or ())
