"""Content kept in step."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from loredex_client import LoredexClient, LoredexError, MetadataValue, NewArticle, SyncOutcome, SyncStep

from .conftest import Server

NewKey = Callable[..., str]


def doc(external_id: MetadataValue, body: str, **metadata: MetadataValue) -> NewArticle:
    return {"title": f"Title of {external_id}", "body": body, "metadata": {"externalId": external_id, **metadata}}


def counts(client: LoredexClient, articles: list[NewArticle], **options: bool) -> tuple[int, int, int, int]:
    remove, dry_run = options.get("remove", False), options.get("dry_run", False)
    outcome = client.sync(articles, by="externalId", remove=remove, dry_run=dry_run)
    assert outcome.problems == []
    return outcome.created, outcome.updated, outcome.removed, outcome.unchanged


def test_creates_does_nothing_updates_and_removes(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        by_hand = client.create_article({"title": "Written by hand", "body": "Leave me alone."}).article["id"]
        docs = [doc("1", "one"), doc("2", "two"), doc(1, "number"), doc(True, "yes")]
        assert counts(client, docs, dry_run=True) == (4, 0, 0, 0)
        assert len(list(client.list_articles())) == 1
        assert counts(client, docs) == (4, 0, 0, 0)
        assert counts(client, docs[::-1], remove=True) == (0, 0, 0, 4)
        changed = [doc("1", "one, and more"), docs[1]]
        assert counts(client, changed) == (0, 1, 0, 1)
        kept = client.sync(changed, by="externalId", remove=True, keep=[1])
        assert (kept.removed, kept.unchanged) == (1, 2)
        assert counts(client, changed, remove=True) == (0, 0, 1, 2)
        bodies = [article["body"] for article in client.list_articles()]
        assert bodies == ["Leave me alone.", "one, and more", "two"]
        assert client.get_article(by_hand).article["body"] == "Leave me alone."


def test_sources_share_a_bot_and_nothing_is_emptied_by_mistake(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        folders: list[MetadataValue] = ["7", 7]
        for folder in folders:
            steps: list[SyncStep] = []
            outcome = client.sync(
                [doc("1", f"of {folder!r}", folder=folder)],
                by="externalId",
                where={"folder": folder},
                remove=True,
                on_progress=steps.append,
            )
            assert outcome.created == 1 and steps == [SyncStep("create", "1", 0, 1)]
        with pytest.raises(LoredexError, match="would be deleted"):
            client.sync([], by="externalId", where={"folder": 7}, remove=True)
        client.sync([], by="externalId", where={"folder": 7}, remove=True, allow_empty=True)
        assert [article["body"] for article in client.list_articles()] == ["of '7'"]


def test_two_at_once_make_one_article_of_each(server: Server, new_key: NewKey) -> None:
    key, where = new_key(), {"folder": "a"}
    docs = [doc(str(n), f"text {n}", folder="a") for n in range(3)]
    both_have_listed = threading.Barrier(2, timeout=60)

    class Racing(httpx.HTTPTransport):
        """Neither writes before both have read the list, so that both mean to create all."""

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = super().handle_request(request)
            if request.method == "GET":
                both_have_listed.wait()
            return answer

    def racing() -> SyncOutcome:
        with LoredexClient(server.url, key, transport=Racing()) as client:
            return client.sync(docs, by="externalId", where=where, remove=True)

    with LoredexClient(server.url, key) as client:
        client.create_article(doc("0", "of b", folder="b"))
        with ThreadPoolExecutor() as threads:
            outcomes = [one.result() for one in [threads.submit(racing), threads.submit(racing)]]
        assert [one.created + one.updated for one in outcomes] == [3, 3]
        assert sum(one.created for one in outcomes) == 3
        assert sorted(article["body"] for article in client.list_articles()) == ["of b", "text 0", "text 1", "text 2"]


def test_names_what_cannot_fit_and_goes_on(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key("--quota", "300", "--rate", "200")) as client:
        docs = [doc("a", "x" * 500), doc("b", ""), doc("c", "x" * 220), doc("d", "fits")]
        outcome = client.sync(docs, by="externalId")
        assert outcome.created == 1
        assert [(problem.value, problem.error.status) for problem in outcome.problems] == [("a", 422), ("b", 400), ("c", 429)]


def test_refuses_what_cannot_be_found_again(server: Server, new_key: NewKey) -> None:
    with LoredexClient(server.url, new_key()) as client:
        for docs in ([doc("1", "x"), doc("1", "y")], [doc("1", "x"), NewArticle(title="None", body="x")]):
            with pytest.raises(LoredexError):
                client.sync(docs, by="externalId")
        assert list(client.list_articles()) == []
