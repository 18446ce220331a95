/** All maxima and minima, with the unit in the name. They are part of the contract: change them there first. */

export const QUERY_CHARACTERS_MAX = 4_096;
export const TITLE_CHARACTERS_MIN = 3;
export const TITLE_CHARACTERS_MAX = 1_000;
export const BODY_CHARACTERS_MIN = 1;
/** Of an article. A request over HTTP is bounded before by the maximum of its body. */
export const BODY_CHARACTERS_MAX = 64 * 1_048_576;
/** The id of a request for an article. An article's own id has 24 characters. */
export const ARTICLE_ID_CHARACTERS_MAX = 256;
export const SOURCE_CHARACTERS_MAX = 2_048;
export const METADATA_KEYS_MAX = 100;
export const METADATA_KEY_CHARACTERS_MAX = 256;
export const METADATA_VALUE_CHARACTERS_MAX = 10_000;
/** Keys and values of one article's metadata in all, as text. */
export const METADATA_CHARACTERS_MAX = 65_536;
export const ACTIVE_ON_ENTRIES_MAX = 1_000;
/** Entries of one filter object: fields and groups. */
export const FILTERS_MAX = 50;
/** Filters in one `and` or `or`. */
export const FILTER_GROUP_MAX = 50;
/** Levels of filter objects. The root is the first; each `and`, `or` and `not` adds one. */
export const FILTER_LEVELS_MAX = 8;
/** Conditions of one search: operators of fields, and plain values. */
export const FILTER_CONDITIONS_MAX = 200;
/** Values of one `in` or `nin`. */
export const FILTER_VALUES_MAX = 1_000;
/** The whole name of a filter, `metaData.` included. */
export const FILTER_NAME_CHARACTERS_MAX = 512;
/** Dots in the name of a filter. Each may stand between two keys, or belong to one. */
export const FILTER_NAME_DOTS_MAX = 32;
/** The text value of a filter: as long as the longest text in an article's metadata. */
export const FILTER_TEXT_CHARACTERS_MAX = 10_000;
export const JSON_DEPTH_MAX = 64;
/** Values and keys in the body of one request: no request of the API has near as many. */
export const JSON_VALUES_MAX = 30_000;
/** Broken rules of one input that an error names. Further ones are only counted. */
export const VIOLATIONS_MAX = 100;
export const REQUEST_BODY_BYTES_MAX = 1_048_576;

/** Articles on one page of a list. */
export const PAGE_ARTICLES_MAX = 1_000;
/** Rows on one page of the list of all documents, rows before a page, and the text that they are searched for. */
export const PAGE_DOCUMENTS_MAX = 1_000;
export const DOCUMENT_OFFSET_MAX = 1_000_000_000;
export const DOCUMENT_SEARCH_CHARACTERS_MAX = 200;
/** Ids in the sorted lists of a bot that are kept for its next page. */
export const SORTED_IDS_MAX = 250_000;
/** The `next` of a page. */
export const PAGE_MARK_CHARACTERS_MAX = 1_000;
/** The beginning of a title by which articles are sorted. Titles that begin alike are in the order of their ids. */
export const TITLE_SORTED_CHARACTERS_MAX = 100;
/** Operations of one batch. */
export const BATCH_OPERATIONS_MAX = 100;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
/** How long a create is known by its idempotency key, in milliseconds. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;
/** The number of a bot's last creates that are known by their idempotency keys. */
export const IDEMPOTENCY_KEYS_MAX = 10_000;

/** Connections that a server holds at the same time, where the process may open enough files. */
export const CONNECTIONS_MAX = 4_096;

/** The prefix that is typed into a search box. */
export const SUGGEST_PREFIX_CHARACTERS_MAX = 200;
export const SUGGEST_LIMIT_DEFAULT = 8;
export const SUGGEST_LIMIT_MAX = 20;
/** Titles, questions and headings of one document that are suggested. */
export const SUGGESTED_TEXTS_MAX = 1_000;
/** The longest title, question or heading that is suggested, in UTF-16 units. */
export const SUGGESTED_CHARACTERS_MAX = 500;
/** Words of one suggested text, and of a typed prefix, that count: in scripts without spaces letters. Each has a bit of a 32-bit number. */
export const SUGGESTED_TOKENS_MAX = 31;

export const TOP_K_DEFAULT = 10;
export const TOP_K_MAX = 100;
/** Fields of one query whose values are counted. */
export const FACETS_MAX = 10;
/** Values of one field in the answer to a query. */
export const FACET_VALUES_MAX = 20;
/** Different values of one field that a query counts. Values that come later are left out. */
export const FACET_VALUES_COUNTED_MAX = 50_000;
/** A text that is counted, or that a group has. A longer one is no value: a filter would rarely name it. */
export const FACET_TEXT_CHARACTERS_MAX = 1_000;
export const GROUP_SIZE_DEFAULT = 3;
export const GROUP_SIZE_MAX = 100;
/** The highest offset: the last document of the answer with {@link TOP_K_MAX}. */
export const OFFSET_MAX = TOP_K_MAX - 1;
/** The context of one text part, the part included. */
export const CONTEXT_CHARACTERS_DEFAULT = 2_000;
export const CONTEXT_CHARACTERS_MAX = 20_000;
export const TEXT_PARTS_MAX = 3;
export const TEXT_PART_CHARACTERS_MAX = 2_000;
/** The highest similarity of a match that is not exact. */
export const SIMILARITY_INEXACT_MAX = 0.999;

/**
 * The budget of one search, counted in operations and never in time: the same data and question give the same answer on every machine.
 * A question of a few words never comes near it. `effort.ts` and `weighing.ts` say how a hostile question is cut.
 */
/** Entries of postings lists that are read. An entry of several terms that count as one counts as eight. */
export const SEARCH_POSTINGS_MAX = 8_000_000;
/** Passages whose partial score is completed, each times the terms that it may lack. */
export const SEARCH_COMPLETIONS_MAX = 8_000_000;
/**
 * Passages of one found document that are compared with the question, times the terms of the question. A search returns at most
 * {@link TOP_K_MAX} documents, so all comparisons of a search are bounded.
 */
export const DOCUMENT_COMPARISONS_MAX = 800_000;
/**
 * Effort of a query for counting all documents found: passages, each times the terms of the question. It suffices for 50,000 passages and the longest
 * question.
 */
export const QUERY_COUNTS_MAX = 64_000_000;
/** Nearest embedding windows that a search takes as candidates. */
export const SEARCH_NEAREST_WINDOWS_MAX = 65_536;
/**
 * The most operations of a request between two yields, on a bot of 50,000 passages: two to five milliseconds.
 * One operation is a posting that is read, a score or a document that is checked, a metadata key that is probed or listed, or 32 compared codes of a vector.
 * A walk through a graph counts as the scan that takes as long. This holds for vectors of up to 384 dimensions.
 */
export const SLICE_OPERATIONS_MAX = 1_048_576;
/** Effort for question words that no passage holds: terms of the index that are checked, and comparisons letter by letter. */
export const SEARCH_GUESSES_MAX = 4_000_000;

/** Lines of synonyms of one bot. */
export const VOCABULARY_SYNONYMS_MAX = 10_000;
/** Texts in one line of synonyms, both sides together. */
export const VOCABULARY_SYNONYM_TEXTS_MAX = 50;
/** Pinned answers of one bot, and its words to ignore. */
export const VOCABULARY_PINS_MAX = 1_000;
export const VOCABULARY_IGNORED_MAX = 1_000;
/** One text of a vocabulary: words that mean the same, words to ignore, or the pattern of a question. */
export const VOCABULARY_TEXT_CHARACTERS_MAX = 200;
/** Words of one text of a vocabulary that stand together in a question. A pattern is bounded by its characters alone. */
export const VOCABULARY_TEXT_WORDS_MAX = 10;
/** One line of synonyms as text. Its texts are bounded one by one. */
export const VOCABULARY_LINE_CHARACTERS_MAX = VOCABULARY_SYNONYM_TEXTS_MAX * (VOCABULARY_TEXT_CHARACTERS_MAX + 4);
/** UTF-16 units of all texts of one vocabulary. They are written as one record. */
export const VOCABULARY_UNITS_MAX = 500_000;
/** Terms that synonyms add to one question. Each counts as effort, as a term of the question does. */
export const SEARCH_SYNONYM_TERMS_MAX = 256;

/** The most days that a question log may keep a question. */
export const QUESTION_LOG_DAYS_MAX = 365;
/** Questions of one bot's log. Beyond them, the oldest answered ones are dropped first. */
export const QUESTIONS_MAX = 20_000;
/** UTF-16 units of all questions and comments of one bot's log. Beyond them, the same. */
export const QUESTION_UNITS_MAX = 2_097_152;
/** Questions of all bots that wait in memory to be written, and their UTF-16 units. Beyond either, further ones are dropped and counted. */
export const QUESTIONS_WAITING_MAX = 10_000;
export const QUESTION_UNITS_WAITING_MAX = 4_194_304;
/** Documents of one answer that the log counts as found, and documents of one bot of which it knows when they were found. */
export const FOUND_OF_QUESTION_MAX = 10;
export const FOUND_DOCUMENTS_MAX = 100_000;
/** Weeks whose figures are kept. */
export const INSIGHTS_WEEKS_MAX = 60;
/** The id of a search that feedback names. */
export const REQUEST_ID_CHARACTERS_MAX = 128;
/** A comment of feedback. */
export const FEEDBACK_COMMENT_CHARACTERS_MAX = 1_000;
/** How long after a search its feedback is taken, in milliseconds. */
export const FEEDBACK_MS_MAX = 24 * 3_600_000;
/** Rows of one page of a question log, and groups of one list of gaps. */
export const INSIGHTS_LIMIT_MAX = 1_000;
export const INSIGHTS_LIMIT_DEFAULT = 100;
/** Different questions that are grouped into gaps: the most frequent ones. */
export const GAP_QUESTIONS_MAX = 2_000;
/** Groups of questions. Beyond them, a question that is near no group is left out. */
export const GAP_GROUPS_MAX = 500;
/** Examples of one gap. */
export const GAP_EXAMPLES_MAX = 5;
/** Golden questions of one bot. */
export const GOLDEN_QUESTIONS_MAX = 2_000;
/** Documents that may answer one golden question, and ranges of lines in one of them. */
export const GOLDEN_DOCUMENTS_MAX = 10_000;
export const GOLDEN_LINES_MAX = 1_000;
/** UTF-16 units of all golden questions of one bot, as JSON. They are written as one record. */
export const GOLDEN_UNITS_MAX = 1_048_576;
/** Runs of one bot that are kept. */
export const RUNS_MAX = 200;
/** UTF-16 units of the misses of one run, as JSON, and of those of all runs of one bot. Beyond them documents of misses are cut first, then misses. */
export const RUN_MISSES_UNITS_MAX = 131_072;
export const RUN_UNITS_MAX = 4_194_304;

export const RATE_WINDOW_MS = 60_000;

/** Names of bots, keys, agents and channels. */
export const NAME_CHARACTERS_MAX = 200;
/** The tag of a bot's language, with its regions, variants and extensions. */
export const LANGUAGE_CHARACTERS_MAX = 100;
/** Keys of one bot, its first one included. They are written as one text. */
export const BOT_KEYS_MAX = 100;
/** The highest request rate of a key. */
export const KEY_REQUESTS_PER_MINUTE_MAX = 1_000_000;
/** Admin keys of one engine, and bots that one of them lists. */
export const ADMIN_KEYS_MAX = 100;
export const ADMIN_KEY_BOTS_MAX = 1_000;
/** Sessions of one admin key. One more ends its oldest, and none of another key. */
export const ADMIN_KEY_SESSIONS_MAX = 20;
/** Changes that the audit log keeps, those of one page, and the sign-ins, sign-outs or backups of one key among them. */
export const ADMIN_CHANGES_MAX = 10_000;
export const ADMIN_CHANGES_PAGE_MAX = 1_000;
export const ADMIN_KEY_ACCESSES_MAX = 20;
/** The id or name of what was changed; a longer one is cut. */
export const ADMIN_CHANGE_TARGET_CHARACTERS_MAX = 300;
/** Failed sign-ins of an address in 15 minutes after which it is slowed down, and addresses whose failures are counted. */
export const SIGN_IN_FAILURES_MAX = 10;
export const SIGN_IN_ADDRESSES_MAX = 10_000;
/** Origins of one key. */
export const KEY_ORIGINS_MAX = 100;
/** One origin: a scheme, the longest name of a host, and a port. */
export const KEY_ORIGIN_CHARACTERS_MAX = 300;
export const RESOURCE_ID_CHARACTERS_MAX = 2_048;
/** The name of a source, the name of an argument, and a path: as long as a path may be. */
export const SOURCE_NAME_CHARACTERS_MAX = 4_096;
/** Sources of one bot. */
export const SOURCES_MAX = 100_000;
/** Arguments of one source. They are written as one text. */
export const SOURCE_ARGUMENTS_MAX = 1_000;
/** The digest by which an importer recognises a file. */
export const SOURCE_DIGEST_CHARACTERS_MAX = 100;
/** Settings of an argument, each with a name and a text of at most {@link SOURCE_SETTING_CHARACTERS_MAX} characters. */
export const SOURCE_SETTINGS_MAX = 50;
export const SOURCE_SETTING_CHARACTERS_MAX = 1_000;
/** Problems that are kept of an argument's last import, each of at most {@link SOURCE_PROBLEM_CHARACTERS_MAX} characters. */
export const SOURCE_PROBLEMS_MAX = 10;
/** Notes that are kept on an argument's files, with the same maximum length. */
export const SOURCE_NOTES_MAX = 100;
export const SOURCE_PROBLEM_CHARACTERS_MAX = 500;
/** The texts of one imported document in UTF-8, a QNA's alternatives among them. */
export const DOCUMENT_BYTES_MAX = 64 * 1_048_576;

/** Blocks of one imported document's content. */
export const DOCUMENT_BLOCKS_MAX = 50_000;
/** One imported document's metadata as JSON in UTF-8: every answer with the document carries it. */
export const DOCUMENT_METADATA_BYTES_MAX = 1_048_576;
/** All values in one imported document's metadata, nested ones included. Lists and objects count too. */
export const DOCUMENT_METADATA_VALUES_MAX = 10_000;
/** The title in one imported document's metadata, a QNA's question, and each of its alternatives. */
export const DOCUMENT_TITLE_CHARACTERS_MAX = 10_000;
export const DOCUMENT_ALTERNATIVES_MAX = 1_000;
export const DOCUMENT_URL_CHARACTERS_MAX = 10_000;

/** Passages of one bot's index, including deleted ones until compaction. A posting has 24 bits for an ordinal. */
export const PASSAGES_MAX = 2 ** 24;
/** The sum of the distinct terms of each passage of one bot. With their slack, postings are addressed by offsets of 32 bits. */
export const POSTINGS_MAX = 2 ** 30;

/** More dimensions than any sentence encoder in use has. */
export const VECTOR_DIMENSIONS_MAX = 4_096;

/** One section of a snapshot. It is read into one buffer, and Node.js 20 has no longer buffers. */
export const SECTION_BYTES_MAX = 4_294_967_295;
/** One bot on disk: its newest snapshot and the records after it. So each part of its state fits into a section. */
export const BOT_BYTES_MAX = SECTION_BYTES_MAX;
/** Articles and imported documents of one bot. A `Map` ends at some 16.7 million. */
export const BOT_DOCUMENTS_MAX = 10_000_000;
/** Metadata keys of one bot that have an index of articles: the keys used last. Each takes up to 100 bytes an article. */
export const METADATA_KEYS_INDEXED_MAX = 4;
/** Agents of one bot, and also its channels. They are written as one text. */
export const REGISTRATIONS_MAX = 100_000;

/** The cache of question vectors of one embedder: about 2,500 questions of the English encoder. */
export const QUESTION_VECTORS_BYTES_MAX = 5 * 1_048_576;

/** The quantized vectors of one bot, a byte a dimension. They lie in one buffer. */
export const VECTOR_ROWS_BYTES_MAX = 4_294_967_295;

/** A stored HNSW graph. It is read into one buffer, and Node.js 20 has no longer buffers. */
export const GRAPH_BYTES_MAX = 4_294_967_295;

/** A log record's payload. Checked before anything is allocated. */
export const RECORD_BYTES_MAX = 128 * 1_048_576;

/**
 * The smallest sizes that options accept, in bytes. A smaller number was likely meant in kibibytes or mebibytes, and would stop all work.
 */
/** The memory of open bots, and of all bots. One empty bot takes tens of kilobytes. */
export const MEMORY_BYTES_MIN = 1_048_576;
/** Token codes in memory: those of about eight passages. */
export const RERANK_MEMORY_BYTES_MIN = 65_536;
/** The articles of a bot, and the articles written in a minute: a few of the smallest. 0 is accepted too: no article at all. */
export const QUOTA_BYTES_MIN = 1_024;
/** The body of one request, and all bodies together. A search with its filters has some hundred bytes. */
export const BODY_BYTES_MIN = 1_024;
/** All unsent answers together. One chunk of an answer has this size. */
export const UNSENT_BYTES_MIN = 65_536;

/** The path of a socket in the file system. Every system accepts this length. */
export const SOCKET_PATH_BYTES_MAX = 100;

/** The greatest staleness that may be asked for while a shared storage answers, in milliseconds. */
export const MAX_STALENESS_MS_MAX = 60_000;
/** The longest time for which open bots may answer searches while a shared storage does not answer, in milliseconds: a day. */
export const STALE_MAX_MS_MAX = 86_400_000;

/** One file that is uploaded to the admin API. */
export const ADMIN_UPLOAD_BYTES_MAX = 64 * 1_048_576;
/** One backup that is restored over the admin API. */
export const ADMIN_RESTORE_BYTES_MAX = 16 * 1_073_741_824;
/** The name of an uploaded file. */
export const ADMIN_FILE_NAME_CHARACTERS_MAX = 200;
/** Addresses of one import over the admin API, and the length of each. */
export const ADMIN_ADDRESSES_MAX = 100;
export const ADMIN_ADDRESS_CHARACTERS_MAX = 2_048;
/** Uploads, backups and restores that a server carries at the same time. */
export const ADMIN_TRANSFERS_MAX = 8;
/** Of them, those of one admin key. */
export const ADMIN_KEY_TRANSFERS_MAX = 4;
/** Consoles that a server sends events to at the same time. */
export const ADMIN_EVENT_STREAMS_MAX = 64;
/** Of them, those of one admin key. */
export const ADMIN_KEY_EVENT_STREAMS_MAX = 16;
/** The text that is sent to sign in: an admin key or a code. */
export const SIGN_IN_CHARACTERS_MAX = 512;
