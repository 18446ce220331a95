/** Every maximum, with its unit in the name. They are part of the contract: change them there first. */

export const QUERY_CHARACTERS_MAX = 4_096;
export const TITLE_CHARACTERS_MIN = 3;
export const TITLE_CHARACTERS_MAX = 1_000;
export const BODY_CHARACTERS_MIN = 1;
/** The id by which an article is asked for; its own has 24. */
export const ARTICLE_ID_CHARACTERS_MAX = 256;
export const SOURCE_CHARACTERS_MAX = 2_048;
export const METADATA_KEYS_MAX = 100;
export const METADATA_KEY_CHARACTERS_MAX = 256;
export const METADATA_VALUE_CHARACTERS_MAX = 10_000;
/** Keys and values of one article's metadata in all, as text. */
export const METADATA_CHARACTERS_MAX = 65_536;
export const ACTIVE_ON_ENTRIES_MAX = 1_000;
export const FILTERS_MAX = 50;
/** The name of a filter, a field of a result: all of it, `metaData.` included. */
export const FILTER_NAME_CHARACTERS_MAX = 512;
/** Dots in the name of a filter: each may stand between two keys, or be part of one. */
export const FILTER_NAME_DOTS_MAX = 32;
/** A text that a field is compared with: as long as the longest text in an article's metadata. */
export const FILTER_TEXT_CHARACTERS_MAX = 10_000;
export const JSON_DEPTH_MAX = 64;
/** Values and keys in the body of one request: no request of the API has near as many. */
export const JSON_VALUES_MAX = 30_000;
/** Broken rules of one input that are named; the others are counted. */
export const VIOLATIONS_MAX = 100;
export const REQUEST_BODY_BYTES_MAX = 1_048_576;

/** Articles on one page of a list. */
export const PAGE_ARTICLES_MAX = 1_000;
/** Operations of one batch. */
export const BATCH_OPERATIONS_MAX = 100;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
/** For so long a create is known by its idempotency key, in milliseconds. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
/** So many creates of one bot are known by their idempotency keys: the last ones. */
export const IDEMPOTENCY_KEYS_MAX = 10_000;

/** Connections that a server holds at the same time, where the process may open enough files. */
export const CONNECTIONS_MAX = 4_096;

export const TOP_K_DEFAULT = 10;
export const TOP_K_MAX = 100;
export const TEXT_PARTS_MAX = 3;
export const TEXT_PART_CHARACTERS_MAX = 2_000;
/** The highest similarity of a match that is not an exact one. */
export const SIMILARITY_INEXACT_MAX = 0.999;

/**
 * What one search may work, counted in operations and never in time: the same data and question give the same answer on every machine. A question of
 * a few words never comes near; what is cut off of a hostile one is said where it is counted (`effort.ts`, `weighing.ts`).
 */
/** Entries of postings lists that are read; one of several terms that count as one takes as long as eight. */
export const SEARCH_POSTINGS_MAX = 8_000_000;
/** Passages whose score is made whole, each times the terms that may be missing of it. */
export const SEARCH_COMPLETIONS_MAX = 8_000_000;
/**
 * Passages of one found document that are compared with the question, times the terms of the question. A search returns at most
 * {@link TOP_K_MAX} documents, so this bounds it as a whole.
 */
export const DOCUMENT_COMPARISONS_MAX = 800_000;
/** Nearest parts that are looked at. */
export const SEARCH_NEAREST_WINDOWS_MAX = 65_536;
/**
 * The most operations of a request between two yields, on a bot of 50,000 passages. One is: a posting that is read, a score or
 * a document that is looked at, a key of metadata that is probed or listed, 32 codes of a vector that are compared. All of them take two to five milliseconds. A walk
 * through a graph counts as the scan that takes as long, and keeps to it with vectors of up to 384 dimensions.
 */
export const SLICE_OPERATIONS_MAX = 1_048_576;
/** Terms of the index that are compared with words that no passage holds: looks at them, and comparisons letter by letter. */
export const SEARCH_GUESSES_MAX = 4_000_000;

export const RATE_WINDOW_MS = 60_000;

/** Names of bots, keys, agents and channels. */
export const NAME_CHARACTERS_MAX = 200;
/** Keys of one bot, the one that it is made with among them: they are written as one text. */
export const BOT_KEYS_MAX = 100;
/** The highest request rate of a key. */
export const KEY_REQUESTS_PER_MINUTE_MAX = 1_000_000;
/** Origins of one key. */
export const KEY_ORIGINS_MAX = 100;
/** One of them: a scheme, the longest name of a host, and a port. */
export const KEY_ORIGIN_CHARACTERS_MAX = 300;
export const RESOURCE_ID_CHARACTERS_MAX = 2_048;
/** The name of what imported documents come from, of an argument of it, and a path: as long as a path may be. */
export const SOURCE_NAME_CHARACTERS_MAX = 4_096;
/** Sources of one bot. */
export const SOURCES_MAX = 100_000;
/** Arguments of one source: they are written as one text. */
export const SOURCE_ARGUMENTS_MAX = 1_000;
/** Characters of what a file is known by. */
export const SOURCE_DIGEST_CHARACTERS_MAX = 100;
/** Settings of an argument, each with a name and a text of at most {@link SOURCE_SETTING_CHARACTERS_MAX} characters. */
export const SOURCE_SETTINGS_MAX = 50;
export const SOURCE_SETTING_CHARACTERS_MAX = 1_000;
/** Problems that are kept of an argument's last import, in texts of at most {@link SOURCE_PROBLEM_CHARACTERS_MAX} characters. */
export const SOURCE_PROBLEMS_MAX = 10;
/** Notes on its files that are kept, in texts of the same length. */
export const SOURCE_NOTES_MAX = 100;
export const SOURCE_PROBLEM_CHARACTERS_MAX = 500;
/** The texts of one imported document in UTF-8, a QNA's alternatives among them. */
export const DOCUMENT_BYTES_MAX = 64 * 1_048_576;

/** Blocks of one imported document's content. */
export const DOCUMENT_BLOCKS_MAX = 50_000;
/** One imported document's metadata as JSON in UTF-8: every answer with the document carries it. */
export const DOCUMENT_METADATA_BYTES_MAX = 1_048_576;
/** All values in one imported document's metadata: lists and objects count, and so does what is in them. */
export const DOCUMENT_METADATA_VALUES_MAX = 10_000;
/** The title in one imported document's metadata, a QNA's question, and each of its alternatives. */
export const DOCUMENT_TITLE_CHARACTERS_MAX = 10_000;
export const DOCUMENT_ALTERNATIVES_MAX = 1_000;
export const DOCUMENT_URL_CHARACTERS_MAX = 10_000;

/** Passages of one bot's index, those included that are gone and not reclaimed yet: a posting has 24 bits for one. */
export const PASSAGES_MAX = 2 ** 24;
/** Distinct terms of all passages of one bot's index, added up: with their slack, postings are found by offsets of 32 bits. */
export const POSTINGS_MAX = 2 ** 30;

/** More dimensions than any sentence encoder in use has. */
export const VECTOR_DIMENSIONS_MAX = 4_096;

/** One part of a snapshot: it is read in one piece, and Node.js 20 has none that are longer. */
export const SECTION_BYTES_MAX = 4_294_967_295;
/** One bot on disk, its newest snapshot and the records after it: so each part of what it knows fits into a section. */
export const BOT_BYTES_MAX = SECTION_BYTES_MAX;
/** Articles and imported documents of one bot. A `Map` ends at some 16.7 million. */
export const BOT_DOCUMENTS_MAX = 10_000_000;
/** Keys of metadata by which one bot's articles are found without looking at each: those asked for last. Up to 100 bytes an article each. */
export const METADATA_KEYS_INDEXED_MAX = 4;
/** Agents of one bot, and as many channels: they are written as one text. */
export const REGISTRATIONS_MAX = 100_000;

/** Questions that one embedder has read, with their vectors: some 2,500 of the English encoder's. */
export const QUESTION_VECTORS_BYTES_MAX = 5 * 1_048_576;

/** The vectors that one bot is searched by, a byte for each number: they lie in one piece of memory. */
export const VECTOR_ROWS_BYTES_MAX = 4_294_967_295;

/** A graph of vectors that is kept for the next start: it is read in one piece, and Node.js 20 has none that are longer. */
export const GRAPH_BYTES_MAX = 4_294_967_295;

/** A log record's payload. Checked before anything is allocated. */
export const RECORD_BYTES_MAX = 128 * 1_048_576;

/**
 * The least sizes that are taken where a size may be chosen, in bytes: a smaller one was likely meant in kibibytes or mebibytes, and would stop all work.
 */
/** What open bots may take, and what all bots may: one empty bot takes tens of kilobytes. */
export const MEMORY_BYTES_MIN = 1_048_576;
/** What is held of the token codes: those of some eight passages. */
export const RERANK_MEMORY_BYTES_MIN = 65_536;
/** What the articles of a bot may take, and what may be written in a minute: a few of the smallest. 0 is taken as well: no article at all. */
export const QUOTA_BYTES_MIN = 1_024;
/** A body of a request, and all bodies together: a search with its filters has some hundred. */
export const BODY_BYTES_MIN = 1_024;
/** All answers together that are made and not taken yet: a piece of one that is sent has as many. */
export const UNSENT_BYTES_MIN = 65_536;

/** The path of a socket in the file system: systems differ in how long it may be; this much all of them take. */
export const SOCKET_PATH_BYTES_MAX = 100;
