"""What retrievers of frameworks ask: the texts that answer a question, each with where it is from."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Literal, get_args

from ._async_client import AsyncLoredexClient
from ._client import LoredexClient
from ._error import LoredexError
from ._types import Context, PartContext, SearchFilter, SearchResult

TOP_K_MAX = 100
"""The service returns no more documents than that."""
CONTEXT_CHARACTERS_MAX = 20_000
"""The service takes no more characters around a part than that."""
RetrievedContent = Literal["parts", "passages", "sections", "pages", "whole"]
"""``parts``: each quoted part is a text of its own. ``passages``, ``sections`` and ``pages``: the text around a part, with the headings
above it. ``whole``: each document is one text."""
_CONTEXTS: dict[RetrievedContent, Context] = {"passages": "passage", "sections": "section", "pages": "page"}


@dataclass(frozen=True)
class RetrievedText:
    """A text that answers a question.

    ``id``: the document's id, and unless the text is the whole document also its lines: ``65f1…#L3-L5``. ``score``: 0 to 1.
    ``metadata``: the document's own, and over it ``document_id``, ``document_type``, ``source`` (its address, else its id), ``score``,
    ``lines`` (first and last line of each part that matches, from 1), ``title`` and ``url`` where the document has them, and
    ``headings`` for the text around a part (those above the part, from the highest to the nearest).
    """

    id: str
    text: str
    score: float
    document_id: str
    metadata: dict[str, object] = field(default_factory=dict)


class Retriever:
    """Asks a bot for the texts that answer a question, best first. For programs that wait, and for asyncio.

    ``top_k``: the most texts, 1 to 100. ``score_min``: texts that score less are left out, 0 to 1. ``content``: ``parts`` gives each
    quoted part as a text, ``passages``, ``sections`` and ``pages`` the text around it, at most ``context_characters`` (1 to 20,000; 2,000
    by default), and ``whole`` gives documents. ``filters``, ``include_faqs`` and ``only_active_intents`` are those of a search,
    and the other options those of the clients. Raises a ValueError for an option that is out of its range, and a LoredexError
    for a question that is not answered. Several threads and event loops may share one.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        top_k: int = 4,
        score_min: float = 0,
        content: RetrievedContent = "parts",
        context_characters: int | None = None,
        filters: SearchFilter | None = None,
        include_faqs: bool | None = None,
        only_active_intents: bool | None = None,
        attempts_max: int = 8,
        wait_seconds_max: float = 300,
        timeout_seconds: float = 60,
    ) -> None:
        if isinstance(top_k, bool) or not isinstance(top_k, int) or not 1 <= top_k <= TOP_K_MAX:
            raise ValueError(f"top_k must be a whole number from 1 to {TOP_K_MAX}: {top_k!r}")
        if isinstance(score_min, bool) or not isinstance(score_min, (int, float)) or not 0 <= score_min <= 1:
            raise ValueError(f"score_min must be a number from 0 to 1: {score_min!r}")
        if content not in get_args(RetrievedContent):
            raise ValueError(f"content must be one of {', '.join(get_args(RetrievedContent))}: {content!r}")
        if context_characters is not None and (
            isinstance(context_characters, bool)
            or not isinstance(context_characters, int)
            or not 1 <= context_characters <= CONTEXT_CHARACTERS_MAX
        ):
            raise ValueError(f"context_characters must be a whole number from 1 to {CONTEXT_CHARACTERS_MAX}: {context_characters!r}")
        self._top_k = top_k
        self._score_min = score_min
        self._content = content
        self._context_characters = context_characters
        self._filters = dict(filters or {})
        self._include_faqs = include_faqs
        self._only_active_intents = only_active_intents
        self._url, self._key = url, key
        self._attempts_max, self._wait_seconds_max, self._timeout_seconds = attempts_max, wait_seconds_max, timeout_seconds
        # Made here, so that a wrong address is an error where it is given.
        self._client = LoredexClient(
            url, key, attempts_max=attempts_max, wait_seconds_max=wait_seconds_max, timeout_seconds=timeout_seconds
        )
        self._async_clients: dict[asyncio.AbstractEventLoop, AsyncLoredexClient] = {}

    def retrieve(self, question: str) -> list[RetrievedText]:
        """The texts that answer the question."""
        results = self._client.search(
            question,
            filters=self._filters,
            top_k=self._top_k,
            include_faqs=self._include_faqs,
            include_content=self._content == "whole",
            only_active_intents=self._only_active_intents,
            context=_CONTEXTS.get(self._content),
            context_characters=self._context_characters,
        )
        return self._texts_of(results)

    async def aretrieve(self, question: str) -> list[RetrievedText]:
        """The same in asyncio."""
        results = await self._async_client().search(
            question,
            filters=self._filters,
            top_k=self._top_k,
            include_faqs=self._include_faqs,
            include_content=self._content == "whole",
            only_active_intents=self._only_active_intents,
            context=_CONTEXTS.get(self._content),
            context_characters=self._context_characters,
        )
        return self._texts_of(results)

    def close(self) -> None:
        """Closes the connections of ``retrieve``."""
        self._client.close()

    async def aclose(self) -> None:
        """Closes the connections of ``retrieve``, and those of ``aretrieve`` in the running event loop."""
        self.close()
        client = self._async_clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _async_client(self) -> AsyncLoredexClient:
        """That of the running event loop: connections of one loop are of no use in another."""
        loop = asyncio.get_running_loop()
        client = self._async_clients.get(loop)
        if client is None:
            for other in list(self._async_clients):
                if other.is_closed():
                    self._async_clients.pop(other, None)
            client = AsyncLoredexClient(
                self._url,
                self._key,
                attempts_max=self._attempts_max,
                wait_seconds_max=self._wait_seconds_max,
                timeout_seconds=self._timeout_seconds,
            )
            self._async_clients[loop] = client
        return client

    def _texts_of(self, results: list[SearchResult]) -> list[RetrievedText]:
        split = _whole if self._content == "whole" else _contexts if self._content in _CONTEXTS else _parts
        try:
            texts = [text for result in results for text in split(result) if text.score >= self._score_min]
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            # JSON of something else behind the address.
            raise LoredexError("The answer is not as Loredex gives it.") from error
        # The best texts are among those of as many best documents. Equal scores keep their order.
        return sorted(texts, key=lambda text: -text.score)[: self._top_k]


def _parts(result: SearchResult) -> list[RetrievedText]:
    return [
        _text(
            result,
            f"{result['resourceDocId']}#L{part['start']}-L{part['stop']}",
            part["text"],
            part["similarity"],
            [[part["start"], part["stop"]]],
        )
        for part in result["similarTextParts"]
    ]


def _contexts(result: SearchResult) -> list[RetrievedText]:
    contexts: list[tuple[PartContext, float, list[list[int]]]] = []
    for part in result["similarTextParts"]:
        lines = [part["start"], part["stop"]]
        if "context" in part:
            contexts.append((part["context"], part["similarity"], [lines]))
            continue
        # A better part has the same context.
        for context, _, parts in contexts:
            if context["start"] <= lines[0] and lines[1] <= context["stop"]:
                parts.append(lines)
                break
    return [
        _text(result, f"{result['resourceDocId']}#L{context['start']}-L{context['stop']}", context["text"], score, sorted(parts), context)
        for context, score, parts in contexts
    ]


def _whole(result: SearchResult) -> list[RetrievedText]:
    text = "\n".join(block["md"] for block in result["content"])
    lines = sorted([part["start"], part["stop"]] for part in result["similarTextParts"])
    return [_text(result, result["resourceDocId"], text, result["bestMatchScore"], lines)]


def _text(
    result: SearchResult, id: str, text: str, score: float, lines: list[list[int]], context: PartContext | None = None
) -> RetrievedText:
    document_id = result["resourceDocId"]
    url = result.get("url")
    metadata: dict[str, object] = {
        **result["metaData"],
        "document_id": document_id,
        "document_type": result["type"],
        "source": document_id if url is None else url,
        "score": score,
        "lines": lines,
    }
    if url is not None:
        metadata["url"] = url
    if context is not None:
        metadata["headings"] = context["headings"]
    return RetrievedText(id, text, score, document_id, metadata)
