"""A typed client of a Loredex server."""

from . import where
from ._async_client import AsyncLoredexClient
from ._batch import BatchProgress
from ._client import LoredexClient
from ._error import LoredexError
from ._retrieval import RetrievedContent, RetrievedText, Retriever
from ._sync import SyncOutcome, SyncProblem, SyncStep
from ._types import (
    ActiveOn,
    Article,
    ArticleChanges,
    ArticlePage,
    BatchOperation,
    BatchResult,
    FieldFilter,
    FilterValue,
    MetadataValue,
    NewArticle,
    Preview,
    PreviewedArticle,
    SearchFilter,
    SearchResult,
    Suggestion,
    TextPart,
    Usage,
    UsageBytes,
    UsageDocuments,
    UsageEmbedder,
    UsageRate,
    Versioned,
    Violation,
    Written,
)

__all__ = [
    "ActiveOn",
    "Article",
    "ArticleChanges",
    "ArticlePage",
    "AsyncLoredexClient",
    "BatchOperation",
    "BatchProgress",
    "BatchResult",
    "FieldFilter",
    "FilterValue",
    "LoredexClient",
    "LoredexError",
    "MetadataValue",
    "NewArticle",
    "Preview",
    "PreviewedArticle",
    "RetrievedContent",
    "RetrievedText",
    "Retriever",
    "SearchFilter",
    "SearchResult",
    "Suggestion",
    "SyncOutcome",
    "SyncProblem",
    "SyncStep",
    "TextPart",
    "Usage",
    "UsageBytes",
    "UsageDocuments",
    "UsageEmbedder",
    "UsageRate",
    "Versioned",
    "Violation",
    "Written",
    "where",
]
