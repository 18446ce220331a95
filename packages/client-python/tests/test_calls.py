"""Every call, against a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from loredex_client import AsyncLoredexClient, LoredexClient, LoredexError, MetadataValue, NewArticle, where

from .conftest import Server

NewKey = Callable[..., str]
REFUNDS: NewArticle = {"title": "Refunds", "body": "A refund takes three working days.", "metadata": {"team": "billing"}}


def test_creates_gets_updates_searches_and_deletes(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        made = client.create_article(REFUNDS)
        assert made.character_used == made.article["characterCount"]
        assert client.wait_until_active(made.article["id"])["status"] == "active"
        id = made.article["id"]

        [found] = client.search("refund", top_k=1, include_content=True, filters={"metaData.team": "billing"})
        assert (found["resourceDocId"], found["content"]) == (id, [{"md": REFUNDS["body"]}])
        assert client.search("refund", filters={"metaData.team": "sales"}) == []
        some = where.or_(where.contains("metaData.team", "ill"), where.exists("metaData.year"))
        assert len(client.search("refund", filters=some)) == 1
        assert client.search("refund", filters=where.not_(some)) == []
        with pytest.raises(LoredexError) as caught:
            client.search("refund", filters=where.gte("metaData.year", "soon"))
        assert [each["field"] for each in caught.value.violations] == ["filters.metaData.year.gte"]

        [found] = client.search("refund", context="section", context_characters=100, min_score=0.01)
        [part] = found["similarTextParts"]
        assert part["context"] == {"text": REFUNDS["body"], "start": 1, "stop": 1, "headings": []}
        assert client.search("refund", offset=1) == client.search("refund", min_score=0.999) == []
        with pytest.raises(LoredexError) as caught:
            client.search("refund", offset=100, context_characters=0)
        assert sorted(each["field"] for each in caught.value.violations) == ["options.contextCharacters", "options.offset"]

        got = client.get_article(id)
        assert client.get_article_if_changed(id, got.etag) is None
        changed = client.update_article(id, {"body": "Two days."}, if_match=got.etag)
        newer = client.get_article_if_changed(id, got.etag)
        assert newer is not None and newer.article["body"] == changed.article["body"] == "Two days."
        for refused in (
            lambda: client.update_article(id, {"body": "One."}, if_match=got.etag),
            lambda: client.delete_article(id, if_match=got.etag),
        ):
            with pytest.raises(LoredexError) as caught:
                refused()
            assert (caught.value.status, caught.value.code) == (412, 20004)

        client.delete_article(id)
        with pytest.raises(LoredexError) as caught:
            client.get_article(id)
        assert (caught.value.status, caught.value.code) == (404, 20001)


def test_lists_page_by_page_by_id_title_and_metadata(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        ids: list[str] = []
        for n in range(5):
            metadata: dict[str, MetadataValue] = {"even": n % 2 == 0, "number": float(n), "a&b=c": "ä ?+"}
            ids.append(client.create_article({"title": f"Title {n % 2}", "body": "x", "metadata": metadata}).article["id"])
        all_ids = [article["id"] for article in client.list_articles(page_size=2)]
        assert all_ids == ids
        even = client.list_articles(metadata={"even": True, "a&b=c": "ä ?+"}, page_size=1)
        assert [article["id"] for article in even] == [ids[0], ids[2], ids[4]]
        assert [article["id"] for article in client.list_articles(metadata={"number": 3.0})] == [ids[3]]
        assert [article["id"] for article in client.list_articles(title="Title 1", id=ids[1])] == [ids[1]]
        assert list(client.list_articles(title="Title 0", id=ids[1])) == []
        first = client.get_articles_page(metadata={"even": True}, limit=2)
        second = client.get_articles_page(metadata={"even": True}, limit=2, after=first.next)
        assert [[article["id"] for article in page.articles] for page in (first, second)] == [[ids[0], ids[2]], [ids[4]]]
        assert second.next is None


def test_queries_and_sorts(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        for team in ("sales", "billing", "billing"):
            made = client.create_article({"title": f"Refunds {team}", "body": REFUNDS["body"], "metadata": {"team": team}})
            client.wait_until_active(made.article["id"])
        results = client.search("refund", top_k=2)
        plain = client.query("refund", top_k=2)
        assert (plain.results, plain.total, plain.facets, plain.groups) == (results, 3, None, None)
        answer = client.query("refund", facets=("metaData.team",), group_by="metaData.team", group_size=1)
        assert answer.facets == {"metaData.team": [{"value": "billing", "count": 2}, {"value": "sales", "count": 1}]}
        assert sorted((str(group["value"]), len(group["results"])) for group in answer.groups or []) == [("billing", 1), ("sales", 1)]
        with pytest.raises(LoredexError) as caught:
            client.query("refund", group_size=2)
        assert [each["field"] for each in caught.value.violations] == ["options.groupBy"]
        titles = [article["title"] for article in client.list_articles(sort="title:asc", page_size=1)]
        assert titles == ["Refunds billing", "Refunds billing", "Refunds sales"]
        first = client.get_articles_page(sort="createdAt:desc", limit=2)
        last = client.get_articles_page(sort="createdAt:desc", limit=2, after=first.next)
        assert [article["title"] for article in last.articles] == ["Refunds sales"]

    async def same() -> None:
        async with AsyncLoredexClient(server.url, new_key()) as own:
            assert (await own.query("refund", facets=["type"])).facets == {"type": []}
            assert [article async for article in own.list_articles(sort="updatedAt:desc")] == []

    asyncio.run(same())


def test_tells_what_is_used(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key("--quota", "1000", "--rate", "500")) as client:
        client.create_article({"title": "Refunds", "body": str(REFUNDS["body"])})
        usage = client.usage()
        assert (usage["characterUsed"], usage["characterQuota"], usage["characterLeft"]) == (41, 1000, 959)
        assert (usage["rate"]["charactersPerMinute"], usage["rate"]["used"], usage["embedder"]) == (500, 41, None)
        assert 0 < usage["rate"]["resetSeconds"] <= 60
        assert usage["documents"] == {"WEBPAGE": 0, "PDF": 0, "DOCUMENT": 0, "TABLE": 0, "QNA": 0, "EXTERNAL": 1}


def test_suggests_texts_that_continue_what_was_typed(server: Server, new_key: NewKey) -> None:
    key = new_key()
    with LoredexClient(server.url, key) as client:
        id = client.create_article({"title": "Refunds", "body": "Text.\n\n## Refunds abroad\n\nText."}).article["id"]
        client.wait_until_active(id)
        first = {"text": "Refunds", "resourceDocId": id, "kind": "title"}
        assert client.suggest("réf") == [first, {"text": "Refunds abroad", "resourceDocId": id, "kind": "heading"}]
        assert client.suggest("refnud", limit=1) == [first]
        with pytest.raises(LoredexError) as caught:
            client.suggest("", limit=21)
        assert [each["field"] for each in caught.value.violations] == ["prefix", "limit"]

    async def suggested() -> None:
        async with AsyncLoredexClient(server.url, key) as client:
            assert await client.suggest("refnud", limit=1) == [first]

    asyncio.run(suggested())


def test_says_whether_an_answer_helped(server: Server, new_key: NewKey) -> None:
    key = new_key("--question-log")
    with LoredexClient(server.url, key) as client:
        client.search("refunds", request_id="search-1")
        client.query("refunds", request_id="query-1")
        client.feedback("search-1", False, resource_doc_id="a", comment="no")
        client.feedback("query-1", True)
        with pytest.raises(LoredexError) as caught:
            client.feedback("other", True)
        assert (caught.value.status, caught.value.code) == (404, 20008)

    async def given() -> None:
        async with AsyncLoredexClient(server.url, key) as client:
            await client.search("refunds", request_id="search-2")
            await client.feedback("search-2", True)

    asyncio.run(given())


def test_previews_and_batches(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key("--quota", "1000")) as client:
        foreseen = client.preview({"title": "Refunds", "body": REFUNDS["body"]})
        assert (foreseen["charge"], foreseen["characterLeft"], foreseen["waitSeconds"]) == (41, 959, 0)
        article: NewArticle = {**REFUNDS, "metadata": {"externalId": "a"}}
        results = client.batch(
            [
                {"op": "upsert", "by": "externalId", "article": article},
                {"op": "upsert", "by": "externalId", "article": article},
                {"op": "create", "article": {"title": "x", "body": "y"}},
                {"op": "delete", "id": "0" * 24},
            ]
        )
        assert [result["status"] for result in results] == [200, 200, 400, 404]
        assert len(list(client.list_articles())) == 1


def test_says_what_was_wrong(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key("--quota", "100", "--rate", "50")) as client:
        with pytest.raises(LoredexError) as caught:
            client.create_article({"title": "Hi", "body": "", "source": "no"})
        assert (caught.value.status, caught.value.code) == (400, 1001)
        assert [violation["field"] for violation in caught.value.violations] == ["title", "body", "source"]
        assert caught.value.request_id
        with pytest.raises(LoredexError) as caught:
            client.create_article({"title": "Title", "body": "x" * 100})
        assert (caught.value.status, caught.value.code) == (422, 30001)
        # More than any minute allows: no wait can help.
        with pytest.raises(LoredexError, match="can never be admitted") as caught:
            client.create_article({"title": "Title", "body": "x" * 60})
        assert (caught.value.status, caught.value.retry_after_seconds) == (429, None)
    with LoredexClient(server.url, "nobody") as stranger, pytest.raises(LoredexError) as caught:
        stranger.search("a")
    assert (caught.value.status, caught.value.code, caught.value.violations) == (401, 10001, [])


def test_creates_once_for_one_key_of_the_callers(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        first = client.create_article(REFUNDS, idempotency_key="one")
        assert client.create_article(REFUNDS, idempotency_key="one").article["id"] == first.article["id"]
        assert len(list(client.list_articles())) == 1


def test_all_of_it_in_asyncio(server: Server, new_key: NewKey) -> None:
    async def story() -> None:
        async with AsyncLoredexClient(server.url, new_key()) as client:
            made = await client.create_article(REFUNDS)
            id = made.article["id"]
            assert (await client.wait_until_active(id))["status"] == "active"
            got = await client.get_article(id)
            assert await client.get_article_if_changed(id, got.etag) is None
            assert [found["resourceDocId"] for found in await client.search("refund", top_k=1)] == [id]
            assert (await client.update_article(id, {"body": "Two."}, if_match=got.etag)).article["body"] == "Two."
            assert (await client.preview({"id": id, "title": "Refund"}))["charge"] == 0
            assert [result["status"] for result in await client.batch([{"op": "delete", "id": "0" * 24}])] == [404]
            assert [article["id"] async for article in client.list_articles(page_size=1)] == [id]
            assert [article["id"] for article in (await client.get_articles_page(title="Refunds")).articles] == [id]
            outcome = await client.sync([{"title": "One", "body": "1", "metadata": {"team": "billing"}}], by="team")
            assert outcome.updated == 1
            await client.delete_article(id)
            with pytest.raises(LoredexError):
                await client.get_article(id)

    asyncio.run(story())
