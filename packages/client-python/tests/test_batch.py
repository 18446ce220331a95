"""What is sent again of a batch, when, and in which order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest

from loredex_client import AsyncLoredexClient, BatchOperation, BatchProgress, BatchResult, LoredexClient, LoredexError

from .conftest import Server
from .test_retries import GONE, Script, refused

OK: dict[str, object] = {"status": 200, "body": {"success": True}}


def create(body: str) -> BatchOperation:
    return {"op": "create", "article": {"title": "abc", "body": body}}


def upsert(id: str, body: str) -> BatchOperation:
    return {"op": "upsert", "by": "id", "article": {"title": "abc", "body": body, "metadata": {"id": id}}}


def late(seconds: object) -> dict[str, object]:
    return {"status": 429, "body": "Too fast.", "retryAfter": seconds}


def answered(*results: object) -> httpx.Response:
    return httpx.Response(200, json={"success": True, "results": list(results)})


def statuses(results: Sequence[BatchResult]) -> list[int]:
    return [result["status"] for result in results]


def sent_in(script: Script) -> list[list[Any]]:
    """The operations of each request."""
    return [json.loads(request.content)["operations"] for request in script.requests]


def test_sends_each_refused_write_again_alone_in_order_and_tells_of_it() -> None:
    script = Script([answered(late(10), OK, late(20), late(5)), answered(late(3)), answered(OK), answered(OK), answered(OK)])
    operations = [create(body) for body in "abcd"]
    told: list[BatchProgress] = []
    assert statuses(script.client.batch(operations, on_progress=told.append)) == [200] * 4
    a, _, c, d = operations
    assert sent_in(script) == [operations, [a], [a], [c], [d]]
    assert [(step.done, step.total, statuses(step.results)) for step in told] == [
        (1, 4, [429, 200, 429, 429]),
        (2, 4, [200, 200, 429, 429]),
        (3, 4, [200, 200, 200, 429]),
        (4, 4, [200, 200, 200, 200]),
    ]
    # The third one's 20 s count from the first answer, and the last one's 5 s are over by then.
    first, second, third = script.waits
    assert 10 <= first <= 11 and 3 <= second <= 3.3 and 20 <= first + second + third <= 22


def test_sends_no_write_again_whose_article_a_later_one_has_changed() -> None:
    first = answered(late(1), OK, late(1), late(1), {"status": 400, "body": {}}, late(1), OK, late(1))
    script = Script([first, answered(OK), answered(OK), answered(OK)])

    def update(id: str) -> BatchOperation:
        return {"op": "update", "id": id, "article": {"body": "b"}}

    gone: BatchOperation = {"op": "delete", "id": "j"}
    operations = [upsert("1", "old"), upsert("1", "new"), upsert("2", "x"), update("i"), update("i"), update("j"), gone, create("x")]
    assert statuses(script.client.batch(operations)) == [429, 200, 200, 200, 400, 429, 200, 200]
    assert sent_in(script)[1:] == [[operations[2]], [operations[3]], [operations[7]]]


def test_waits_no_longer_in_all_than_it_may() -> None:
    operations = [create(body) for body in "abc"]
    script = Script([answered(OK, late(60), late(60)), answered(OK), answered(late(60))])
    results = script.client.batch(operations, wait_seconds_max=100)
    assert (statuses(results), results[2].get("retryAfter"), len(script.requests)) == ([200, 200, 429], 60, 3)
    # The last one may have been told to wait for a little longer than the one before it.
    assert 60 <= sum(script.waits) <= 66.001 and len(script.waits) <= 2
    never = Script([answered(OK, late(1), late(1))])
    assert (statuses(never.client.batch(operations, wait_seconds_max=0)), never.waits) == ([200, 429, 429], [])
    busy = Script([refused(429, 4290, "40"), answered(late(40)), refused(429, 4290, "40")], wait_seconds_max=100)
    with pytest.raises(LoredexError) as caught:
        busy.client.batch(operations[:1])
    assert (caught.value.code, len(busy.waits)) == (4290, 2)
    often = Script([answered(late(1))] * 3, attempts_max=3)
    assert (statuses(often.client.batch(operations[:1])), len(often.requests)) == ([429], 3)
    for wrong in (-1, 7_201, float("nan")):
        with pytest.raises(ValueError, match="from 0 to 7200"):
            often.client.batch(operations, wait_seconds_max=wrong)


def test_keeps_refusals_for_which_no_wait_can_help_and_ends_where_no_answer_comes() -> None:
    kept = Script([answered({"status": 429, "body": "Too large."}, {"status": 422, "body": {}}, late("\n"), late(-1), late(True), {"status": 429, "retryAfter": 1})])
    assert statuses(kept.client.batch([create("x")] * 6)) == [429, 422, 429, 429, 429, 429]
    assert len(kept.requests) == 1
    told: list[BatchProgress] = []
    lost = Script([answered(OK, late(1)), GONE])
    with pytest.raises(LoredexError):
        lost.client.batch([create("x"), create("y")], on_progress=told.append)
    assert [statuses(step.results) for step in told] == [[200, 429]]
    for strange in (answered(OK), httpx.Response(200, json={"success": True}), answered(OK, 7), httpx.Response(200, json=[1])):
        with pytest.raises(LoredexError, match="one result for each operation"):
            Script([strange]).client.batch([create("x"), create("y")])


def test_is_finished_by_a_server_as_its_window_empties(server: Server, new_key: Callable[..., str]) -> None:
    key = new_key("--rate", "50")
    # A minute is too long for a test: what is tried is that the wait is asked for, and the write sent again.
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)

    with LoredexClient(server.url, key, sleep=sleep, attempts_max=2) as client:
        results = client.batch([create("a" * 47), create("b" * 47)])
        assert (statuses(results), len(waits)) == ([200, 429], 1)
        assert 59 <= results[1].get("retryAfter", 0) <= 60 and 59 <= waits[0] <= 66


def test_waits_in_asyncio_too() -> None:
    answers = [answered(OK, late(7)), answered(OK)]
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def story() -> None:
        transport = httpx.MockTransport(lambda _: answers.pop(0))
        async with AsyncLoredexClient("http://a.test", "k", transport=transport, sleep=sleep) as client:
            assert statuses(await client.batch([create("x"), create("y")], wait_seconds_max=10)) == [200, 200]

    asyncio.run(story())
    assert len(waits) == 1 and 7 <= waits[0] <= 7.7
