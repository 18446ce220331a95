/** Defaults of what can be chosen, in one place. */

import type { DocumentStatus, DocumentType, ImportedType, Quality } from "./types.ts";

export const QUOTA_CHARACTERS_DEFAULT = 1_000_000;
export const RATE_CHARACTERS_PER_MINUTE_DEFAULT = 15_000;
export const LANGUAGE_DEFAULT = "en";
/** The choice of a bot that is found by words alone. */
export const NO_EMBEDDER = "none";
export const QUALITIES: readonly Quality[] = ["best", "fast"];
export const QUALITY_DEFAULT: Quality = "best";
/** The types of what an operator imports. */
export const IMPORTED_TYPES: readonly ImportedType[] = ["WEBPAGE", "PDF", "DOCUMENT", "TABLE", "QNA"];
/** The types that a result can have: those, and that of articles. */
export const DOCUMENT_TYPES: readonly DocumentType[] = [...IMPORTED_TYPES, "EXTERNAL"];
export const DOCUMENT_STATUSES: readonly DocumentStatus[] = ["active", "inactive", "pending"];

/** Writers wait when this many documents wait to be indexed. */
export const INDEX_QUEUE_LENGTH_MAX = 10_000;

/**
 * A snapshot is due when the log has grown by this much since the last one, and by this share of that one: with two snapshots
 * and the log from the older one on, a directory has at most 2.5 times the size of a snapshot, and 1 MiB; and while much is imported what came while the snapshots were written.
 */
export const SNAPSHOT_LOG_BYTES_MIN = 131_072;
export const SNAPSHOT_LOG_SHARE = 0.2;
/** Imports wait for a snapshot that is being written once the log since the last one is longer than this, and than that one. */
export const SNAPSHOT_LAG_BYTES_MAX = 67_108_864;
/** On closing, a shorter log is left to be replayed. */
export const CLOSING_SNAPSHOT_LOG_BYTES_MIN = 65_536;

/** A question that finds its embedder being opened waits this long for it, then it is answered by words. */
export const EMBEDDER_OPENING_MS_MAX = 2_000;
/** The same, and the wait for its vector, where an engine is patient: whoever asks once would rather wait than be answered by words. */
export const ONE_QUESTION_MS_MAX = 60_000;
/** A failed call of the embedder, or a failed try to open it, is repeated after this long, then twice as long, up to the longest. */
export const EMBEDDING_RETRY_MS_MIN = 500;
export const EMBEDDING_RETRY_MS_MAX = 300_000;
/** A document whose texts the embedder refuses this often is left as it is until the next start. */
export const EMBEDDING_REFUSALS_MAX = 3;

/** What a disk refused is tried again after this long, then twice as long, up to the longest. */
export const FAULT_RETRY_MS_MIN = 1_000;
export const FAULT_RETRY_MS_MAX = 60_000;

/** How often it is checked that files are still where they are written to. With the time that a check takes, at least every 5 seconds. */
export const PLACE_CHECK_MS = 4_000;

/** What is held in memory of the token codes, of all bots together, in bytes: those of some 8,000 passages. */
export const RERANK_MEMORY_BYTES_DEFAULT = 67_108_864;

/** How many bots are open at once where nobody knows how many files may be. */
export const OPEN_BOTS_DEFAULT = 256;
