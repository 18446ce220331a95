"""The calls of the admin API, against a server with --console."""

from __future__ import annotations

import asyncio
import inspect
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from loredex_client import AsyncLoredexAdmin, LoredexAdmin, LoredexClient, LoredexError, NewArticle

from .conftest import Server

NewKey = Callable[..., str]
REFUNDS: NewArticle = {"title": "Refunds", "body": "A refund takes three working days."}


@pytest.fixture
def admin(server: Server, new_admin_key: NewKey) -> Iterator[LoredexAdmin]:
    with LoredexAdmin(server.url, new_admin_key()) as client:
        yield client


@pytest.fixture
def bot(admin: LoredexAdmin, bots: Iterator[int]) -> str:
    return admin.create_bot(f"of admin {next(bots)}", {"embedder": "none", "questionLog": True})["bot"]["name"]


def calls_of(client: type) -> dict[str, Any]:
    names = set(dir(client)) - {"close"}
    return {name: getattr(client, name) for name in names if not name.startswith("_")}


VALUES: dict[str, Any] = {
    "active": True,
    "addresses": ["a"],
    "article": REFUNDS,
    "backup": b"x",
    "changes": {},
    "content": b"x",
    "filters": {},
    "settings": {},
    "timeout_seconds": 1,
    "vocabulary": {},
}


def arguments_of(call: Callable[..., Any], *, is_whole: bool) -> dict[str, Any]:
    """Some value for each parameter that is needed, and if it is whole for the others too."""
    parameters = [each for each in inspect.signature(call).parameters.values() if each.name != "self"]
    names = [each.name for each in parameters if is_whole or each.default is each.empty]
    return {name: VALUES.get(name, f"<{name}>") for name in names}


def test_has_a_call_for_every_operation_but_those_of_sessions(server: Server, admin: LoredexAdmin) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    paths = document["paths"].items()
    operations = {(method, path) for path, methods in paths for method in methods if "/admin/" in path and method != "parameters"}
    templates = {(method, path) for method, path in operations if not path.endswith("/session")}
    sent: set[tuple[str, str]] = set()

    def noted(request: httpx.Request) -> httpx.Response:
        parts = request.url.path.removeprefix("/api/v1").split("/")
        fixed = {part for _, path in templates for part in path.split("/")}
        sent.add((request.method.lower(), "/api/v1" + "/".join(part if part in fixed else "{}" for part in parts)))
        return httpx.Response(404)

    with LoredexAdmin(server.url, "key", transport=httpx.MockTransport(noted)) as client:
        for name, call in calls_of(LoredexAdmin).items():
            with pytest.raises(LoredexError):
                # Some calls are iterators, which send nothing until they are read.
                list(getattr(client, name)(**arguments_of(call, is_whole=False)) or ())
    without_names = {(method, "/".join("{}" if part.startswith("{") else part for part in path.split("/"))) for method, path in templates}
    assert sent == without_names


def test_both_clients_have_the_same_calls() -> None:
    sync, other = calls_of(LoredexAdmin), calls_of(AsyncLoredexAdmin)
    assert set(sync) == set(other)
    for name, call in sync.items():
        mine, its = inspect.signature(call), inspect.signature(other[name])
        assert mine.parameters == its.parameters, name
        assert mine.return_annotation == its.return_annotation.replace("AsyncIterator", "Iterator"), name
        assert str(call.__doc__) == str(other[name].__doc__).replace("aclose", "close"), name


@pytest.mark.parametrize("is_whole", [False, True])
def test_both_clients_send_the_same(is_whole: bool) -> None:
    sent: dict[str, list[object]] = {}
    calls = {name: arguments_of(call, is_whole=is_whole) for name, call in calls_of(LoredexAdmin).items()}

    def transport_of(client: str) -> httpx.MockTransport:
        def noted(request: httpx.Request) -> httpx.Response:
            sent.setdefault(client, []).append((request.method, request.url, request.headers, request.content))
            return httpx.Response(404)

        return httpx.MockTransport(noted)

    async def awaited() -> None:
        async with AsyncLoredexAdmin("http://127.0.0.1:1", "key", transport=transport_of("async")) as client:
            for name, arguments in calls.items():
                with pytest.raises(LoredexError):
                    answer = getattr(client, name)(**arguments)
                    [each async for each in answer] if inspect.isasyncgen(answer) else await answer

    with LoredexAdmin("http://127.0.0.1:1", "key", transport=transport_of("sync")) as client:
        for name, arguments in calls.items():
            with pytest.raises(LoredexError):
                list(getattr(client, name)(**arguments))
    asyncio.run(awaited())
    assert len(sent["sync"]) == len(calls)
    assert sent["async"] == sent["sync"]


def test_manages_bots_keys_agents_and_channels(server: Server, admin: LoredexAdmin, bots: Iterator[int]) -> None:
    name = f"a/b ä {next(bots)}"
    made = admin.create_bot(name, {"embedder": "none"})
    assert name in [each["name"] for each in admin.list_bots()]
    assert admin.set_bot(name, {"quotaCharacters": 5_000})["quotaCharacters"] == 5_000
    assert admin.show_bot(made["bot"]["id"])["bot"]["quotaCharacters"] == 5_000

    key = admin.add_key(name, "shop", scope="search", origins=["https://example.com"], requests_per_minute=9)
    listed = [each for each in admin.list_keys(name) if each["name"] == "shop"]
    assert listed == [{"name": "shop", "scope": "search", "origins": ["https://example.com"], "requestsPerMinute": 9}]
    rotated = admin.rotate_key(name, "shop")
    with LoredexClient(server.url, rotated) as client:
        assert client.search("refund") == [] and key != rotated
    admin.revoke_key(name, "shop")
    assert "shop" not in [each["name"] for each in admin.list_keys(name)]

    admin.put_channel(name, "web", True)
    admin.put_agent(name, "an/na", False)
    assert admin.list_channels(name) == [{"name": "web", "active": True}]
    assert admin.list_agents(name) == [{"name": "an/na", "active": False}]
    assert admin.list_agent_articles(name, "an/na") == []
    admin.remove_agent(name, "an/na")
    admin.remove_channel(name, "web")
    assert admin.list_agents(name) == admin.list_channels(name) == []

    admin.remove_bot(name)
    with pytest.raises(LoredexError) as caught:
        admin.show_bot(name)
    assert (caught.value.status, caught.value.code) == (404, 20007)
    changes = admin.list_changes(limit=2)
    assert (len(changes.changes), changes.next is None) == (2, False)
    assert admin.list_changes(limit=1, before=changes.next).changes[0] not in changes.changes
    assert admin.status()["condition"]["canWrite"] is True


def test_writes_articles_searches_and_explains(admin: LoredexAdmin, bot: str) -> None:
    assert admin.preview_article(bot, {"title": "Refunds", "body": REFUNDS["body"]})["charge"] == admin.create_article(bot, REFUNDS).character_used
    [article] = admin.list_articles(bot)
    id = article["id"]
    while admin.get_article(bot, id).article["status"] != "active":
        time.sleep(0.02)
    got = admin.get_article(bot, id)
    changed = admin.update_article(bot, id, {"body": "A refund takes two days."}, if_match=got.etag)
    while admin.get_article(bot, id).article["status"] != "active":
        time.sleep(0.02)
    for refused in (
        lambda: admin.update_article(bot, id, {"body": "One."}, if_match=got.etag),
        lambda: admin.delete_article(bot, id, if_match=got.etag),
    ):
        with pytest.raises(LoredexError) as caught:
            refused()
        assert caught.value.status == 412
    assert admin.get_document(bot, id)["resourceDocId"] == changed.article["id"]
    assert [row["title"] for row in admin.list_documents(bot, limit=1, type="EXTERNAL", sort="title:asc", search="ref").rows] == ["Refunds"]
    assert admin.list_documents(bot, offset=1).total == 1
    assert admin.usage(bot)["documents"]["EXTERNAL"] == 1

    [found] = admin.search(bot, "refund", quality="fast", top_k=1, include_content=True)
    assert (found["resourceDocId"], found["content"]) == (id, [{"md": "A refund takes two days."}])
    assert admin.search(bot, "refund", filters={"type": "PDF"}) == []
    assert [each["resourceDocId"] for each in admin.search(bot, "refund", quality="words")] == [id]
    assert admin.query(bot, "refund", facets=["type"]).facets == {"type": [{"value": "EXTERNAL", "count": 1}]}
    assert admin.suggest(bot, "ref", limit=1)[0]["text"] == "Refunds"
    assert admin.explain(bot, "refund", id, options={"topK": 3})["rank"] == 1
    tag = admin.set_vocabulary(bot, {"synonyms": ["money back, refund"]})
    versioned = admin.get_vocabulary(bot)
    vocabulary = versioned.vocabulary
    assert versioned.etag == tag
    admin.set_vocabulary(bot, {**vocabulary, "ignored": ["please"]}, if_match=tag)
    with pytest.raises(LoredexError) as caught:
        admin.set_vocabulary(bot, {"ignored": []}, if_match=tag)
    assert (caught.value.status, caught.value.code) == (412, 20019)
    assert (vocabulary["synonyms"], vocabulary["pins"], vocabulary["ignored"]) == (["money back, refund"], [], [])

    admin.delete_article(bot, id)
    again = admin.create_article(bot, {"title": "Refunds", "body": "A refund takes two days."}, undo=True)
    assert again.article["id"] != id


def test_uploads_files_with_progress_and_removes_them(admin: LoredexAdmin, bot: str, tmp_path: Path) -> None:
    file = tmp_path / "delivery.md"
    file.write_text("front\n# Delivery\n\nWe deliver within two days.\n", "utf-8")
    seen: list[str] = []
    with file.open("rb") as content:
        content.readline()
        job = admin.upload_file(bot, "delivery.md", content, source="docs")
        ended = admin.wait_for_job(bot, job["id"], on_progress=lambda each: seen.append(each["state"]))
    assert (ended["state"], ended["kind"], seen[-1]) == ("done", "upload", "done")
    reports = ended.get("report")
    assert isinstance(reports, list)
    [report] = reports
    assert (report["file"], report["imported"], report["problems"]) == ("delivery.md", 1, [])
    [row] = admin.list_documents(bot).rows
    stored = admin.get_document(bot, row["id"])
    # The file is sent from where it stood.
    assert "Delivery" in str(stored["content"]) and "front" not in str(stored["content"])
    admin.set_document_status(bot, row["id"], "inactive")
    assert [each["id"] for each in admin.list_documents(bot, status="inactive").rows] == [row["id"]]
    assert [each["id"] for each in admin.list_jobs(bot)] == [job["id"]]
    assert [source["name"] for source in admin.list_sources(bot)] == ["docs"]
    assert admin.remove_source(bot, "docs") == 1
    ended = admin.wait_for_job(bot, admin.upload_file(bot, "one.md", b"# One\n\nText.\n")["id"])
    [row] = admin.list_documents(bot).rows
    admin.remove_document(bot, row["id"])
    with pytest.raises(LoredexError) as caught:
        admin.get_document(bot, row["id"])
    assert (caught.value.status, caught.value.code) == (404, 20011)
    with pytest.raises(LoredexError) as caught:
        admin.import_addresses(bot, [], source="web")
    assert [each["field"] for each in caught.value.violations] == ["addresses"]


def test_measures_and_shows_what_is_missing(server: Server, admin: LoredexAdmin, bot: str) -> None:
    id = admin.create_article(bot, REFUNDS).article["id"]
    with LoredexClient(server.url, admin.add_key(bot, "shop")) as client:
        client.wait_until_active(id)
        client.search("who repairs bicycles", request_id="bicycles")
        client.feedback("bicycles", False)
    golden = admin.set_golden(bot, [{"question": "How long does a refund take?", "id": id}])
    assert golden == admin.get_golden(bot)
    admin.set_golden(bot, golden.questions, if_match=golden.etag)
    with pytest.raises(LoredexError) as caught:
        admin.set_golden(bot, [], if_match='"other"')
    assert caught.value.status == 412
    job = admin.wait_for_job(bot, admin.start_run(bot)["id"])
    [run] = admin.list_runs(bot)
    assert (job["state"], job.get("report"), run["measures"]["ndcgAt10"]) == ("done", run["id"], 1)
    assert admin.get_run(bot, run["id"])["misses"] == []

    [gap] = admin.list_gaps(bot, limit=5)
    assert (gap["question"], gap["count"], gap["unhelpful"]) == ("who repairs bicycles", 1, 1)
    [asked] = admin.list_questions(bot, limit=5)
    assert asked.get("requestId") == "bicycles" and admin.list_questions(bot, before=asked["id"]) == []
    assert admin.list_findings(bot)["weeks"][-1]["unhelpful"] == 1
    admin.clear_questions(bot)
    assert admin.list_questions(bot) == []


def test_backs_up_and_restores(admin: LoredexAdmin, bot: str, tmp_path: Path) -> None:
    admin.create_article(bot, REFUNDS)
    file = tmp_path / "bot.backup"
    with file.open("wb") as backup:
        backup.writelines(admin.back_up(bot, questions=True))
    with file.open("rb") as backup:
        restored = admin.restore(backup, name=f"{bot} again")
    assert restored.get("key") and [each["title"] for each in admin.list_articles(restored["bot"]["id"])] == ["Refunds"]
    with pytest.raises(LoredexError) as caught:
        admin.restore(file.read_bytes()[:-1], name=f"{bot} damaged")
    assert (caught.value.status, caught.value.violations[0]["field"]) == (400, "body")


def test_a_backup_that_breaks_off_is_an_error() -> None:
    def half() -> Iterator[bytes]:
        yield b"half"
        raise httpx.RemoteProtocolError("peer closed connection")

    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=half()))
    with LoredexAdmin("http://127.0.0.1:1", "key", transport=transport) as client:
        pieces = client.back_up("help")
        assert next(pieces) == b"half"
        with pytest.raises(LoredexError, match="broke off") as caught:
            next(pieces)
    assert caught.value.status is None


def test_a_refused_backup_says_why(admin: LoredexAdmin) -> None:
    with pytest.raises(LoredexError) as caught:
        next(admin.back_up("nowhere"))
    assert (caught.value.status, caught.value.code) == (404, 20007)


def test_follows_the_events(admin: LoredexAdmin, bot: str) -> None:
    events = admin.events()
    seen: dict[str, Any] = {}
    while len(seen) < 2:
        event = next(events)
        seen[event["event"]] = event["data"]
    events.close()  # type: ignore[attr-defined]
    assert bot in [each["name"] for each in seen["fleet"]["bots"]]
    assert isinstance(seen["alerts"], list)


def test_reads_events_however_they_are_cut_and_leaves_out_others() -> None:
    stream = b'retry: 1\n\n: heartbeat\n\nevent: later\ndata: {}\n\nevent: alerts\ndata: []\n\nevent: restart\ndata: {}\n\n'

    def asked(size: int, answer_bytes_max: int = 1_000) -> list[str]:
        pieces = (stream[at : at + size] for at in range(0, len(stream), size))
        transport = httpx.MockTransport(lambda request: httpx.Response(200, content=pieces))
        with LoredexAdmin("http://127.0.0.1:1", "key", transport=transport, answer_bytes_max=answer_bytes_max) as client:
            return [event["event"] for event in client.events()]

    for size in (1, 2, 3, 7, len(stream)):
        assert asked(size) == ["alerts", "restart"]
    with pytest.raises(LoredexError) as caught:
        asked(1, answer_bytes_max=10)
    assert caught.value.is_too_long


def test_sends_a_file_again_from_where_it_began() -> None:
    bodies: list[bytes] = []

    def busy_once(request: httpx.Request) -> httpx.Response:
        bodies.append(request.read())
        answer = {"success": True, "data": {"id": "1"}}
        return httpx.Response(200, json=answer) if len(bodies) > 1 else httpx.Response(503, headers={"retry-after": "0"})

    with LoredexAdmin("http://127.0.0.1:1", "key", transport=httpx.MockTransport(busy_once)) as client:
        client.upload_file("help", "a.md", io.BytesIO(b"text" * 50_000))
    assert bodies == [b"text" * 50_000] * 2


def test_a_name_that_no_path_can_hold_is_refused_before_anything_is_sent() -> None:
    def unexpected(request: httpx.Request) -> httpx.Response:
        raise AssertionError(f"{request.method} {request.url}")

    with LoredexAdmin("http://127.0.0.1:1", "key", transport=httpx.MockTransport(unexpected)) as client:
        for name in ("", ".", ".."):
            with pytest.raises(ValueError, match="name"):
                client.remove_source("help", name)


def test_sends_a_change_once_and_a_question_again() -> None:
    sent: list[str] = []

    def lost(request: httpx.Request) -> httpx.Response:
        sent.append(request.method)
        raise httpx.ReadError("lost")

    with LoredexAdmin("http://127.0.0.1:1", "key", attempts_max=2, sleep=lambda seconds: None, transport=httpx.MockTransport(lost)) as client:
        for call in (client.list_bots, lambda: client.remove_bot("help"), lambda: client.start_run("help")):
            with pytest.raises(LoredexError):
                call()
    assert sent == ["GET", "GET", "DELETE", "POST"]


def test_a_job_that_never_ends_is_given_up() -> None:
    waited: list[float] = []
    now = [0.0]

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        now[0] += seconds

    job = {"success": True, "data": {"id": "1", "state": "running", "done": 1}}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=job))
    with LoredexAdmin("http://127.0.0.1:1", "key", sleep=sleep, clock=lambda: now[0], transport=transport) as client:
        with pytest.raises(LoredexError, match="still runs after 10 s"):
            client.wait_for_job("help", "1", timeout_seconds=10)
    assert waited[:2] == [0.1, 0.2] and max(waited) == 2 and sum(waited) == pytest.approx(10)


def test_all_of_it_in_asyncio(server: Server, new_admin_key: NewKey, bots: Iterator[int], tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncLoredexAdmin(server.url, new_admin_key()) as admin:
            bot = (await admin.create_bot(f"of admin {next(bots)}", {"embedder": "none"}))["bot"]["id"]
            file = tmp_path / "a.md"
            file.write_text("# Refunds\n\nText.\n", "utf-8")
            with file.open("rb") as content:
                job = await admin.upload_file(bot, "a.md", content)
            assert (await admin.wait_for_job(bot, job["id"]))["state"] == "done"
            assert (await admin.list_documents(bot)).total == 1
            assert (await admin.search(bot, "refunds"))[0]["type"] == "DOCUMENT"
            pieces = [piece async for piece in admin.back_up(bot)]
            restored = await admin.restore(b"".join(pieces), name=f"of admin {next(bots)}")
            assert (await admin.list_documents(restored["bot"]["id"])).total == 1
            async for event in admin.events():
                # The figures of a new bot come with the next event at the latest.
                if event["event"] == "fleet" and bot in [each["id"] for each in event["data"]["bots"]]:
                    break
            with pytest.raises(LoredexError):
                [piece async for piece in admin.back_up("nowhere")]
            await admin.remove_bot(bot)

    asyncio.run(story())
