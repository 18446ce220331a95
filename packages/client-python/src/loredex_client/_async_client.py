from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence

from . import _calls
from ._client import PAGE_ARTICLES
from ._batch import BatchOptions, BatchProgress, batch
from ._connection import AsyncConnection
from ._sync import SyncOptions, SyncOutcome, SyncStep, sync
from ._types import (
    Article,
    ArticleChanges,
    ArticlePage,
    ArticleSort,
    BatchOperation,
    BatchResult,
    Context,
    MetadataValue,
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


class AsyncLoredexClient(AsyncConnection):
    """LoredexClient for asyncio and trio: the same calls, which are awaited. ``async with``, or ``await close()``."""

    async def search(
        self,
        query: str,
        *,
        filters: SearchFilter | None = None,
        top_k: int | None = None,
        include_faqs: bool | None = None,
        include_content: bool | None = None,
        only_active_intents: bool | None = None,
        context: Context | None = None,
        context_characters: int | None = None,
        offset: int | None = None,
        min_score: float | None = None,
        request_id: str | None = None,
    ) -> list[SearchResult]:
        """The documents that match a question, best first. ``filters``: which of them; ``where`` has functions that make such filters.

        ``context``: the text around each part, of at most ``context_characters``. ``offset``: the documents to leave out before the
        first. ``min_score``: documents that score less are left out. ``request_id``: names the search for ``feedback``; 1 to 128 letters,
        digits and signs of ``._:/+=@-``.
        """
        options = _calls.search_options(
            top_k=top_k,
            include_faqs=include_faqs,
            include_content=include_content,
            only_active_intents=only_active_intents,
            context=context,
            context_characters=context_characters,
            offset=offset,
            min_score=min_score,
        )
        return await self._run(_calls.search(self._patience, query, filters, options, request_id))

    async def query(
        self,
        query: str,
        *,
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
        request_id: str | None = None,
    ) -> QueryAnswer:
        """A search, with the number of all documents found, how many of them have each value of the fields ``facets``, and groups of the best ones."""
        options = _calls.search_options(
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
        return await self._run(_calls.query(self._patience, query, filters, options, request_id))

    async def suggest(self, prefix: str, *, limit: int | None = None) -> list[Suggestion]:
        """The titles, questions and headings that continue a prefix typed into a search box, best first.

        ``prefix``: 1 to 200 characters. ``limit``: the most suggestions, 1 to 20; by default 8.
        """
        return await self._run(_calls.suggest(self._patience, prefix, limit))

    async def feedback(
        self, request_id: str, helpful: bool, *, resource_doc_id: str | None = None, comment: str | None = None
    ) -> None:
        """Says whether the answer to a search helped, which its ``request_id`` has named. Later feedback on that search replaces it.

        ``resource_doc_id``: the document that it is about; by default the whole answer. ``comment``: at most 1,000 characters.
        Raises a LoredexError with status 404 (code 20008) unless the bot's question log has that search in the last 24 hours. A bot
        without a question log keeps nothing.
        """
        await self._run(_calls.feedback(self._patience, request_id, helpful, resource_doc_id, comment))

    async def create_article(self, article: NewArticle, *, idempotency_key: str | None = None) -> Written:
        """Creates an article, once however often it has to be sent: with a key of yours, also over several calls."""
        return await self._run(_calls.create(self._patience, article, idempotency_key))

    async def get_article(self, id: str) -> Versioned:
        """Raises a LoredexError with status 404 (code 20001) if the bot has no such article."""
        return await self._run(_calls.get(self._patience, id))

    async def get_article_if_changed(self, id: str, etag: str) -> Versioned | None:
        """The article, unless it still is the one that ``etag`` names."""
        return await self._run(_calls.get_if_changed(self._patience, id, etag))

    async def list_articles(
        self,
        *,
        id: str | None = None,
        title: str | None = None,
        metadata: Mapping[str, MetadataValue] | None = None,
        page_size: int = PAGE_ARTICLES,
        sort: ArticleSort | None = None,
    ) -> AsyncIterator[Article]:
        """All articles that match, oldest first or in the order of ``sort``, asked for page by page as they are wanted."""
        params: dict[str, str] | None = _calls.first_page(id, title, metadata, page_size, sort)
        while params is not None:
            articles, params = await self._run(_calls.page(self._patience, params))
            for article in articles:
                yield article

    async def get_articles_page(
        self,
        *,
        id: str | None = None,
        title: str | None = None,
        metadata: Mapping[str, MetadataValue] | None = None,
        limit: int = PAGE_ARTICLES,
        after: str | None = None,
        sort: ArticleSort | None = None,
    ) -> ArticlePage:
        """One page of them; ``list_articles`` goes through all."""
        params = _calls.first_page(id, title, metadata, limit, sort)
        if after is not None:
            params["after"] = after
        articles, following = await self._run(_calls.page(self._patience, params))
        return ArticlePage(articles, None if following is None else following["after"])

    async def update_article(self, id: str, changes: ArticleChanges, *, if_match: str | None = None) -> Written:
        """Fields that are given replace, others stay. With ``if_match`` it is refused (412) if the article has changed since."""
        return await self._run(_calls.update(self._patience, id, changes, if_match))

    async def delete_article(self, id: str, *, if_match: str | None = None) -> None:
        """Once this returns, no search finds the article."""
        await self._run(_calls.delete(self._patience, id, if_match))

    async def preview(self, article: PreviewedArticle) -> Preview:
        """What a create, or with ``id`` an update, would come to; nothing is written or charged."""
        return await self._run(_calls.preview(self._patience, article))

    async def batch(
        self,
        operations: Sequence[BatchOperation],
        *,
        wait_seconds_max: float | None = None,
        on_progress: Callable[[BatchProgress], None] | None = None,
    ) -> list[BatchResult]:
        """Up to 100 writes in one request, each decided on its own: check each result's ``status``.

        Writes that the rate refuses are sent again afterwards, one after the other and in their order, as the service admits
        them. ``wait_seconds_max``: the longest wait of the call in all, 0 to 7,200 seconds; by default that of the client. With
        0 no write is sent again. ``on_progress``: called after the first answer, and each time a write that was sent again has its
        final result. A refused write is not sent again if a later one of the batch has changed the same article: the same ``id``,
        or the same metadata under the same ``by``.
        """
        return await self._run(batch(self._patience, operations, BatchOptions(wait_seconds_max, on_progress)))

    async def usage(self) -> Usage:
        """What the bot uses of its limits, and what it holds. A key that opens the search alone gets a 403 (code 10002)."""
        return await self._run(_calls.usage(self._patience))

    async def wait_until_active(self, id: str, *, timeout_seconds: float = 60) -> Article:
        """Waits until searches find the newest version of an article."""
        return await self._run(_calls.wait_until_active(self._patience, id, timeout_seconds))

    async def sync(
        self,
        articles: Sequence[NewArticle],
        *,
        by: str,
        where: Mapping[str, MetadataValue] | None = None,
        remove: bool = False,
        keep: Sequence[MetadataValue] = (),
        allow_empty: bool = False,
        dry_run: bool = False,
        on_progress: Callable[[SyncStep], None] | None = None,
    ) -> SyncOutcome:
        """Makes the bot's articles what is given: finds each by its metadata ``by``, creates, updates what differs.

        ``where``: metadata that all given articles have; others are left alone. ``remove``: whether articles with that key
        that are not given are deleted, but for those whose value ``keep`` has. ``allow_empty`` lets it delete everything.
        """
        options = SyncOptions(by, where or {}, remove, keep, allow_empty, dry_run, on_progress)
        return await self._run(sync(self._patience, articles, options))
