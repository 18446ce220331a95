"""What of an answer is read: no more than may be, and nothing of one that sends to another address."""

from __future__ import annotations

from dataclasses import dataclass

import httpx

ANSWER_BYTES_MAX = 64 * 1_048_576
REDIRECTS = frozenset((301, 302, 303, 307, 308))
ENCODED = frozenset(("content-encoding", "content-length", "transfer-encoding"))
"""Headers that tell how the body was sent, which it is not any more."""


@dataclass(frozen=True)
class TooLong:
    """An answer with more bytes than may be."""

    status: int
    bytes_max: int


class Redirected(httpx.RequestError):
    """An answer that sends to another address."""

    def __init__(self, response: httpx.Response) -> None:
        super().__init__("redirected", request=response.request)
        self.status = response.status_code
        self.location = response.headers.get("location", "")


def refuse_redirects(response: httpx.Response) -> None:
    """Called before httpx looks where it leads."""
    if response.status_code in REDIRECTS:
        raise Redirected(response)


async def refuse_redirects_async(response: httpx.Response) -> None:
    refuse_redirects(response)


class Body:
    """The body of an answer, as it comes."""

    def __init__(self, response: httpx.Response, bytes_max: int) -> None:
        self._response = response
        self._bytes_max = bytes_max
        self._bytes = bytearray()

    def takes(self, piece: bytes) -> bool:
        """Whether more may come."""
        self._bytes += piece
        return len(self._bytes) <= self._bytes_max

    def whole(self) -> httpx.Response | TooLong:
        response = self._response
        if len(self._bytes) > self._bytes_max:
            return TooLong(response.status_code, self._bytes_max)
        headers = [(name, value) for name, value in response.headers.multi_items() if name.lower() not in ENCODED]
        reason = {name: value for name, value in response.extensions.items() if name == "reason_phrase"}
        return httpx.Response(
            response.status_code, headers=headers, content=bytes(self._bytes), request=response.request, extensions=reason
        )
