from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import AfterValidator, ConfigDict, Field, PrivateAttr, SecretStr

from loredex_client import RetrievedContent, RetrievedText, Retriever


def _hidden(key: SecretStr | str) -> SecretStr:
    return key if isinstance(key, SecretStr) else SecretStr(key)


class LoredexRetriever(BaseRetriever):
    """Gives the texts that answer a question as documents, best first, each with its lines and where it is from.

    Fields cannot be changed later: make another retriever, or use ``configurable_fields``. Raises a LoredexError for a question
    that is not answered, and a ValueError for a field that is out of its range or unknown.
    """

    # Errors would show the key beside the wrong field.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    url: str
    """The server's address, with any path before ``/api/v1``."""
    key: Annotated[SecretStr | str, AfterValidator(_hidden)]
    """The bot's key; one for the search alone is enough. It is in no trace, dump or error."""
    top_k: int = 4
    """The most documents to give, 1 to 100."""
    score_min: float = 0
    """Texts that score less are left out, 0 to 1."""
    content: RetrievedContent = "parts"
    """``parts``: each quoted part is a document. ``passages``, ``sections``, ``pages``: the text around it. ``whole``: the bot's documents."""
    context_characters: int | None = None
    """The most characters of the text around a part, 1 to 20,000. None leaves it to the server, which takes 2,000."""
    filters: Mapping[str, Any] = Field(default_factory=dict)
    """Fields of results and their values, for example ``{"metaData.team": "billing"}``; at most 50."""
    include_faqs: bool | None = None
    """Whether questions with answers are searched. None leaves it to the server, which searches them."""
    only_active_intents: bool | None = None
    """Whether questions with answers that are not active are left out. None leaves it to the server, which keeps them."""
    attempts_max: int = 8
    """How often one request is sent at most, the first time included."""
    wait_seconds_max: float = 300
    """How long one question waits in all between its attempts, in seconds."""
    timeout_seconds: float = 60
    """How long an answer may keep silent, in seconds."""

    # Private: nothing that is printed or traced can hold it.
    _retriever: Retriever = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._retriever = Retriever(
            self.url,
            _hidden(self.key).get_secret_value(),
            top_k=self.top_k,
            score_min=self.score_min,
            content=self.content,
            context_characters=self.context_characters,
            filters=self.filters,
            include_faqs=self.include_faqs,
            only_active_intents=self.only_active_intents,
            attempts_max=self.attempts_max,
            wait_seconds_max=self.wait_seconds_max,
            timeout_seconds=self.timeout_seconds,
        )

    def close(self) -> None:
        """Closes the connections of ``invoke``."""
        self._retriever.close()

    async def aclose(self) -> None:
        """Closes the connections of ``invoke``, and those of ``ainvoke`` in the running event loop."""
        await self._retriever.aclose()

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [_document(text) for text in self._retriever.retrieve(query)]

    async def _aget_relevant_documents(self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun) -> list[Document]:
        return [_document(text) for text in await self._retriever.aretrieve(query)]


def _document(text: RetrievedText) -> Document:
    return Document(page_content=text.text, metadata=text.metadata, id=text.id)
