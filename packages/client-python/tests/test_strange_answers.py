"""Redirects, answers that are too long, and texts that could steer a terminal: from servers over real connections."""

from __future__ import annotations

import asyncio
import gzip
import threading
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from loredex_client import AsyncLoredexClient, LoredexClient, LoredexError, NewArticle

NEW: NewArticle = {"title": "Title", "body": "Body"}
Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """The address of a server that answers so."""

    class Handler(BaseHTTPRequestHandler):
        def _do(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", "0")))
            answer(self)

        do_GET = do_POST = do_PUT = do_DELETE = _do

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def refusal(call: Callable[[], object]) -> LoredexError:
    with pytest.raises(LoredexError) as caught:
        call()
    return caught.value


async def search_async(url: str, bytes_max: int) -> None:
    async with AsyncLoredexClient(url, "k", answer_bytes_max=bytes_max) as client:
        await client.search("a")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_follows_no_redirect_and_gives_the_key_to_nobody_else(status: int) -> None:
    keys: list[str | None] = []

    def strange(handler: BaseHTTPRequestHandler) -> None:
        keys.append(handler.headers.get("x-api-key"))
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(b"[]")

    with served(strange) as stranger:
        asked: list[str] = []
        with_password = stranger.replace("http://", "http://user:secret@")

        def redirect(handler: BaseHTTPRequestHandler) -> None:
            asked.append(handler.command)
            handler.send_response(status)
            handler.send_header("location", f"{with_password}/other/place?token=secret")
            handler.end_headers()

        with served(redirect) as url, LoredexClient(url, "k") as client:
            calls: list[Callable[[], object]] = [
                lambda: client.get_article("a"),
                lambda: client.get_articles_page(),
                lambda: client.search("a"),
                lambda: client.create_article(NEW),
                lambda: client.update_article("a", {}),
                lambda: client.delete_article("a"),
                lambda: asyncio.run(search_async(url, 1_000)),
            ]
            for call in calls:
                error = refusal(call)
                assert error.status == status
                assert f" redirects to {stranger}/other/place. Loredex never redirects" in error.message
                assert "secret" not in error.message and "?" not in error.message
            assert len(asked) == len(calls)
    assert keys == []


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("", "another address"),
        ("http://", "http://a.test/api/v1/knowledge/search"),
        ("/x", "http://a.test/x"),
        ("data:text/plain,x", "another address"),
        ("ftp://b.test/x", "another address"),
        ("http://[", "http://%5b"),
        ("//\x00", "another address"),
    ],
)
def test_refuses_a_redirect_wherever_it_leads(location: str, told: str) -> None:
    answer = httpx.MockTransport(lambda _: httpx.Response(302, headers=[(b"location", location.encode())]))
    error = refusal(lambda: LoredexClient("http://a.test", "k", transport=answer).search("a"))
    assert (error.status, f" redirects to {told}. " in error.message) == (302, True)


@pytest.mark.parametrize("is_packed", [False, True])
def test_gives_up_an_answer_that_is_too_long(is_packed: bool) -> None:
    closed = threading.Event()
    packed = gzip.compress(bytes(8_000_000))

    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if is_packed:
            handler.send_header("content-encoding", "gzip")
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(packed if is_packed else b" " * 10_000)
        except OSError:
            closed.set()

    with served(endless) as url:
        with LoredexClient(url, "k", answer_bytes_max=100_000) as client:
            error = refusal(lambda: client.search("a"))
            assert (error.status, error.is_too_long) == (200, True)
            assert "longer than 100000 bytes" in error.message and "answer_bytes_max" in error.message
            assert closed.wait(10)
        assert refusal(lambda: asyncio.run(search_async(url, 100_000))).is_too_long


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that never ends, and tells whether it was closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b" " * 100

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b" " * 100

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def test_closes_an_answer_that_it_gives_up() -> None:
    body = Endless()
    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=body))
    assert refusal(lambda: LoredexClient("http://a.test", "k", transport=transport, answer_bytes_max=1_000).search("a")).is_too_long
    assert body.is_closed

    async def search() -> None:
        await AsyncLoredexClient("http://a.test", "k", transport=transport, answer_bytes_max=1_000).search("a")

    body.is_closed = False
    assert refusal(lambda: asyncio.run(search())).is_too_long
    assert body.is_closed


def test_takes_an_answer_of_as_many_bytes_as_may_be() -> None:
    content = '[{"resourceDocId":"ä€😀"}]'.encode()
    answer = httpx.MockTransport(lambda _: httpx.Response(200, content=content))
    assert LoredexClient("http://a.test", "k", transport=answer, answer_bytes_max=len(content)).search("a")
    error = refusal(lambda: LoredexClient("http://a.test", "k", transport=answer, answer_bytes_max=len(content) - 1).search("a"))
    assert error.is_too_long


def test_takes_a_packed_answer() -> None:
    content = gzip.compress(b'[{"resourceDocId":"a"}]')
    headers = {"content-encoding": "gzip", "content-length": str(len(content))}
    answer = httpx.MockTransport(lambda _: httpx.Response(200, content=content, headers=headers))
    assert [result["resourceDocId"] for result in LoredexClient("http://a.test", "k", transport=answer).search("a")] == ["a"]


def test_gives_up_a_list_of_which_one_article_is_too_long() -> None:
    limits: list[str] = []

    def endless(request: httpx.Request) -> httpx.Response:
        limits.append(request.url.params["limit"])
        return httpx.Response(200, content=b" " * 101)

    client = LoredexClient("http://a.test", "k", transport=httpx.MockTransport(endless), answer_bytes_max=100)
    assert refusal(client.get_articles_page).is_too_long
    assert limits == ["100", "50", "25", "12", "6", "3", "1"]


def test_asks_for_a_list_that_is_too_long_again_with_fewer_articles() -> None:
    sizes = [900 if i == 17 else 50 for i in range(40)]
    limits: list[int] = []

    def page(request: httpx.Request) -> httpx.Response:
        start, limit = int(request.url.params.get("after", "0")), int(request.url.params["limit"])
        limits.append(limit)
        data = [{"id": str(start + i), "body": "x" * size} for i, size in enumerate(sizes[start : start + limit])]
        following = {"next": str(start + limit)} if start + limit < len(sizes) else {}
        return httpx.Response(200, json={"success": True, "data": data, **following})

    client = LoredexClient("http://a.test", "k", transport=httpx.MockTransport(page), answer_bytes_max=1_000)
    assert [article["id"] for article in client.list_articles()] == [str(i) for i in range(40)]
    assert limits[:4] == [100, 50, 25, 12]
    only = client.get_articles_page(after="17")
    assert ([article["id"] for article in only.articles], only.next) == (["17"], "18")


HARMFUL = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cc"]
HARMFUL += [*"\u061c\u200e\u200f\u2028\u2029", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))]
HARMFUL += [chr(code) for code in range(0xE0000, 0xE0080)]


@pytest.mark.parametrize("status", [400, 404, 429, 500])
def test_shows_no_control_characters_that_a_server_sends(status: int) -> None:
    said = "a" + "b".join(HARMFUL) + "\U0001f600"
    result = [{"message": said, "field": said, "type": said}, {"message": 1}, "x"]
    answers: list[httpx.Response | httpx.ReadError] = [
        httpx.Response(status, json={"message": said, "code": 1001, "status": 400, "data": {"result": result}}),
        httpx.Response(status, json={"success": False, "error": {"message": said, "code": 50000, "status": status}}),
        httpx.Response(status, text=said),
        httpx.ReadError(said),
    ]
    while answers:

        def given(_: httpx.Request) -> httpx.Response:
            answer = answers.pop()
            if isinstance(answer, httpx.Response):
                return answer
            raise answer

        client = LoredexClient("http://a.test", "k", transport=httpx.MockTransport(given), attempts_max=1)
        error = refusal(lambda: client.search("a"))
        broken = (text for each in error.violations for text in (each["message"], each["field"], each["type"]))
        for text in [str(error), error.message, *broken]:
            assert "\ufffd" in text and "\U0001f600" in text
            assert not any(sign in text for sign in HARMFUL)


def test_shows_of_a_long_text_its_beginning_and_of_an_answer_without_one_what_it_is() -> None:
    answers = [
        httpx.Response(400, json={"message": "x" * 5_000}, headers=[(b"x-request-id", b"a\x1bb")]),
        httpx.Response(502, content=b"", extensions={"reason_phrase": b"Gone Fishing"}),
    ]
    client = LoredexClient("http://a.test", "k", transport=httpx.MockTransport(lambda _: answers.pop(0)), attempts_max=1)
    long, bare = [refusal(lambda: client.search("a")) for _ in range(2)]
    assert long.message == "x" * 4_095 + "\u2026"
    assert long.request_id == "a\ufffdb"
    assert "Gone Fishing" in bare.message
