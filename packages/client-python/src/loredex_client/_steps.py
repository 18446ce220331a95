"""What a client does, told without doing it: calls are generators of steps, which one driver carries out in this thread and another one in asyncio."""

from __future__ import annotations

import math
import ssl
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, Literal, TypeVar, Union

import httpx

from ._answer import Redirected, TooLong
from ._error import ARTICLE_NOT_FOUND, LoredexError, json_of, refusal_of


@dataclass(frozen=True)
class FileContent:
    """The bytes of a file from ``start`` to its end, read while they are sent."""

    file: BinaryIO
    start: int
    length: int


@dataclass(frozen=True)
class Send:
    """A request, below ``/api/v1``. The caller of the steps gives the answer, or the error in its place."""

    method: str
    path: str = ""
    """Below the area."""
    json: object = None
    content: bytes | FileContent | None = None
    """Bytes instead of JSON."""
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = True
    """Whether it may be sent again though it may have been done: where no answer came."""
    is_batch_of_one: bool = False
    """Whether it is a batch with one operation, of which the one result counts as the answer."""
    area: Literal["/knowledge", "/usage", "/admin"] = "/knowledge"
    seconds_max: float = math.inf
    """How long the answer may keep silent, where that is less than for other requests."""


@dataclass(frozen=True)
class Wait:
    seconds: float


Reply = Union[httpx.Response, TooLong, httpx.RequestError, None]
T = TypeVar("T")
Steps = Generator[Union[Send, Wait], Reply, T]


@dataclass(frozen=True)
class Patience:
    """How often one request is sent at most, and for how long one call waits in all between its attempts."""

    attempts_max: int
    wait_seconds_max: float
    on_wait: Callable[[float, LoredexError], None] | None
    random: Callable[[], float]
    clock: Callable[[], float]
    """Seconds, never set back."""
    ends_at: float = math.inf
    """When the whole call has taken too long, on that clock."""

    def in_time(self, sent: Send) -> Send:
        return sent if self.ends_at == math.inf else replace(sent, seconds_max=max(0.001, self.ends_at - self.clock()))

    def is_over_after(self, seconds: float) -> bool:
        return self.clock() + seconds > self.ends_at

    def seconds(self, error: LoredexError, attempt: int, is_repeatable: bool) -> float | None:
        # A little longer than was said, that those who were refused together do not come together.
        jitter = 1 + JITTER * self.random()
        if error.is_worth_waiting:
            return (error.retry_after_seconds or 0) * jitter
        cause = error.__cause__
        was_lost = isinstance(cause, httpx.TransportError) and not is_untrusted(cause)
        if error.status is not None or not was_lost or not is_repeatable:
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


@dataclass
class Waits:
    """How long a call of several requests has waited in all."""

    seconds: float = 0.0


def answer_to(sent: Send, patience: Patience, waits: Waits | None = None) -> Steps[Answer]:
    """Sends a request, and sends it again where that can help. Raises a LoredexError for every answer but a success and 304.

    ``waits``: the waits of the call, if it has several requests.
    """
    was_lost = False
    waits = waits or Waits()
    attempt = 1
    while True:
        reply = yield patience.in_time(sent)
        outcome = outcome_of(_only_result(reply) if sent.is_batch_of_one else reply)
        if isinstance(outcome, Answer):
            return outcome
        if was_lost and sent.method == "DELETE" and outcome.code == ARTICLE_NOT_FOUND:
            # Of the attempt whose answer was lost.
            return Answer(None, "")
        seconds = patience.seconds(outcome, attempt, sent.is_repeatable)
        if seconds is None or attempt >= patience.attempts_max or patience.is_over_after(seconds):
            raise outcome
        was_lost = was_lost or outcome.status is None
        attempt += 1
        if not (yield from waited(seconds, outcome, patience, waits)):
            raise outcome


def waited(seconds: float, error: LoredexError, patience: Patience, waits: Waits) -> Steps[bool]:
    """Waits after a failure; False at once if that is longer than the call may wait."""
    if waits.seconds + seconds > patience.wait_seconds_max:
        return False
    waits.seconds += seconds
    if patience.on_wait is not None:
        patience.on_wait(seconds, error)
    yield Wait(seconds)
    return True


def is_untrusted(error: BaseException | None) -> bool:
    """Whether it comes of the server's certificate, which sending again does not mend."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _only_result(reply: Reply) -> Reply:
    """What the only operation of a batch would have been answered alone."""
    if not isinstance(reply, httpx.Response) or not reply.is_success:
        return reply
    json = json_of(reply)
    results = json.get("results") if isinstance(json, dict) else None
    if not isinstance(results, list) or not results:
        return reply
    return response_of(results[0], reply.headers.get("x-request-id"))


def response_of(result: Mapping[str, Any], request_id: str | None = None) -> httpx.Response:
    """A batch's result as an answer of its own. ``request_id``: that of the batch."""
    headers = {} if request_id is None else {"x-request-id": request_id}
    if "retryAfter" in result:
        headers["retry-after"] = str(result["retryAfter"])
    if isinstance(result["body"], str):
        return httpx.Response(result["status"], headers=headers, text=result["body"])
    return httpx.Response(result["status"], headers=headers, json=result["body"])


def outcome_of(reply: Reply) -> Answer | LoredexError:
    if isinstance(reply, TooLong):
        mend = "Ask for less (fewer documents or articles, no content), or set answer_bytes_max."
        message = f"The answer is longer than {reply.bytes_max} bytes. {mend}"
        return LoredexError(message, status=reply.status, is_too_long=True)
    if isinstance(reply, Redirected):
        return _redirected(reply)
    if isinstance(reply, httpx.Response):
        etag = reply.headers.get("etag", "")
        if reply.status_code == 304:
            return Answer(None, etag)
        json = json_of(reply) if reply.is_success else None
        # Also for a success without JSON: a page of something that stands between.
        return Answer(json, etag) if isinstance(json, (dict, list)) else refusal_of(reply)
    if is_untrusted(reply):
        mend = "If it is one of your own, start the program with the file of the certificate, or of who issued it, in SSL_CERT_FILE."
        error = LoredexError(f"The server's certificate is not trusted ({reply}). {mend}")
        error.__cause__ = reply
        return error
    is_lost = isinstance(reply, httpx.TransportError)
    what = "No answer came from the server" if is_lost else "The answer cannot be read"
    error = LoredexError(f"{what} ({str(reply) or type(reply).__name__}).")
    error.__cause__ = reply
    return error


def _redirected(reply: Redirected) -> LoredexError:
    """Loredex never redirects, and the key is only for the address that was given."""
    asked = reply.request.url.copy_with(query=None)
    there = "another address"
    try:
        to = asked.join(reply.location)
        if reply.location and to.scheme in ("http", "https") and to.host:
            there = str(to.copy_with(query=None, fragment=None, userinfo=b""))
    except (httpx.InvalidURL, ValueError):
        pass
    mend = "Loredex never redirects, and the key was sent nowhere else: give the server's own address as base_url."
    return LoredexError(f"{asked} redirects to {there}. {mend}", status=reply.status)
