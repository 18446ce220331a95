"""What is sent again, when, and with what: against answers made up here, in a time that passes at once."""

from __future__ import annotations

import asyncio
import inspect
import ssl
from collections.abc import Sequence

import httpx
import pytest

from loredex_client import AsyncLoredexClient, LoredexClient, LoredexError, NewArticle

NEW: NewArticle = {"title": "Title", "body": "Body"}
GONE = httpx.ConnectError("connection refused")


class Script:
    """A client of something that answers so, one after the other."""

    def __init__(self, answers: Sequence[httpx.Response | httpx.RequestError], answer_seconds: float = 0, **options: object) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []
        self.waits: list[float] = []
        self.now = 100.0
        self.answer_seconds = answer_seconds
        settings = {"attempts_max": 8, "wait_seconds_max": 300.0, **options}
        attempts, seconds = settings["attempts_max"], settings["wait_seconds_max"]
        assert isinstance(attempts, int) and isinstance(seconds, (int, float))
        self.client = LoredexClient(
            "http://a.test/kb/",
            "k",
            attempts_max=attempts,
            wait_seconds_max=seconds,
            transport=httpx.MockTransport(self._answer),
            sleep=self._sleep,
            clock=lambda: self.now,
        )

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.now += self.answer_seconds
        answer = self.answers.pop(0)
        if isinstance(answer, httpx.Response):
            return answer
        raise answer

    def refusal(self) -> LoredexError:
        with pytest.raises(LoredexError) as caught:
            self.client.create_article(NEW)
        return caught.value


def test_does_not_try_again_with_a_server_that_it_does_not_trust() -> None:
    gone = httpx.ConnectError("self-signed certificate")
    gone.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    script = Script([gone, written()])
    refusal = script.refusal()
    assert "not trusted (self-signed certificate)" in refusal.message and "SSL_CERT_FILE" in refusal.message
    assert (script.waits, len(script.requests)) == ([], 1)


def written() -> httpx.Response:
    return httpx.Response(200, json={"success": True, "data": {"id": "a", "status": "active"}, "characterUsed": 1})


def limited(seconds: str | None = None) -> httpx.Response:
    return httpx.Response(429, text="Too many characters", headers={} if seconds is None else {"retry-after": seconds})


def refused(status: int, code: int, seconds: str | None = None) -> httpx.Response:
    error = {"message": f"refused {code}", "code": code, "status": status}
    headers = {} if seconds is None else {"retry-after": seconds}
    return httpx.Response(status, json={"success": False, "error": error}, headers=headers)


def test_waits_as_long_as_it_is_told_and_a_little_longer() -> None:
    script = Script([limited("7"), refused(503, 50001, "1"), refused(429, 4290, "2"), written()])
    script.client.create_article(NEW)
    for waited, told in zip(script.waits, [7, 1, 2], strict=True):
        assert told <= waited <= told * 1.1
    assert len({request.headers["idempotency-key"] for request in script.requests}) == 1
    assert {str(request.url) for request in script.requests} == {"http://a.test/kb/api/v1/knowledge"}


@pytest.mark.parametrize(
    "answer", [limited(), limited("Sun, 22 Nov 2026 12:00:00 GMT"), refused(503, 50002), refused(500, 50000), refused(429, 4290)]
)
def test_gives_up_at_once_where_no_wait_can_help(answer: httpx.Response) -> None:
    script = Script([answer])
    refusal = script.refusal()
    assert (refusal.status, refusal.retry_after_seconds, script.waits) == (answer.status_code, None, [])
    assert refusal.message in ("Too many characters", f"refused {refusal.code}")


def test_stops_after_so_many_attempts_and_before_too_long_a_wait() -> None:
    often = Script([limited("1")] * 3, attempts_max=3)
    assert (often.refusal().retry_after_seconds, len(often.requests)) == (1, 3)
    long = Script([limited("60")] * 2, wait_seconds_max=100)
    assert (long.refusal().retry_after_seconds, len(long.requests)) == (60, 2)


def test_asks_again_without_an_answer() -> None:
    script = Script([GONE, GONE, written()])
    script.client.create_article(NEW)
    assert [round(wait, 1) for wait in script.waits] in ([[0.3, 0.5], [0.3, 0.6], [0.2, 0.5], [0.2, 0.6]])
    assert len({request.headers["idempotency-key"] for request in script.requests}) == 1
    silent = Script([GONE] * 2, attempts_max=2)
    assert (silent.refusal().status, len(silent.requests)) == (None, 2)


def test_does_not_send_again_what_would_come_to_something_else() -> None:
    conditional, creating = Script([GONE]), Script([GONE])
    with pytest.raises(LoredexError):
        conditional.client.update_article("a", {}, if_match='"tag"')
    with pytest.raises(LoredexError):
        creating.client.batch([{"op": "create", "article": NEW}])
    assert [len(conditional.requests), len(creating.requests)] == [1, 1]


def test_a_delete_whose_answer_was_lost_is_done() -> None:
    script = Script([GONE, refused(404, 20001)])
    script.client.delete_article("a/b?")
    assert script.requests[0].url.raw_path == b"/kb/api/v1/knowledge/a%2Fb%3F"
    with pytest.raises(LoredexError):
        Script([refused(404, 20001)]).client.delete_article("a")


def test_takes_no_page_of_a_proxy_for_an_answer() -> None:
    for status in (200, 502):
        script = Script([httpx.Response(status, html="<p>Welcome</p>")])
        assert (script.refusal().status, len(script.requests)) == (status, 1)


def test_says_at_once_that_an_address_can_be_none() -> None:
    for address in ("help.example.com", "ftp://help.example.com", "http://"):
        with pytest.raises(ValueError, match="http or https"):
            LoredexClient(address, "k")


def test_does_not_wait_for_an_article_for_ever() -> None:
    uploading = httpx.Response(200, json={"success": True, "data": {"id": "a", "status": "uploading"}})
    script = Script([uploading] * 9)
    with pytest.raises(LoredexError, match=r"not active after 0\.5 s"):
        script.client.wait_until_active("a", timeout_seconds=0.5)
    assert script.waits == [0.05, 0.1, 0.2, pytest.approx(0.15)]


def test_waits_no_longer_for_an_article_than_it_is_told_whatever_the_time_is_spent_on() -> None:
    uploading = httpx.Response(200, json={"success": True, "data": {"id": "a", "status": "uploading"}})
    slow = Script([uploading] * 9, answer_seconds=2)
    with pytest.raises(LoredexError, match="not active after 5 s"):
        slow.client.wait_until_active("a", timeout_seconds=5)
    assert len(slow.requests) == 3
    silent = Script([httpx.ReadTimeout("silent")] * 8, answer_seconds=5)
    with pytest.raises(LoredexError, match="not active after 5 s"):
        silent.client.wait_until_active("a", timeout_seconds=5)
    assert [request.extensions["timeout"]["read"] for request in silent.requests] == [5]
    busy = Script([refused(503, 50001, "7"), uploading])
    with pytest.raises(LoredexError) as caught:
        busy.client.wait_until_active("a", timeout_seconds=5)
    assert (caught.value.status, caught.value.retry_after_seconds, busy.waits) == (503, 7, [])


@pytest.mark.parametrize("failure", [httpx.DecodingError("no gzip"), httpx.TooManyRedirects("around and around")])
def test_tells_of_an_answer_that_cannot_be_read_as_of_any_other_failure(failure: httpx.RequestError) -> None:
    script = Script([failure, written()])
    refusal = script.refusal()
    assert (refusal.status, script.waits, refusal.__cause__) == (None, [], failure)
    assert refusal.message == f"The answer cannot be read ({failure})."
    garbled = Script([httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip"))])
    assert garbled.refusal().message.startswith("The answer cannot be read")


def test_waits_in_asyncio_too() -> None:
    answers: list[httpx.Response | httpx.TransportError] = [limited("7"), GONE, written()]
    waits: list[float] = []

    def answer(_: httpx.Request) -> httpx.Response:
        given = answers.pop(0)
        if isinstance(given, httpx.Response):
            return given
        raise given

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def story() -> None:
        async with AsyncLoredexClient("http://a.test", "k", transport=httpx.MockTransport(answer), sleep=sleep) as client:
            await client.create_article(NEW)

    asyncio.run(story())
    assert len(waits) == 2 and waits[0] >= 7 > 1 > waits[1]


def test_both_clients_have_the_same_calls() -> None:
    def calls(client: type) -> dict[str, list[str]]:
        members = inspect.getmembers(client, inspect.isfunction)
        return {name: list(inspect.signature(call).parameters) for name, call in members if not name.startswith("_")}

    assert calls(LoredexClient) == calls(AsyncLoredexClient)
