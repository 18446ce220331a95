"""What every client has: its connections, and the drivers that carry out the steps of its calls."""

from __future__ import annotations

import math
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from types import TracebackType
from typing import TypeVar, Union

import anyio
import anyio.to_thread
import httpx

from ._answer import ANSWER_BYTES_MAX, Body, TooLong, refuse_redirects, refuse_redirects_async
from ._error import LoredexError
from ._steps import FileContent, Patience, Reply, Send, Steps, Wait, outcome_of

T = TypeVar("T")
Sync = TypeVar("Sync", bound="Connection")
Async = TypeVar("Async", bound="AsyncConnection")


class Connection:
    """The connections of a client, and its patience. Use a client in a ``with`` statement, or ``close`` it."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        attempts_max: int = 8,
        wait_seconds_max: float = 300,
        timeout_seconds: float = 60,
        answer_bytes_max: int = ANSWER_BYTES_MAX,
        on_wait: Callable[[float, LoredexError], None] | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience = Patience(attempts_max, wait_seconds_max, on_wait, random.random, clock)
        self._sleep = sleep
        self._answer_bytes_max = answer_bytes_max
        self._http = httpx.Client(
            base_url=api_of(base_url),
            headers={"x-api-key": key},
            timeout=timeout_seconds,
            transport=transport,
            # The service never redirects, and the key is for no other address.
            follow_redirects=False,
            event_hooks={"response": [refuse_redirects]},
        )

    def __enter__(self: Sync) -> Sync:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes its connections."""
        self._http.close()

    def _run(self, steps: Steps[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                # What the generator has returned, of which typing knows nothing here.
                result: T = end.value
                return result
            reply = self._do(step)

    def _do(self, step: Send | Wait) -> Reply:
        if isinstance(step, Wait):
            self._sleep(step.seconds)
            return None
        try:
            response = self._http.send(request_of(self._http, step, pieces_of), stream=True)
            try:
                return self._whole(response)
            finally:
                response.close()
        except httpx.RequestError as error:
            return error

    def _whole(self, response: httpx.Response) -> httpx.Response | TooLong:
        body = Body(response, self._answer_bytes_max)
        for piece in response.iter_bytes():
            if not body.takes(piece):
                break
        return body.whole()

    def _stream(self, sent: Send) -> Iterator[bytes]:
        """Sends a request once, and gives the body of its answer as it comes. Raises a LoredexError also if it breaks off."""
        response: httpx.Response | None = None
        try:
            response = self._http.send(request_of(self._http, sent, pieces_of), stream=True)
            if not response.is_success:
                raise refused(self._whole(response))
            yield from response.iter_bytes()
        except httpx.RequestError as error:
            raise broken(error, response) from error
        finally:
            if response is not None:
                response.close()


class AsyncConnection:
    """Connection for asyncio and trio. Use a client in an ``async with`` statement, or ``await close()``."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        attempts_max: int = 8,
        wait_seconds_max: float = 300,
        timeout_seconds: float = 60,
        answer_bytes_max: int = ANSWER_BYTES_MAX,
        on_wait: Callable[[float, LoredexError], None] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._patience = Patience(attempts_max, wait_seconds_max, on_wait, random.random, clock)
        self._sleep = sleep
        self._answer_bytes_max = answer_bytes_max
        self._http = httpx.AsyncClient(
            base_url=api_of(base_url),
            headers={"x-api-key": key},
            timeout=timeout_seconds,
            transport=transport,
            # The service never redirects, and the key is for no other address.
            follow_redirects=False,
            event_hooks={"response": [refuse_redirects_async]},
        )

    async def __aenter__(self: Async) -> Async:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes its connections."""
        await self._http.aclose()

    async def _run(self, steps: Steps[T]) -> T:
        reply: Reply = None
        while True:
            try:
                step = steps.send(reply)
            except StopIteration as end:
                # What the generator has returned, of which typing knows nothing here.
                result: T = end.value
                return result
            reply = await self._do(step)

    async def _do(self, step: Send | Wait) -> Reply:
        if isinstance(step, Wait):
            await self._sleep(step.seconds)
            return None
        try:
            response = await self._http.send(request_of(self._http, step, async_pieces_of), stream=True)
            try:
                return await self._whole(response)
            finally:
                await response.aclose()
        except httpx.RequestError as error:
            return error

    async def _whole(self, response: httpx.Response) -> httpx.Response | TooLong:
        body = Body(response, self._answer_bytes_max)
        async for piece in response.aiter_bytes():
            if not body.takes(piece):
                break
        return body.whole()

    async def _stream(self, sent: Send) -> AsyncIterator[bytes]:
        """Sends a request once, and gives the body of its answer as it comes. Raises a LoredexError also if it breaks off."""
        response: httpx.Response | None = None
        try:
            response = await self._http.send(request_of(self._http, sent, async_pieces_of), stream=True)
            if not response.is_success:
                raise refused(await self._whole(response))
            async for piece in response.aiter_bytes():
                yield piece
        except httpx.RequestError as error:
            raise broken(error, response) from error
        finally:
            if response is not None:
                await response.aclose()


def api_of(base_url: str) -> str:
    """The address below which the API is. Any path before it is kept."""
    url = httpx.URL(base_url)
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"base_url must be an http or https address: {base_url}")
    return str(url.copy_with(query=None, fragment=None)).rstrip("/") + "/api/v1"


Pieces = Callable[[FileContent], Union[Iterator[bytes], AsyncIterator[bytes]]]
PIECE_BYTES = 65_536


def pieces_of(content: FileContent) -> Iterator[bytes]:
    content.file.seek(content.start)
    while piece := content.file.read(PIECE_BYTES):
        yield piece


async def async_pieces_of(content: FileContent) -> AsyncIterator[bytes]:
    """Read in another thread: a disk may be slow."""
    await anyio.to_thread.run_sync(content.file.seek, content.start)
    while piece := await anyio.to_thread.run_sync(content.file.read, PIECE_BYTES):
        yield piece


def refused(reply: Reply) -> LoredexError:
    """The error of a reply that has no stream."""
    outcome = outcome_of(reply)
    return outcome if isinstance(outcome, LoredexError) else LoredexError("The answer is not as Loredex gives it.")


def broken(error: httpx.RequestError, response: httpx.Response | None) -> LoredexError:
    """The error of a stream. Without a response it did not begin."""
    return refused(error) if response is None else LoredexError(f"The answer broke off ({str(error) or type(error).__name__}).")


def request_of(http: httpx.Client | httpx.AsyncClient, sent: Send, pieces: Pieces) -> httpx.Request:
    # Joined here: httpx puts a slash behind a base address that nothing follows.
    url = str(http.base_url).rstrip("/") + sent.area + sent.path
    params = dict(sent.params) or None
    timeout, headers = shortened(http.timeout, sent.seconds_max), dict(sent.headers)
    content: bytes | Iterator[bytes] | AsyncIterator[bytes] | None
    if isinstance(sent.content, FileContent):
        content, headers["content-length"] = pieces(sent.content), str(sent.content.length)
    else:
        content = sent.content
    if content is not None:
        headers["content-type"] = "application/octet-stream"
    return http.build_request(sent.method, url, params=params, headers=headers, json=sent.json, content=content, timeout=timeout)


def shortened(timeout: httpx.Timeout, seconds: float) -> httpx.Timeout:
    if seconds == math.inf:
        return timeout
    parts = {name: seconds if each is None else min(each, seconds) for name, each in timeout.as_dict().items()}
    return httpx.Timeout(**parts)
