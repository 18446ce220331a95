"""The shapes of the API, as the service's OpenAPI document has them. Names are those of the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict, Union

MetadataValue = Union[str, int, float, bool]
"""Metadata is flat."""


FilterValue = Union[str, int, float, bool]
"""What a filter compares with by equality."""

FieldFilter = TypedDict(
    "FieldFilter",
    {
        "eq": FilterValue,
        "ne": FilterValue,
        "in": Sequence[FilterValue],
        "nin": Sequence[FilterValue],
        "gt": Union[float, str],
        "gte": Union[float, str],
        "lt": Union[float, str],
        "lte": Union[float, str],
        "exists": bool,
        "contains": str,
        "startsWith": str,
    },
    total=False,
)
"""Operators of one field, all of which must hold. Dates are texts: ``YYYY-MM-DD``, or a date and time of RFC 3339."""

SearchFilter = Mapping[str, Union[FilterValue, FieldFilter, "SearchFilter", Sequence["SearchFilter"]]]
"""Fields with a value or operators, and the groups ``and``, ``or`` and ``not``; all entries must hold."""


class ActiveOnChannel(TypedDict):
    channel: str


class ActiveOn(ActiveOnChannel, total=False):
    """A channel, and maybe an agent, that an article is for."""

    agent: str | None


class ArticleFields(TypedDict):
    id: str
    status: Literal["uploading", "active"]
    title: str
    body: str
    metadata: dict[str, MetadataValue]
    activeOn: list[ActiveOn]
    createdAt: str
    updatedAt: str
    characterCount: int


class Article(ArticleFields, total=False):
    """An article as the service has it; ``uploading`` until searches find its newest version."""

    source: str


class ArticleChanges(TypedDict, total=False):
    """What changes of an article: fields that are given replace, others stay; ``None`` removes."""

    title: str
    body: str
    metadata: Mapping[str, MetadataValue] | None
    source: str | None
    activeOn: Sequence[ActiveOn] | None


class TitleAndBody(TypedDict):
    title: str
    body: str


class NewArticle(TitleAndBody, total=False):
    """What an article is made of. The body is markdown."""

    metadata: Mapping[str, MetadataValue] | None
    source: str | None
    activeOn: Sequence[ActiveOn] | None
    strict: bool | None


class PreviewedArticle(ArticleChanges, total=False):
    """The fields of a create, or with ``id`` those of an update."""

    id: str
    strict: bool | None


Context = Literal["none", "passage", "section", "page"]
"""The text around a part: the passage, the section up to the next heading of its rank, or the page of a PDF."""


class PartContext(TypedDict):
    """The text around a part: its lines, and the headings above the part, from the highest to the nearest."""

    text: str
    start: int
    stop: int
    headings: list[str]


class TextPartFields(TypedDict):
    text: str
    similarity: float
    start: int
    stop: int


class TextPart(TextPartFields, total=False):
    """A part that matches; lines are counted from 1, inclusive.

    ``context``: if the search asks for one, unless a better part of the document has the same one.
    """

    context: PartContext


class Block(TypedDict):
    md: str


class SearchResultFields(TypedDict):
    resourceDocId: str
    type: Literal["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA", "EXTERNAL"]
    status: Literal["active", "inactive", "pending"]
    metaData: dict[str, object]
    bestMatchScore: float
    similarTextParts: list[TextPart]
    content: list[Block]


class SearchResult(SearchResultFields, total=False):
    """A document that matches a question, with the parts that do."""

    url: str


class FacetValue(TypedDict):
    """A value of a field, and how many of the documents found have it."""

    value: FilterValue
    count: int


class ResultGroup(TypedDict):
    """Results with the same value of a field, best first; ``None`` for those without one."""

    value: FilterValue | None
    results: list[SearchResult]


ArticleSort = Literal["createdAt:asc", "createdAt:desc", "updatedAt:asc", "updatedAt:desc", "title:asc", "title:desc"]
"""The order of a list of articles. Articles with the same time or title are in the order of their ids."""


class Suggestion(TypedDict):
    """A text that continues a typed prefix, and the document that has it; of several the one with the smallest id."""

    text: str
    resourceDocId: str
    kind: Literal["title", "question", "heading"]


class Passage(TypedDict):
    start: int
    stop: int
    text: str


class Preview(TypedDict):
    """What a write would come to."""

    characterCount: int
    charge: int
    characterLeft: int
    waitSeconds: int | None
    passages: list[Passage]


class UsageBytes(TypedDict):
    used: int
    max: int


class UsageRate(TypedDict):
    """``resetSeconds``: whole seconds until ``used`` is 0, if nothing is added."""

    charactersPerMinute: int
    used: int
    resetSeconds: int


class UsageDocuments(TypedDict):
    WEBPAGE: int
    PDF: int
    DOCUMENT: int
    TABLE: int
    QNA: int
    EXTERNAL: int


class UsageEmbedder(TypedDict):
    """``waiting``: documents that lack its vectors, and will get them."""

    name: str
    waiting: int


class Usage(TypedDict):
    """What a bot uses of its limits, and what it holds. ``embedder`` is None for a bot that finds by words alone."""

    characterUsed: int
    characterQuota: int
    characterLeft: int
    bytes: UsageBytes
    rate: UsageRate
    documents: UsageDocuments
    embedder: UsageEmbedder | None


class CreateOperation(TypedDict):
    op: Literal["create"]
    article: NewArticle


class UpdateOperation(TypedDict):
    op: Literal["update"]
    id: str
    article: ArticleChanges


class DeleteOperation(TypedDict):
    op: Literal["delete"]
    id: str


class UpsertOperation(TypedDict):
    op: Literal["upsert"]
    by: str | list[str]
    article: NewArticle


BatchOperation = Union[CreateOperation, UpdateOperation, DeleteOperation, UpsertOperation]


class BatchResultFields(TypedDict):
    status: int
    body: object


class BatchResult(BatchResultFields, total=False):
    """What one write of a batch was answered."""

    retryAfter: int


class Violation(TypedDict):
    """A broken rule of a request."""

    message: str
    field: str
    type: str


@dataclass(frozen=True)
class QueryAnswer:
    """The answer to a query. A document counts as found if a search without a maximum of results would return it.

    ``results``: what a search returns. ``total``: the exact number of documents found; ``None`` if a bot has too many passages to
    count all of them. ``facets``: by field its 20 most frequent values. ``groups``: the best 100 documents by their value of a
    field; both are ``None`` if they were not asked for.
    """

    results: list[SearchResult]
    total: int | None
    facets: dict[str, list[FacetValue]] | None
    groups: list[ResultGroup] | None


@dataclass(frozen=True)
class ArticlePage:
    """Some of the articles that match. ``next``: what ``after`` is for the next page; ``None`` on the last one."""

    articles: list[Article]
    next: str | None


@dataclass(frozen=True)
class Versioned:
    """An article, and the name of this version of it."""

    article: Article
    etag: str


@dataclass(frozen=True)
class Written(Versioned):
    """``character_used``: characters of all articles of the bot, right after this write."""

    character_used: int
