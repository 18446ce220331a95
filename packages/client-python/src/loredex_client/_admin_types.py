"""The shapes of the admin API, as the service's OpenAPI document has them. Names are those of the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

Quality = Literal["best", "fast"]
"""Which embedder reads a question."""
SearchQuality = Literal["best", "fast", "words"]
"""The quality of one search; ``words``: words alone count."""
DocumentStatus = Literal["active", "inactive", "pending"]
RowStatus = Literal[DocumentStatus, "uploading"]
"""The status of a row of the table of documents: those of articles may also be uploading."""
KeyScope = Literal["all", "search"]
DocumentType = Literal["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA", "EXTERNAL"]


class BotFault(TypedDict):
    kind: str
    message: str


class AdminBotFields(TypedDict):
    id: str
    name: str
    createdAt: str
    hasKey: bool
    quotaCharacters: int
    rateCharactersPerMinute: int
    quotaBytes: Union[int, Literal["auto"]]
    rateBytesPerMinute: Union[int, Literal["auto"]]
    importBytes: Union[int, Literal["none"]]
    language: str
    embedder: str
    quality: Quality
    questionLog: bool
    questionLogDays: int
    gapScore: float


class AdminBot(AdminBotFields, total=False):
    """A bot with its settings. ``fault``: why it cannot be opened."""

    fault: BotFault


class AdviceFields(TypedDict):
    kind: str
    mend: str
    story: str


class Advice(AdviceFields, total=False):
    """Something that the operator should do for a bot."""

    writtenIn: str


class AdminFleetBot(AdminBot, total=False):
    """A bot of the fleet. ``figures``: those that are known without opening it."""

    figures: dict[str, Any]
    advice: list[Advice]


class AdminBotDetailsFields(TypedDict):
    bot: AdminBot
    stats: dict[str, Any]


class AdminBotDetails(AdminBotDetailsFields, total=False):
    """A bot, and the figures of ``loredex bot show --json``."""

    advice: list[Advice]


class AdminBotChanges(TypedDict, total=False):
    """Settings of a bot: given ones replace, others stay."""

    name: str
    quotaCharacters: int
    rateCharactersPerMinute: int
    quotaBytes: Union[int, Literal["auto"]]
    rateBytesPerMinute: Union[int, Literal["auto"]]
    importBytes: Union[int, Literal["none"]]
    language: str
    embedder: str
    quality: Quality
    questionLog: bool
    questionLogDays: int
    gapScore: float


class AdminNewBot(TypedDict):
    """A new bot. ``key``: its key, which is returned here and never again."""

    bot: AdminBot
    key: str


class AdminRestoredBotFields(TypedDict):
    bot: AdminBot


class AdminRestoredBot(AdminRestoredBotFields, total=False):
    """A restored bot. ``key``: only if it was restored under another name."""

    key: str


class AdminKeyFields(TypedDict):
    name: str
    scope: KeyScope
    origins: list[str]


class AdminKey(AdminKeyFields, total=False):
    """A key of a bot, without its secret."""

    requestsPerMinute: int


class AdminRegistration(TypedDict):
    """An agent or a channel."""

    name: str
    active: bool


class AdminSourceFields(TypedDict):
    name: str
    documents: int
    arguments: list[dict[str, Any]]


class AdminSource(AdminSourceFields, total=False):
    """A source of imported documents. ``arguments``: the files and addresses of its last import."""

    takenOverBy: str


class AdminDocumentRowFields(TypedDict):
    id: str
    type: DocumentType
    status: RowStatus
    characters: int
    isArticle: bool


class AdminDocumentRow(AdminDocumentRowFields, total=False):
    """A row of the table of all documents.

    ``updatedAt``: time of the last change. Absent for documents that an earlier version imported.
    """

    title: str
    url: str
    source: str
    updatedAt: str


class AdminPin(TypedDict):
    """A question, and the id of the document that answers it first."""

    question: str
    document: str


class AdminVocabulary(TypedDict):
    """Synonyms, pinned answers and ignored words of a bot."""

    synonyms: list[str]
    pins: list[AdminPin]
    ignored: list[str]


class AdminVocabularyInput(TypedDict, total=False):
    """A vocabulary to set. A list that is left out is empty."""

    synonyms: Sequence[str]
    pins: Sequence[AdminPin]
    ignored: Sequence[str]


class FileProblemFields(TypedDict):
    message: str


class FileProblem(FileProblemFields, total=False):
    line: int


class AdminFileReport(TypedDict):
    """The outcome of an import for one file."""

    file: str
    imported: int
    unchanged: int
    removed: int
    problems: list[FileProblem]


class AdminJobFields(TypedDict):
    id: str
    kind: Literal["upload", "import", "sync", "run"]
    state: Literal["running", "done", "failed"]
    startedAt: str
    done: int


class AdminJob(AdminJobFields, total=False):
    """A job of the server. ``report``: of each file; for a job of the kind ``run``, the id of the run."""

    endedAt: str
    total: int
    message: str
    report: Union[list[AdminFileReport], str]


GoldenQuestion = Mapping[str, Any]
"""A question with its known answers, as a line of the file of golden questions has it."""


class RunMeasures(TypedDict):
    """Means over the questions of a run. The JSON has more of them."""

    ndcgAt10: float


class AdminRunFields(TypedDict):
    id: str
    at: str
    questions: int
    missed: int
    measures: RunMeasures


class AdminRunSummary(AdminRunFields, total=False):
    """A run of the golden questions."""

    quality: Quality
    vocabulary: bool


class AdminRun(AdminRunSummary):
    """A run of the golden questions, with those that it missed."""

    misses: list[dict[str, Any]]


class NearestDocumentFields(TypedDict):
    id: str
    score: float


class NearestDocument(NearestDocumentFields, total=False):
    """The best document for a question that found little."""

    title: str


class AdminGapFields(TypedDict):
    question: str
    count: int
    countWeek: int
    countBefore: int
    unhelpful: int
    bestScore: float
    examples: list[str]
    lastAskedAt: str


class AdminGap(AdminGapFields, total=False):
    """Questions of one meaning that found little. ``countBefore``: of the week before the last."""

    nearest: NearestDocument


class QuestionFeedbackFields(TypedDict):
    helpful: bool
    at: str


class QuestionFeedback(QuestionFeedbackFields, total=False):
    resourceDocId: str
    comment: str


class AdminQuestionFields(TypedDict):
    id: int
    askedAt: str
    question: str
    bestScore: float


class AdminQuestion(AdminQuestionFields, total=False):
    """A row of the question log."""

    nearest: NearestDocument
    requestId: str
    feedback: QuestionFeedback


class NeverFoundFields(TypedDict):
    id: str


class NeverFound(NeverFoundFields, total=False):
    """A document that no question of the log has found."""

    title: str


class NearDuplicate(TypedDict):
    """Two documents that say almost the same."""

    ids: list[str]
    titles: list[str]
    similarity: float


class Contradiction(TypedDict):
    """Two lines of two documents that may contradict each other."""

    ids: list[str]
    titles: list[str]
    lines: list[str]
    reason: Literal["numbers", "negation"]


class QuestionWeek(TypedDict):
    """The questions of one week. ``week``: its Monday."""

    week: str
    questions: int
    gaps: int
    helpful: int
    unhelpful: int


class AdminFindings(TypedDict):
    """What a bot's owner should read again."""

    neverFound: list[NeverFound]
    nearDuplicates: list[NearDuplicate]
    contradictions: list[Contradiction]
    weeks: list[QuestionWeek]


class AdminChangeFields(TypedDict):
    at: str
    by: str
    action: str


class AdminChange(AdminChangeFields, total=False):
    """A row of the audit log."""

    bot: str
    target: str


class AdminAlert(TypedDict):
    """Something that the operator should know of. ``bots``: ids; none: it concerns the server."""

    name: str
    severity: Literal["warning", "critical"]
    meaning: str
    bots: list[str]


class ServerCondition(TypedDict):
    """What the server can do. The JSON has more."""

    canWrite: bool


class AdminStatus(TypedDict):
    version: str
    condition: ServerCondition
    alerts: list[AdminAlert]
