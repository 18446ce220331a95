"""What a client does, told without doing it: calls are generators of steps, which one driver carries out in this thread and another one in asyncio."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar, Union

import httpx

from ._error import ARTICLE_NOT_FOUND, LoredexError, json_of, refusal_of


@dataclass(frozen=True)
class Send:
    """A request, below ``/api/v1/knowledge``. Whoever carries it out gives the answer, or the error in its place."""

    method: str
    path: str = ""
    json: object = None
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = True
    """Whether it may be sent again though it may have been done: where no answer came."""


@dataclass(frozen=True)
class Wait:
    seconds: float


Reply = Union[httpx.Response, httpx.HTTPError, None]
T = TypeVar("T")
Steps = Generator[Union[Send, Wait], Reply, T]


@dataclass(frozen=True)
class Patience:
    """How often one request is sent at most, and for how long one call waits in all between its attempts."""

    attempts_max: int
    wait_seconds_max: float
    on_wait: Callable[[float, LoredexError], None] | None
    random: Callable[[], float]

    def seconds(self, error: LoredexError, attempt: int, is_repeatable: bool) -> float | None:
        # A little longer than was said, that those who were refused together do not come together.
        jitter = 1 + JITTER * self.random()
        if error.is_worth_waiting:
            return (error.retry_after_seconds or 0) * jitter
        if error.status is not None or not is_repeatable:
            return None
        first, longest = PAUSE_SECONDS
        return min(first * 2.0 ** (attempt - 1), longest) * jitter


PAUSE_SECONDS = (0.25, 8.0)
"""Before a request without an answer is sent again for the first time, and at most: each pause is twice as long."""
JITTER = 0.1


@dataclass(frozen=True)
class Answer:
    """``json`` is None for a 304, and where an earlier attempt has deleted the article already."""

    json: dict[str, object] | list[object] | None
    etag: str


def answer_to(sent: Send, patience: Patience) -> Steps[Answer]:
    """Sends a request, and sends it again where that can help. Raises a LoredexError for every answer but a success and 304."""
    was_lost = False
    waited = 0.0
    attempt = 1
    while True:
        outcome = _read((yield sent))
        if isinstance(outcome, Answer):
            return outcome
        if was_lost and sent.method == "DELETE" and outcome.code == ARTICLE_NOT_FOUND:
            # Of the attempt whose answer was lost.
            return Answer(None, "")
        seconds = patience.seconds(outcome, attempt, sent.is_repeatable)
        if seconds is None or attempt >= patience.attempts_max or waited + seconds > patience.wait_seconds_max:
            raise outcome
        was_lost = was_lost or outcome.status is None
        waited += seconds
        attempt += 1
        if patience.on_wait is not None:
            patience.on_wait(seconds, outcome)
        yield Wait(seconds)


def _read(reply: Reply) -> Answer | LoredexError:
    if isinstance(reply, httpx.Response):
        etag = reply.headers.get("etag", "")
        if reply.status_code == 304:
            return Answer(None, etag)
        json = json_of(reply) if reply.is_success else None
        # Also for a success without JSON: a page of something that stands between.
        return Answer(json, etag) if isinstance(json, (dict, list)) else refusal_of(reply)
    error = LoredexError(f"No answer came from the server ({str(reply) or type(reply).__name__}).")
    error.__cause__ = reply
    return error
