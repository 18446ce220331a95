"""The events of the admin API: server-sent events."""

from __future__ import annotations

import json
from typing import Any, Literal, TypedDict, Union, cast

from ._admin_types import AdminAlert
from ._error import LoredexError


class LiveBotFields(TypedDict):
    id: str
    name: str
    questions: int
    writes: int


class LiveBot(LiveBotFields, total=False):
    """A bot's questions and writes of the last minute. ``p50Ms``, ``p95Ms``, ``p99Ms``: time of its answers in ms."""

    p50Ms: float
    p95Ms: float
    p99Ms: float
    figures: dict[str, Any]


class Fleet(TypedDict):
    at: str
    bots: list[LiveBot]


class FleetEvent(TypedDict):
    """Every two seconds: the figures of all bots that the key may see."""

    event: Literal["fleet"]
    data: Fleet


class AlertsEvent(TypedDict):
    """At the begin, and after a change: all alerts."""

    event: Literal["alerts"]
    data: list[AdminAlert]


class RestartEvent(TypedDict):
    """The server ends. The stream ends with it."""

    event: Literal["restart"]
    data: dict[str, Any]


AdminEvent = Union[FleetEvent, AlertsEvent, RestartEvent]

EVENTS = ("fleet", "alerts", "restart")


class EventReader:
    """Reads server-sent events out of the pieces of a stream. An event has at most ``bytes_max`` bytes."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._rest = bytearray()

    def read(self, piece: bytes) -> list[AdminEvent]:
        """The events that this piece completes. Raises a LoredexError for a longer one."""
        self._rest += piece
        blocks: list[bytes] = []
        if b"\n\n" in self._rest[-len(piece) - 1 :]:
            *blocks, rest = bytes(self._rest).split(b"\n\n")
            self._rest = bytearray(rest)
        if len(self._rest) > self._bytes_max:
            raise LoredexError(f"An event is longer than {self._bytes_max} bytes. Set answer_bytes_max.", is_too_long=True)
        return [event for block in blocks if (event := _event(block.decode("utf-8", "replace"))) is not None]


def _event(block: str) -> AdminEvent | None:
    """An event that this client knows. Others, comments and the time for a new attempt are left out."""
    fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
    if fields.get("event") not in EVENTS:
        return None
    try:
        return cast(AdminEvent, {"event": fields["event"], "data": json.loads(fields.get("data", ""))})
    except ValueError:
        raise LoredexError("The event is not as Loredex gives it.") from None
