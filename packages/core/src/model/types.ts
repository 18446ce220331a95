/** The domain's types. Everything here is plain data: it can be logged, sent and compared. */

import type { BotFault } from "./faults.ts";
import type { KeyInfo } from "./keys.ts";
import type { Missing } from "./missing.ts";
import type { DocumentOrigin } from "./sources.ts";
import type { VectorStats } from "./vector-stats.ts";

/** Any value JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A JSON object. Keys are data: `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** What a document is. `EXTERNAL` are the articles that owners manage; the operator imports the others. */
export type DocumentType = "WEBPAGE" | "PDF" | "DOCUMENT" | "TABLE" | "QNA" | "EXTERNAL";
/** The types that can be imported. */
export type ImportedType = Exclude<DocumentType, "EXTERNAL">;
/** Set by the operator and returned as it is; every status is searched. */
export type DocumentStatus = "active" | "inactive" | "pending";
/** `uploading` until the newest version is found by words, then `active`. */
export type ArticleStatus = "uploading" | "active";

/** A value of an article's flat metadata. */
export type MetadataValue = string | number | boolean;
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Where an article is shown: on a channel, for one agent or for all. */
export interface ActiveOn {
  readonly agent?: string;
  readonly channel: string;
}

/** What the owner of a bot writes, updates and deletes. */
export interface Article {
  /** 24 lower-case hex digits, roughly ordered by time, never used again. */
  readonly id: string;
  readonly status: ArticleStatus;
  readonly title: string;
  /** Markdown, exactly as it was sent. */
  readonly body: string;
  readonly metadata: Metadata;
  /** Absolute http or https URL; absent when none was given. */
  readonly source?: string;
  readonly activeOn: readonly ActiveOn[];
  /** ISO 8601, UTC, milliseconds. Never before the `createdAt` of an older article of the bot. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  /** Code points of the title plus code points of the body: what counts against the quota. */
  readonly characterCount: number;
}

/** The fields of a new article. */
export interface ArticleInput {
  readonly title: string;
  readonly body: string;
  readonly metadata?: Metadata | null;
  readonly source?: string | null;
  readonly activeOn?: readonly ActiveOn[] | null;
  /** Refuse `activeOn` entries that are not registered and active for this bot. Default false. */
  readonly strict?: boolean | null;
}

/** The fields of an update: given ones replace, absent ones stay, `null` removes the source and empties metadata or activeOn. */
export interface ArticlePatch {
  readonly title?: string;
  readonly body?: string;
  readonly metadata?: Metadata | null;
  readonly source?: string | null;
  readonly activeOn?: readonly ActiveOn[] | null;
  readonly strict?: boolean | null;
}

/** The answer to a create or an update. */
export interface ArticleWrite {
  readonly article: Article;
  /** Code points of all the bot's articles, right after this write. */
  readonly characterUsed: number;
  /** The create was known by its idempotency key: nothing was written or charged, and this is the answer of then. */
  readonly isReplayed?: true;
}

/** A key of metadata that tells articles apart, or several that do so together: 1 to 100. */
export type ArticleKeys = string | readonly string[];

/** The answer to an upsert. */
export interface ArticleUpsert extends ArticleWrite {
  /** Whether the article was created. */
  readonly isNew: boolean;
}

export interface ArticleCreateOptions {
  /**
   * 1 to 255 visible ASCII characters, made up by the caller for this one create: the same key with the same input within 24 hours
   * creates nothing more and resolves with the same answer again, also after a restart. The last 10,000 of a bot are known.
   */
  readonly idempotencyKey?: string;
}

export interface ArticleChangeOptions {
  /**
   * A tag as `articleTag` makes it, or several with commas between them: the write is refused unless one of them is the article's. Only
   * the status may have changed since. `*` is any.
   */
  readonly ifMatch?: string;
}

export interface ArticlePreviewOptions {
  /** Aborted, it ends the work, and the waiting for it, with its reason. */
  readonly signal?: AbortSignal;
}

/** What a create or an update would come to, if it were made now. */
export interface ArticlePreview {
  /** Code points that the article would have. */
  readonly characterCount: number;
  /** Characters that the write would add to the rate window. */
  readonly charge: number;
  /** Characters that the quota would have left: below 0 the write would be refused, unless it adds nothing. */
  readonly characterLeft: number;
  /** Whole seconds until the rate admits it: 0 for now, `null` for never. */
  readonly waitSeconds: number | null;
  /** The passages that would be indexed, in order. */
  readonly passages: readonly PassageLines[];
}

/** A passage of a document, as it is indexed. */
export interface PassageLines {
  /** 1-based first line in the document's markdown. */
  readonly start: number;
  /** 1-based last line, inclusive. */
  readonly stop: number;
  readonly text: string;
}

/** One block of a document's markdown. A document's lines count over its blocks joined by one newline. */
export interface ContentBlock {
  readonly md: string;
}

/** Imported knowledge other than questions with answers. */
export interface ContentDocumentInput {
  readonly resourceDocId: string;
  readonly type: Exclude<ImportedType, "QNA">;
  /** Default `active`. */
  readonly status?: DocumentStatus;
  readonly url?: string;
  readonly metaData?: JsonObject;
  readonly content: readonly ContentBlock[];
}

/** An imported question with its answer. */
export interface QnaDocumentInput {
  readonly resourceDocId: string;
  readonly type: "QNA";
  /** Default `active`. */
  readonly status?: DocumentStatus;
  readonly url?: string;
  readonly metaData?: JsonObject;
  readonly question: string;
  readonly answer: string;
  /** Other wordings of the question. */
  readonly alternatives?: readonly string[];
}

export type DocumentInput = ContentDocumentInput | QnaDocumentInput;

/** Imported knowledge as it is kept: a {@link DocumentInput} with its defaults filled in. */
export type StoredDocument = (ContentDocumentInput | QnaDocumentInput) & {
  readonly status: DocumentStatus;
  readonly metaData: JsonObject;
};

/** What an import did with one document. */
export type ImportOutcome = "added" | "replaced" | "unchanged";

/** An agent or a channel that `strict` creates are checked against. */
export interface Registration {
  readonly name: string;
  readonly active: boolean;
}

/** Anything that can be found: an article or an imported document, as the index sees it. */
export interface SearchableDocument {
  /** The article's id or the document's resourceDocId. */
  readonly id: string;
  readonly type: DocumentType;
  readonly status: DocumentStatus;
  /** As results show it: an article's metadata plus its title; a QNA's `title` is its question. */
  readonly metaData: JsonObject;
  readonly url?: string;
  /** Markdown blocks; lines count over them joined by one newline. */
  readonly content: readonly ContentBlock[];
  /** Wordings that stand for the whole document: its title, or a QNA's question and alternatives. */
  readonly titles: readonly string[];
}

/** A filter compares one field of the result document by `===`. Dotted names address nested fields. */
export type FilterValue = string | number | boolean;
export type Filters = Readonly<Record<string, FilterValue>>;

export interface SearchOptions {
  readonly filters?: Filters;
  /** Most documents to return: an integer from 1; more than 100 counts as 100. Default 10. */
  readonly topK?: number;
  /** Whether questions with answers (QNA) are searched. Default true. */
  readonly includeFaqs?: boolean;
  /** Whether results carry the document's whole markdown. Default false: `content` is `[]`. */
  readonly includeContent?: boolean;
  /** Leaves out QNA documents whose status is not active. Default false. */
  readonly onlyActiveIntents?: boolean;
  /** Default: the bot's setting. */
  readonly quality?: Quality;
  /**
   * Aborted, it ends the search, which then rejects with its reason: one with a timeout is a deadline. What was given up
   * takes no more time. Default: nobody gives it up.
   */
  readonly signal?: AbortSignal;
}

/**
 * Who reads a question: `best` is the bot's embedder, milliseconds a question; `fast` its static embedder, microseconds, for a point or two of nDCG.
 * Passages are the embedder's as soon as it has read them, in both cases.
 */
export type Quality = "best" | "fast";

/** A passage that matched, with the exact lines where it stands. */
export interface TextPart {
  /** The lines `start` to `stop` as they stand, or their matching sentences where they are longer than 2,000 characters. */
  readonly text: string;
  /** From 0 to 1; 1 if and only if the query equals the part, the title or the question. */
  readonly similarity: number;
  /** 1-based first line in the document's markdown. */
  readonly start: number;
  /** 1-based last line, inclusive. */
  readonly stop: number;
}

/** One found document, in the shape of the API. */
export interface SearchResult {
  readonly resourceDocId: string;
  readonly type: DocumentType;
  readonly status: DocumentStatus;
  readonly metaData: JsonObject;
  readonly url?: string;
  /** The highest similarity among `similarTextParts`. */
  readonly bestMatchScore: number;
  /** At most three, best first, no two sharing a line. */
  readonly similarTextParts: readonly TextPart[];
  readonly content: readonly ContentBlock[];
}

/** How much of a bot is found by meaning, when nothing more can be done for it now. */
export interface Upgrade {
  /** Whether its embedder has read everything that it can read: true for a bot without one. */
  readonly complete: boolean;
  /** What keeps the embedder from being used here; absent if nothing does. */
  readonly missing?: Missing;
  /** Why no more vectors are made before somebody changes a setting, makes room or starts the engine again; absent if nothing of that is needed. */
  readonly blocked?: string;
  /** Documents that the embedder refused again and again: tried anew after the next start. */
  readonly documentsGivenUp: number;
}

/** Articles to list: those that match all that is given. */
export interface ArticleFilter {
  readonly id?: string;
  /** Exact and case-sensitive. */
  readonly title?: string;
  /** The article's metadata has each of these keys, with a value that is written so: `7`, `true` and `abc` as they stand. */
  readonly metadata?: ReadonlyMap<string, string>;
}

/** A page of a list of articles. */
export interface ArticlePageRequest extends ArticleFilter {
  /** Most articles of the page, from 1 to 1,000. Default: all. */
  readonly limit?: number;
  /** What {@link ArticlePage.next} was of the page before. */
  readonly after?: string;
}

export interface ArticlePage {
  /** Oldest `createdAt` first, ties by id. */
  readonly articles: readonly Article[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

export interface ImportOptions {
  /**
   * What brings the document: the name of a source, or more about it. The id then belongs to that source: another one, or
   * an import that names none, is refused for it. Without a source the id belongs to the imports that name none.
   */
  readonly source?: string | DocumentOrigin;
}

export interface RemoveOptions {
  /** Only if this source brought it, and if an argument is given, that one. */
  readonly source?: string | DocumentOrigin;
}

export interface DocumentFilter {
  readonly type?: ImportedType;
  readonly status?: DocumentStatus;
}

/** What a bot is, and what its operator decided for it. */
export interface BotSettings {
  /** Unique among the bots of a data directory; 1 to 200 characters. */
  readonly name: string;
  /** Most characters that all its articles together may have. */
  readonly quotaCharacters: number;
  /** Most characters that may be added in any 60 seconds. */
  readonly rateCharactersPerMinute: number;
  /**
   * Most bytes that all its articles together may take: 0, a number from 1,024, or `auto`: 16 times `quotaCharacters` plus 32 MiB. An article counts the UTF-8 bytes of title, body and source, those of
   * metadata and activeOn as JSON, and 100 more.
   */
  readonly quotaBytes: number | "auto";
  /** Most bytes of articles that may be written in any 60 seconds: 0, a number from 1,024, or `auto`: 64 times `rateCharactersPerMinute` plus 16 MiB. */
  readonly rateBytesPerMinute: number | "auto";
  /**
   * Most bytes that all its imported documents together may take: a number, or `none`. A document counts the UTF-8 bytes of its id, its url and its texts, those of metaData as
   * JSON, and 100 more.
   */
  readonly importBytes: number | "none";
  /** Language of its knowledge: a BCP 47 tag, as `en` or `de-CH`; `auto` where each document tells its own, `multi` for a mixture by plain words. */
  readonly language: string;
  /** Name of the embedder that makes its vectors, or `none`: found by words alone. */
  readonly embedder: string;
  /** Who reads its questions, if the search does not say. */
  readonly quality: Quality;
}

export interface BotInfo extends BotSettings {
  /** 24 lower-case hex digits. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Whether any key is in force. */
  readonly hasKey: boolean;
  /** What keeps it from being used or written to; absent if nothing is known to. */
  readonly fault?: BotFault;
}

/** A bot, as the key knows it that opened it. */
export interface OpenedBot extends BotInfo {
  readonly key: KeyInfo;
}

/** How far a bot's words are read in another language. Until all are, searches have those of the language before. */
export interface LanguageChange {
  /** Searchable documents, articles among them. */
  readonly documents: number;
  readonly documentsRead: number;
}

/** Figures about one bot. */
export interface BotStats {
  readonly articles: number;
  /** Imported documents by type. */
  readonly documents: Readonly<Record<ImportedType, number>>;
  /** Indexed passages by document type; wordings of questions are not among them. */
  readonly passages: Readonly<Record<DocumentType, number>>;
  /** Characters of all its articles. */
  readonly characterUsed: number;
  /** As in {@link BotSettings}. */
  readonly quotaCharacters: number;
  /** Characters admitted in the last 60 seconds. */
  readonly rateUsed: number;
  /** As in {@link BotSettings}. */
  readonly rateCharactersPerMinute: number;
  /** Bytes of all its articles, as `quotaBytes` counts them. */
  readonly bytesUsed: number;
  /** As in {@link BotSettings}, as a number. */
  readonly quotaBytes: number;
  /** Bytes of articles written in the last 60 seconds. */
  readonly rateBytesUsed: number;
  /** As in {@link BotSettings}, as a number. */
  readonly rateBytesPerMinute: number;
  /** Bytes of all its imported documents, as `importBytes` counts them. */
  readonly importBytesUsed: number;
  /** As in {@link BotSettings}. */
  readonly importBytes: number | "none";
  /** Accepted versions that are not searchable yet. */
  readonly indexQueue: number;
  /** Versions that could not be indexed; the log says why. */
  readonly indexFailures: number;
  /** Absent but for the while after its language was changed. */
  readonly languageChange?: LanguageChange;
  readonly vectors: VectorStats;
  /** Bytes of this bot's directory; 0 in memory. */
  readonly diskBytes: number;
  /** Estimated bytes of its content and index in memory. */
  readonly memoryBytes: number;
  readonly terms: number;
}
