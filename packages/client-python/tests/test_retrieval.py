"""The texts that retrievers of frameworks are given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from loredex_client import (
    AsyncLoredexClient,
    LoredexClient,
    LoredexError,
    MetadataValue,
    NewArticle,
    RetrievedText,
    Retriever,
    _retrieval,
)

from .conftest import Server

NewKey = Callable[..., str]
BODY = "# Refunds\n\nYou get your money back within 14 days.\n\nSale items are exchanged, and no money comes back.\n"
REFUNDS: NewArticle = {
    "title": "Refunds",
    "body": BODY,
    "source": "https://example.com/refunds",
    "metadata": {"team": "billing", "score": "mine"},
}
DELIVERY: NewArticle = {"title": "Delivery", "body": "Parcels and money arrive on the next day.", "metadata": {"team": "parcels"}}


@pytest.fixture
def key(filled_key: NewKey) -> str:
    return filled_key(REFUNDS, DELIVERY)


def test_each_part_is_a_text_with_its_lines_and_where_it_is_from(server: Server, key: str) -> None:
    texts = Retriever(server.url, key).retrieve("money back")
    first = texts[0]
    id = first.document_id
    assert first == RetrievedText(
        id=f"{id}#L3-L3",
        text="You get your money back within 14 days.",
        score=first.score,
        document_id=id,
        metadata={
            "title": "Refunds",
            "team": "billing",
            "document_id": id,
            "document_type": "EXTERNAL",
            "source": "https://example.com/refunds",
            "url": "https://example.com/refunds",
            # Ours, and not the article's own of the same name.
            "score": first.score,
            "lines": [[3, 3]],
        },
    )
    for text in texts:
        [[start, stop]] = _lines(text)
        body = BODY if text.document_id == id else str(DELIVERY["body"])
        assert text.text == "\n".join(body.split("\n")[start - 1 : stop])
    assert len(texts) == len({text.id for text in texts}) == 3
    assert [text.score for text in texts] == sorted((text.score for text in texts), reverse=True)
    other = next(text for text in texts if text.document_id != id)
    assert (other.metadata["source"], "url" in other.metadata) == (other.document_id, False)


def test_top_k_and_score_min_count_texts(server: Server, key: str) -> None:
    texts = Retriever(server.url, key).retrieve("money back")
    assert Retriever(server.url, key, top_k=2).retrieve("money back") == texts[:2]
    assert Retriever(server.url, key, score_min=texts[1].score).retrieve("money back") == texts[:2]
    assert Retriever(server.url, key, score_min=1).retrieve("money back") == []


def test_whole_documents_have_the_lines_of_all_parts(server: Server, key: str) -> None:
    filters = {"metaData.team": "billing"}
    [whole] = Retriever(server.url, key, content="whole", filters=filters).retrieve("money back")
    assert (whole.id, whole.text, whole.metadata["lines"]) == (whole.document_id, BODY, [[3, 3], [5, 5]])
    [best, _] = Retriever(server.url, key, filters=filters).retrieve("money back")
    assert whole.score == best.score


def test_sections_have_their_headings_and_the_lines_of_all_parts_in_them(server: Server, key: str) -> None:
    filters = {"metaData.team": "billing"}
    [section] = Retriever(server.url, key, content="sections", filters=filters).retrieve("money back")
    assert section.id == f"{section.document_id}#L1-L6"
    assert (section.text, section.metadata["lines"], section.metadata["headings"]) == (BODY, [[3, 3], [5, 5]], ["Refunds"])
    passages = Retriever(server.url, key, content="passages", context_characters=50, filters=filters).retrieve("money back")
    assert [passage.metadata["lines"] for passage in passages] == [[[3, 3]], [[5, 5]]]
    assert all(len(passage.text) <= 50 or passage.text in BODY.split("\n") for passage in passages)


def test_the_same_in_asyncio_in_one_loop_after_the_other(server: Server, key: str) -> None:
    retriever = Retriever(server.url, key)
    wanted = retriever.retrieve("money back")

    async def twice() -> list[list[RetrievedText]]:
        return list(await asyncio.gather(retriever.aretrieve("money back"), retriever.aretrieve("money back")))

    for _ in range(3):
        assert asyncio.run(twice()) == [wanted, wanted]
    assert len(retriever._async_clients) == 1

    async def closed() -> None:
        assert await retriever.aretrieve("money back") == wanted
        await retriever.aclose()
        assert len(retriever._async_clients) == 0

    asyncio.run(closed())



@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"top_k": 0}, "top_k must be a whole number from 1 to 100: 0"),
        ({"top_k": 101}, "top_k must be a whole number from 1 to 100: 101"),
        ({"top_k": True}, "top_k must be a whole number from 1 to 100: True"),
        ({"score_min": -0.1}, "score_min must be a number from 0 to 1: -0.1"),
        ({"score_min": float("nan")}, "score_min must be a number from 0 to 1: nan"),
        ({"content": "lines"}, "content must be one of parts, passages, sections, pages, whole: 'lines'"),
        ({"context_characters": 0}, "context_characters must be a whole number from 1 to 20000: 0"),
        ({"context_characters": 20_001}, "context_characters must be a whole number from 1 to 20000: 20001"),
        ({"context_characters": True}, "context_characters must be a whole number from 1 to 20000: True"),
    ],
)
def test_refuses_what_is_out_of_range(options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError) as caught:
        Retriever("http://127.0.0.1:1", "key", **options)  # type: ignore[arg-type]
    assert str(caught.value) == said


def test_refuses_a_wrong_address_at_once() -> None:
    with pytest.raises(ValueError, match="base_url must be an http or https address"):
        Retriever("127.0.0.1:8080", "key")


def test_says_what_was_wrong_with_a_question(server: Server, key: str) -> None:
    with pytest.raises(LoredexError, match="^query must have at least 1 character$"):
        Retriever(server.url, key).retrieve("")
    with pytest.raises(LoredexError, match="^query must have at most 4,?096 characters$"):
        Retriever(server.url, key).retrieve("x" * 4097)
    with pytest.raises(LoredexError, match="A valid API key is required") as caught:
        Retriever(server.url, "nobody").retrieve("money")
    assert caught.value.status == 401


def test_asks_as_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def search(_client: LoredexClient, query: str, **options: object) -> list[object]:
        asked.append((query, options))
        return []

    async def search_async(_client: AsyncLoredexClient, query: str, **options: object) -> list[object]:
        return search(LoredexClient("http://a.test", "k"), query, **options)

    monkeypatch.setattr(LoredexClient, "search", search)
    monkeypatch.setattr(AsyncLoredexClient, "search", search_async)
    filters: dict[str, MetadataValue] = {"type": "QNA"}
    retriever = Retriever(
        "http://a.test", "k", top_k=7, content="whole", filters=filters, include_faqs=False, only_active_intents=True
    )
    # What it was given is its own.
    filters["status"] = "active"
    assert retriever.retrieve("a") == asyncio.run(retriever.aretrieve("a")) == []
    no_context = {"context": None, "context_characters": None}
    asked_for = {"top_k": 7, "include_faqs": False, "include_content": True, "only_active_intents": True}
    told = {"filters": {"type": "QNA"}, **asked_for, **no_context}
    assert asked == [("a", told), ("a", told)]
    Retriever("http://a.test", "k").retrieve("b")
    by_default = {"filters": {}, "top_k": 4, "include_faqs": None, "include_content": False, "only_active_intents": None}
    assert asked[2] == ("b", {**by_default, **no_context})
    Retriever("http://a.test", "k", content="pages", context_characters=300).retrieve("c")
    assert asked[3] == ("c", {**by_default, "context": "page", "context_characters": 300})


def _result(id: str, *parts: tuple[float, int, int]) -> dict[str, object]:
    quotes = [{"text": f"{id} {start}", "similarity": score, "start": start, "stop": stop} for score, start, stop in parts]
    fields = {"resourceDocId": id, "type": "PDF", "status": "active", "metaData": {}, "content": [{"md": "a"}, {"md": "b"}]}
    return {**fields, "bestMatchScore": parts[0][0], "similarTextParts": quotes}


def _answering(monkeypatch: pytest.MonkeyPatch, answer: object) -> None:
    monkeypatch.setattr(LoredexClient, "search", lambda *_given, **_options: answer)


def test_the_best_texts_come_first_whichever_document_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    _answering(monkeypatch, [_result("a", (0.9, 7, 8), (0.3, 1, 1)), _result("b", (0.8, 1, 1), (0.3, 5, 5))])
    texts = Retriever("http://a.test", "k").retrieve("a")
    assert [text.id for text in texts] == ["a#L7-L8", "b#L1-L1", "a#L1-L1", "b#L5-L5"]
    whole = Retriever("http://a.test", "k", content="whole").retrieve("a")
    assert [(text.text, text.score, text.metadata["lines"]) for text in whole] == [
        ("a\nb", 0.9, [[1, 1], [7, 8]]),
        ("a\nb", 0.8, [[1, 1], [5, 5]]),
    ]


@pytest.mark.parametrize("answer", [None, {"data": []}, [1], [{}], [{**_result("a", (1, 1, 1)), "similarTextParts": [{}]}]])
def test_an_answer_of_something_else_is_an_error_that_says_so(answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    _answering(monkeypatch, answer)
    with pytest.raises(LoredexError, match="The answer is not as Loredex gives it"):
        Retriever("http://a.test", "k").retrieve("a")


def test_hands_on_the_options_of_the_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    class Recorded:
        def __init__(self, *address: str, **options: object) -> None:
            made.append((address, options))

        async def search(self, _query: str, **_options: object) -> list[object]:
            return []

    monkeypatch.setattr(_retrieval, "LoredexClient", Recorded)
    monkeypatch.setattr(_retrieval, "AsyncLoredexClient", Recorded)
    retriever = Retriever("http://a.test", "k", attempts_max=2, wait_seconds_max=3, timeout_seconds=4)
    asyncio.run(retriever.aretrieve("a"))
    assert made == 2 * [(("http://a.test", "k"), {"attempts_max": 2, "wait_seconds_max": 3, "timeout_seconds": 4})]


def _lines(text: RetrievedText) -> list[list[int]]:
    lines = text.metadata["lines"]
    assert isinstance(lines, list)
    return lines
