/** Lists of choices with their types, defaults of options, and the constants of timing. */

export const QUOTA_CHARACTERS_DEFAULT = 1_000_000;
export const RATE_CHARACTERS_PER_MINUTE_DEFAULT = 15_000;
export const LANGUAGE_DEFAULT = "en";
/** The embedder setting of a bot that BM25 alone searches. */
export const NO_EMBEDDER = "none";
/** The embedders that understand English only. */
export const ENGLISH_EMBEDDERS: readonly string[] = ["minilm", "static"];
export const QUALITIES = ["best", "fast"] as const;
/**
 * The embedder of questions. `best`: the bot's embedder, milliseconds a question. `fast`: its static embedder, microseconds, for a point or two of nDCG.
 * Passages have the embedder's vectors in both cases, as soon as it has made them.
 */
export type Quality = (typeof QUALITIES)[number];
/** The qualities of one search. */
export const SEARCH_QUALITIES = [...QUALITIES, "words"] as const;
/** The embedder of one question. `words`: none; BM25 alone finds documents, as on a bot without an embedder. */
export type SearchQuality = (typeof SEARCH_QUALITIES)[number];
export const QUALITY_DEFAULT: Quality = "best";
/** The text around a text part that a result carries with it. */
export const CONTEXTS = ["none", "passage", "section", "page"] as const;
/**
 * The text around a text part. `passage`: the passage that was found. `section`: from the nearest heading to before the next one of the same or a higher
 * rank. `page`: a content block of a PDF; of other documents the section.
 */
export type Context = (typeof CONTEXTS)[number];
/** The types of imported documents. */
export const IMPORTED_TYPES = ["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA"] as const;
/** The types that can be imported. */
export type ImportedType = (typeof IMPORTED_TYPES)[number];
/** All types of results: imported documents and articles. */
export const DOCUMENT_TYPES = [...IMPORTED_TYPES, "EXTERNAL"] as const;
/** What a document is. `EXTERNAL` are the articles that owners manage; the operator imports the others. */
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
export const DOCUMENT_STATUSES = ["active", "inactive", "pending"] as const;
/** The operator sets a document's status, and results return it. Every status is searched. */
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];
/** The orders of a list of articles: by a time, or by the beginning of the title, in which upper and lower case are alike. */
export const ARTICLE_SORTS = [
  "createdAt:asc",
  "createdAt:desc",
  "updatedAt:asc",
  "updatedAt:desc",
  "title:asc",
  "title:desc",
] as const;
export type ArticleSort = (typeof ARTICLE_SORTS)[number];
export const ARTICLE_SORT_DEFAULT: ArticleSort = "createdAt:asc";
/** The orders of the list of all documents. */
export const DOCUMENT_SORTS = [
  "updatedAt:desc",
  "updatedAt:asc",
  "title:asc",
  "title:desc",
  "characters:asc",
  "characters:desc",
  "type:asc",
  "type:desc",
  "status:asc",
  "status:desc",
] as const;
/** The status that a row of that list may have. */
export const DOCUMENT_STATES = [...DOCUMENT_STATUSES, "uploading"] as const;
export const PAGE_DOCUMENTS_DEFAULT = 200;

/** How many days a bot with a question log keeps a question. */
export const QUESTION_LOG_DAYS_DEFAULT = 30;
/** The best score below which a question counts as a gap. */
export const GAP_SCORE_DEFAULT = 0.3;

/** Writers wait while this many documents wait to be indexed. */
export const INDEX_QUEUE_LENGTH_MAX = 10_000;

/**
 * A snapshot is due when the log has grown by this much since the last one, and by this share of its size. A directory holds two snapshots and the log
 * from the older one on: at most 2.5 times the size of a snapshot, plus 1 MiB. During a large import, records that came while snapshots were written are added.
 */
export const SNAPSHOT_LOG_BYTES_MIN = 131_072;
export const SNAPSHOT_LOG_SHARE = 0.2;
/** Imports wait for a running snapshot once the log since the last one is longer than this, and longer than that snapshot. */
export const SNAPSHOT_LAG_BYTES_MAX = 67_108_864;
/** On closing, a shorter log is left to be replayed. */
export const CLOSING_SNAPSHOT_LOG_BYTES_MIN = 65_536;
/**
 * Of a store that nodes share, a shorter log is replayed by each node that opens it. So a snapshot is due sooner while nothing is written to the bot, and
 * on closing. All snapshots together take at most 20 times the bytes of the log.
 */
export const SHARED_SNAPSHOT_LOG_BYTES_MIN = 16_384;
export const SHARED_SNAPSHOT_LOG_SHARE = 0.05;
/** A bot is at rest when nothing was written to it for this time. */
export const AT_REST_MS = 5_000;

/** How long a question waits for an embedder that is being opened. After that the static embedder reads it, or BM25 alone answers it. */
export const EMBEDDER_OPENING_MS_MAX = 2_000;
/** The same for a patient engine, and its wait for the vector. A caller that asks one question would rather wait than have BM25 alone. */
export const ONE_QUESTION_MS_MAX = 60_000;
/** The wait before a failed call or opening of an embedder is repeated. It doubles up to the maximum. */
export const EMBEDDING_RETRY_MS_MIN = 500;
export const EMBEDDING_RETRY_MS_MAX = 300_000;
/** A document that the embedder refuses this often is not tried again before the next start. */
export const EMBEDDING_REFUSALS_MAX = 3;

/** The wait before an operation that the disk refused is tried again. It doubles up to the maximum. */
export const FAULT_RETRY_MS_MIN = 1_000;
export const FAULT_RETRY_MS_MAX = 60_000;

/** The interval of the check that open files are still at their paths. With the time of a check, it runs at least every 5 seconds. */
export const PLACE_CHECK_MS = 4_000;

/** How long open bots answer searches while a shared storage does not answer, in milliseconds. */
export const STALE_MAX_MS_DEFAULT = 60_000;

/** Token codes in memory, of all bots together, in bytes: those of about 8,000 passages. */
export const RERANK_MEMORY_BYTES_DEFAULT = 67_108_864;

/** Bots that are open at once where the limit of open files is unknown. */
export const OPEN_BOTS_DEFAULT = 256;
