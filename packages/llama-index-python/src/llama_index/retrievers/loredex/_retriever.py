from __future__ import annotations

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks.base import CallbackManager
from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode

from loredex_client import RetrievedContent, RetrievedText, Retriever, SearchFilter

SHOWN_TO_MODELS = ("title", "url", "headings", "lines")
"""Metadata that a language model gets with a text; the rest is for programs."""


class LoredexRetriever(BaseRetriever):
    """Gives the texts that answer a question as nodes, best first, each with its lines and where it is from.

    ``url``: the server's address, with any path before ``/api/v1``. ``key``: the bot's key; one for the search alone is enough.
    ``top_k``: the most nodes, 1 to 100. ``score_min``: texts that score less are left out, 0 to 1. ``content``: ``parts`` gives each
    quoted part as a node, ``passages``, ``sections`` and ``pages`` the text around it, of at most ``context_characters`` (2,000 by
    default), and ``whole`` the bot's documents. ``filters``: as of a search; ``loredex_client.where`` makes such filters.
    ``include_faqs`` and ``only_active_intents``: None leaves them to the server, which searches all questions with answers.
    ``attempts_max``, ``wait_seconds_max`` and ``timeout_seconds`` are those of ``loredex_client.LoredexClient``. Raises a
    LoredexError for a question that is not answered, and a ValueError for an option that is out of its range.
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
        callback_manager: CallbackManager | None = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(callback_manager=callback_manager, verbose=verbose)
        self._retriever = Retriever(
            url,
            key,
            top_k=top_k,
            score_min=score_min,
            content=content,
            context_characters=context_characters,
            filters=filters,
            include_faqs=include_faqs,
            only_active_intents=only_active_intents,
            attempts_max=attempts_max,
            wait_seconds_max=wait_seconds_max,
            timeout_seconds=timeout_seconds,
        )

    def close(self) -> None:
        """Closes the connections of ``retrieve``."""
        self._retriever.close()

    async def aclose(self) -> None:
        """Closes the connections of ``retrieve``, and those of ``aretrieve`` in the running event loop."""
        await self._retriever.aclose()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(text) for text in self._retriever.retrieve(query_bundle.query_str)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(text) for text in await self._retriever.aretrieve(query_bundle.query_str)]


def _node(text: RetrievedText) -> NodeWithScore:
    node = TextNode(
        id_=text.id,
        text=text.text,
        metadata=text.metadata,
        excluded_llm_metadata_keys=[name for name in text.metadata if name not in SHOWN_TO_MODELS],
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=text.document_id)},
    )
    return NodeWithScore(node=node, score=text.score)
