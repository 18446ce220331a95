from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from . import _admin_calls as calls
from ._admin_answers import ChangesPage, DocumentsPage, VersionedGolden, VersionedVocabulary
from ._admin_calls import Content, asked
from ._admin_events import AdminEvent, EventReader
from ._admin_types import (
    AdminBot,
    AdminBotChanges,
    AdminBotDetails,
    AdminFindings,
    AdminFleetBot,
    AdminGap,
    AdminJob,
    AdminKey,
    AdminNewBot,
    AdminQuestion,
    AdminRegistration,
    AdminRestoredBot,
    AdminRun,
    AdminRunSummary,
    AdminSource,
    AdminStatus,
    AdminVocabularyInput,
    DocumentStatus,
    DocumentType,
    GoldenQuestion,
    KeyScope,
    RowStatus,
    SearchQuality,
)
from ._calls import present, search_options
from ._connection import Connection
from ._types import (
    Article,
    ArticleChanges,
    Context,
    NewArticle,
    Preview,
    PreviewedArticle,
    QueryAnswer,
    SearchFilter,
    SearchResult,
    Suggestion,
    Usage,
    Versioned,
    Written,
)


class LoredexAdmin(Connection):
    """Client of the admin API of a server with ``--console``, for an admin key. The options are those of ``LoredexClient``.

    A ``bot`` is its id or its name. Calls raise a LoredexError for a refusal. After a lost answer only calls that change nothing are
    sent again.
    """

    def list_bots(self) -> list[AdminFleetBot]:
        """The bots that the key may see, with their figures."""
        return self._run(calls.data(self._patience, asked("GET", "bots")))

    def create_bot(self, name: str, settings: AdminBotChanges | None = None) -> AdminNewBot:
        """Creates a bot. Its key is returned here and never again."""
        return self._run(calls.data(self._patience, asked("POST", "bots", json={**(settings or {}), "name": name})))

    def show_bot(self, bot: str) -> AdminBotDetails:
        """A bot with its figures and advice."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot)))

    def set_bot(self, bot: str, changes: AdminBotChanges) -> AdminBot:
        """Changes settings: given ones replace, others stay."""
        return self._run(calls.data(self._patience, asked("PUT", "bots", bot, json=changes)))

    def remove_bot(self, bot: str) -> None:
        """Removes a bot with all its knowledge."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot)))

    def list_keys(self, bot: str) -> list[AdminKey]:
        """The keys of a bot, without their secrets."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "keys")))

    def add_key(
        self,
        bot: str,
        name: str,
        *,
        scope: KeyScope | None = None,
        origins: Sequence[str] | None = None,
        requests_per_minute: int | None = None,
    ) -> str:
        """Adds a key to a bot, and returns it: here and never again.

        ``scope``: by default ``all``. ``origins``: the pages that browsers may use it from. ``requests_per_minute``: no limit by default.
        """
        given = {"name": name, "scope": scope, "origins": origins and list(origins), "requestsPerMinute": requests_per_minute}
        return self._run(calls.field(self._patience, asked("POST", "bots", bot, "keys", json=present(given)), "key"))

    def rotate_key(self, bot: str, name: str) -> str:
        """Gives a key a new secret, and returns it. The old secret is invalid."""
        return self._run(calls.field(self._patience, asked("POST", "bots", bot, "keys", name, "rotate"), "key"))

    def revoke_key(self, bot: str, name: str) -> None:
        """Removes a key of a bot. It is invalid from now on."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot, "keys", name)))

    def list_agents(self, bot: str) -> list[AdminRegistration]:
        """The agents of a bot."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "agents")))

    def put_agent(self, bot: str, name: str, active: bool) -> None:
        """Registers an agent, or changes whether it is active."""
        self._run(calls.done(self._patience, asked("PUT", "bots", bot, "agents", name, json={"active": active})))

    def remove_agent(self, bot: str, name: str) -> None:
        """Removes an agent of a bot."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot, "agents", name)))

    def list_agent_articles(self, bot: str, name: str) -> list[Article]:
        """The articles that are attached to an agent."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "agents", name, "articles")))

    def list_channels(self, bot: str) -> list[AdminRegistration]:
        """The channels of a bot."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "channels")))

    def put_channel(self, bot: str, name: str, active: bool) -> None:
        """Registers a channel, or changes whether it is active."""
        self._run(calls.done(self._patience, asked("PUT", "bots", bot, "channels", name, json={"active": active})))

    def remove_channel(self, bot: str, name: str) -> None:
        """Removes a channel of a bot."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot, "channels", name)))

    def list_sources(self, bot: str) -> list[AdminSource]:
        """The sources of a bot's imported documents."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "sources")))

    def remove_source(self, bot: str, source: str) -> int:
        """Removes a source with its documents, and returns their number."""
        return self._run(calls.field(self._patience, asked("DELETE", "bots", bot, "sources", source), "removed"))

    def sync_source(self, bot: str, source: str) -> AdminJob:
        """Begins a job that imports a source again."""
        return self._run(calls.data(self._patience, asked("POST", "bots", bot, "sources", source, "sync")))

    def upload_file(self, bot: str, name: str, content: Content, *, source: str | None = None) -> AdminJob:
        """Begins a job that imports a file of at most 64 MiB. ``name``: its name, whose end says its kind.

        ``content``: bytes, or a file that is open in binary, which is read while it is sent. ``wait_for_job`` tells how far the job is.
        """
        sent = asked("POST", "bots", bot, "uploads", content=content, params={"name": name, "source": source})
        return self._run(calls.data(self._patience, sent))

    def import_addresses(self, bot: str, addresses: Sequence[str], *, source: str | None = None) -> AdminJob:
        """Begins a job that imports pages of the web."""
        given = present({"addresses": list(addresses), "source": source})
        return self._run(calls.data(self._patience, asked("POST", "bots", bot, "imports", json=given)))

    def list_jobs(self, bot: str) -> list[AdminJob]:
        """The last jobs of a bot that the server has run."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "jobs")))

    def get_job(self, bot: str, id: str) -> AdminJob:
        """A job as it is now."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "jobs", id)))

    def wait_for_job(
        self, bot: str, id: str, *, timeout_seconds: float = 600, on_progress: Callable[[AdminJob], None] | None = None
    ) -> AdminJob:
        """Waits until a job has ended, and returns it: its ``state`` is ``done`` or ``failed``.

        ``on_progress``: called with the job each time the server was asked, after 0.1 to 2 seconds. Raises a LoredexError if the job still
        runs after ``timeout_seconds``.
        """
        return self._run(calls.wait_for_job(self._patience, bot, id, timeout_seconds, on_progress))

    def list_documents(
        self,
        bot: str,
        *,
        offset: int | None = None,
        limit: int | None = None,
        sort: str | None = None,
        search: str | None = None,
        type: DocumentType | None = None,
        status: RowStatus | None = None,
    ) -> DocumentsPage:
        """A page of the table of all documents: articles and imported ones.

        ``offset``: rows before the page. ``limit``: most rows, 1 to 1,000; by default 200. ``sort``: by default ``updatedAt:desc``, the
        last change first. ``search``: only rows with this part in their title, id or address.
        """
        params = {"offset": offset, "limit": limit, "sort": sort, "search": search, "type": type, "status": status}
        return self._run(calls.documents(self._patience, asked("GET", "bots", bot, "documents", params=params)))

    def get_document(self, bot: str, id: str) -> dict[str, Any]:
        """An imported document as it is stored, or an article as searches return it."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "documents", id)))

    def set_document_status(self, bot: str, id: str, status: DocumentStatus) -> None:
        """Changes the status of an imported document."""
        self._run(calls.done(self._patience, asked("PUT", "bots", bot, "documents", id, "status", json={"status": status})))

    def remove_document(self, bot: str, id: str) -> None:
        """Removes an imported document."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot, "documents", id)))

    def create_article(self, bot: str, article: NewArticle, *, undo: bool = False) -> Written:
        """Creates an article. With ``undo``, one that was deleted a moment ago comes back under a new id, without the rate."""
        params = {"undo": True if undo else None}
        return self._run(calls.write(self._patience, asked("POST", "bots", bot, "articles", json=article, params=params)))

    def get_article(self, bot: str, id: str) -> Versioned:
        """An article, and the name of its version."""
        return self._run(calls.get(self._patience, asked("GET", "bots", bot, "articles", id)))

    def update_article(self, bot: str, id: str, changes: ArticleChanges, *, if_match: str | None = None) -> Written:
        """Fields that are given replace, others stay. With ``if_match`` it is refused (412) if the article has changed since."""
        sent = asked("PUT", "bots", bot, "articles", id, json=changes, if_match=if_match)
        return self._run(calls.write(self._patience, sent))

    def delete_article(self, bot: str, id: str, *, if_match: str | None = None) -> None:
        """Deletes an article. Once this returns, no search finds it."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot, "articles", id, if_match=if_match)))

    def preview_article(self, bot: str, article: PreviewedArticle) -> Preview:
        """Previews a create, or with ``id`` an update. Nothing is written."""
        return self._run(calls.data(self._patience, asked("POST", "bots", bot, "articles", "preview", json=article)))

    def list_articles(self, bot: str) -> list[Article]:
        """The articles of a bot, oldest first."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "articles")))

    def usage(self, bot: str) -> Usage:
        """What a bot uses of its limits."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "usage")))

    def search(
        self,
        bot: str,
        query: str,
        *,
        quality: SearchQuality | None = None,
        filters: SearchFilter | None = None,
        top_k: int | None = None,
        include_faqs: bool | None = None,
        include_content: bool | None = None,
        only_active_intents: bool | None = None,
        context: Context | None = None,
        context_characters: int | None = None,
        offset: int | None = None,
        min_score: float | None = None,
    ) -> list[SearchResult]:
        """Searches a bot. The question is not kept in the question log. ``quality``: by default the bot's setting; ``words``: by words alone."""
        options = search_options(
            top_k=top_k,
            include_faqs=include_faqs,
            include_content=include_content,
            only_active_intents=only_active_intents,
            context=context,
            context_characters=context_characters,
            offset=offset,
            min_score=min_score,
        )
        return self._run(calls.data(self._patience, calls.searched(bot, "search", query, filters, options, quality)))

    def query(
        self,
        bot: str,
        query: str,
        *,
        quality: SearchQuality | None = None,
        filters: SearchFilter | None = None,
        top_k: int | None = None,
        include_faqs: bool | None = None,
        include_content: bool | None = None,
        only_active_intents: bool | None = None,
        context: Context | None = None,
        context_characters: int | None = None,
        offset: int | None = None,
        min_score: float | None = None,
        facets: Sequence[str] | None = None,
        group_by: str | None = None,
        group_size: int | None = None,
    ) -> QueryAnswer:
        """A search, with the number of all documents found, how many of them have each value of the fields ``facets``, and groups of the best ones."""
        options = search_options(
            top_k=top_k,
            include_faqs=include_faqs,
            include_content=include_content,
            only_active_intents=only_active_intents,
            context=context,
            context_characters=context_characters,
            offset=offset,
            min_score=min_score,
            facets=None if facets is None else list(facets),
            group_by=group_by,
            group_size=group_size,
        )
        return self._run(calls.query(self._patience, calls.searched(bot, "query", query, filters, options, quality)))

    def suggest(self, bot: str, prefix: str, *, limit: int | None = None) -> list[Suggestion]:
        """The titles, questions and headings that continue a prefix, best first."""
        given = present({"prefix": prefix, "limit": limit})
        return self._run(calls.data(self._patience, asked("POST", "bots", bot, "suggest", json=given)))

    def explain(self, bot: str, query: str, id: str, *, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Explains the rank of a document, or why it is missing. ``options``: those of the search, with its filters, by their names in JSON."""
        given = present({"query": query, "id": id, "options": options})
        return self._run(calls.data(self._patience, asked("POST", "bots", bot, "explain", json=given)))

    def get_vocabulary(self, bot: str) -> VersionedVocabulary:
        """The synonyms, pinned answers and ignored words of a bot."""
        return self._run(calls.vocabulary(self._patience, asked("GET", "bots", bot, "vocabulary")))

    def set_vocabulary(self, bot: str, vocabulary: AdminVocabularyInput, *, if_match: str | None = None) -> str:
        """Replaces the vocabulary, and returns its tag. A list that is left out is empty. ``if_match``: refused (412) if it has changed since."""
        return self._run(calls.tag(self._patience, asked("PUT", "bots", bot, "vocabulary", json=vocabulary, if_match=if_match)))

    def get_golden(self, bot: str) -> VersionedGolden:
        """The golden questions of a bot."""
        return self._run(calls.golden(self._patience, asked("GET", "bots", bot, "golden")))

    def set_golden(self, bot: str, questions: Sequence[GoldenQuestion], *, if_match: str | None = None) -> VersionedGolden:
        """Replaces the golden questions, and returns them as they are kept. ``if_match``: refused (412) if they have changed since."""
        sent = asked("PUT", "bots", bot, "golden", json={"questions": list(questions)}, if_match=if_match)
        return self._run(calls.golden(self._patience, sent))

    def start_run(self, bot: str, *, vocabulary: AdminVocabularyInput | None = None) -> AdminJob:
        """Begins a job that asks the golden questions. ``vocabulary``: tried for this run; by default the bot's own."""
        given = present({"vocabulary": vocabulary})
        return self._run(calls.data(self._patience, asked("POST", "bots", bot, "runs", json=given)))

    def list_runs(self, bot: str) -> list[AdminRunSummary]:
        """The runs of the golden questions that are kept."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "runs")))

    def get_run(self, bot: str, id: str) -> AdminRun:
        """A run of the golden questions, with those that it missed."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "runs", id)))

    def list_gaps(self, bot: str, *, limit: int | None = None) -> list[AdminGap]:
        """Questions that found little, grouped by meaning, worst first. ``limit``: most gaps, 1 to 1,000."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "gaps", params={"limit": limit})))

    def list_questions(self, bot: str, *, limit: int | None = None, before: int | None = None) -> list[AdminQuestion]:
        """The question log, newest first. ``before``: the last ``id`` of the previous page."""
        params = {"limit": limit, "before": before}
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "questions", params=params)))

    def clear_questions(self, bot: str) -> None:
        """Deletes the question log."""
        self._run(calls.done(self._patience, asked("DELETE", "bots", bot, "questions")))

    def list_findings(self, bot: str) -> AdminFindings:
        """What a bot's owner should read again: documents that are never found, near-duplicates, possible contradictions; and the weeks."""
        return self._run(calls.data(self._patience, asked("GET", "bots", bot, "findings")))

    def back_up(self, bot: str, *, questions: bool = False) -> Iterator[bytes]:
        """A backup of a bot as it is now, as it comes. It is complete only with its last byte: a LoredexError says that it is not."""
        return self._stream(asked("GET", "bots", bot, "backup", params={"questions": True if questions else None}))

    def restore(self, backup: Content, *, name: str | None = None) -> AdminRestoredBot:
        """Restores a bot from a backup: as it was, or as ``name`` with a new key. ``backup``: bytes, or a file that is open in binary."""
        return self._run(calls.data(self._patience, asked("POST", "restore", content=backup, params={"as": name})))

    def list_changes(self, *, limit: int | None = None, before: int | None = None) -> ChangesPage:
        """Who has changed what, newest first. ``before``: the ``next`` of the previous page."""
        return self._run(calls.changes(self._patience, asked("GET", "changes", params={"limit": limit, "before": before})))

    def status(self) -> AdminStatus:
        """The server's version, condition and alerts."""
        return self._run(calls.data(self._patience, asked("GET", "status")))

    def events(self) -> Iterator[AdminEvent]:
        """The events of the server, as they come: the fleet's figures every two seconds, and the alerts when they change.

        The stream ends when the server or the key ends. ``close`` of the iterator ends it too.
        """
        reader = EventReader(self._answer_bytes_max)
        for piece in self._stream(asked("GET", "events")):
            yield from reader.read(piece)
