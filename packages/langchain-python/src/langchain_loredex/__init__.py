"""A retriever of LangChain that asks a bot of a Loredex server."""

from loredex_client import LoredexError

from ._retriever import LoredexRetriever

__all__ = ["LoredexError", "LoredexRetriever"]
