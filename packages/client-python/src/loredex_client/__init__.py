"""A typed client of a Loredex server."""

from . import where
from ._async_client import AsyncLoredexClient
from ._client import LoredexClient
from ._error import LoredexError
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
    TextPart,
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
    "BatchResult",
    "FieldFilter",
    "FilterValue",
    "LoredexClient",
    "LoredexError",
    "MetadataValue",
    "NewArticle",
    "Preview",
    "PreviewedArticle",
    "SearchFilter",
    "SearchResult",
    "SyncOutcome",
    "SyncProblem",
    "SyncStep",
    "TextPart",
    "Versioned",
    "Violation",
    "Written",
    "where",
]
