/** The domain's types. Everything here is plain data: it can be logged, sent and compared. */

import type { BotFault } from "./faults.ts";
import type { SearchFilter } from "./filter-types.ts";
import type { KeyInfo } from "./keys.ts";
import type { Missing } from "./missing.ts";
import type { ArticleSort, Context, DocumentStatus, DocumentType, ImportedType, Quality } from "./options.ts";
import type { DocumentOrigin } from "./sources.ts";
import type { VocabularyInput } from "./vocabulary-types.ts";

export type { ArticleSort, Context, DocumentStatus, DocumentType, ImportedType, Quality };

/** Any value JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A JSON object. Keys are data: `__proto__` is a key like any other. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** `uploading` until BM25 finds the newest version, then `active`. */
export type ArticleStatus = "uploading" | "active";

/** A value of an article's flat metadata. */
export type MetadataValue = string | number | boolean;
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Where an article is shown: on a channel, for one agent or for all. */
export interface ActiveOn {
  readonly agent?: string;
  readonly channel: string;
}

/** A document that the owners of a bot write, update and delete. */
export interface Article {
  /** 24 lower-case hex digits, roughly ordered by time. No id is used twice. */
  readonly id: string;
  readonly status: ArticleStatus;
  readonly title: string;
  /** Markdown, exactly as it was sent. */
  readonly body: string;
  readonly metadata: Metadata;
  /** Absolute http or https URL. Absent if none was given. */
  readonly source?: string;
  readonly activeOn: readonly ActiveOn[];
  /** ISO 8601, UTC, milliseconds. Never before the `createdAt` of an older article of the bot. */
  readonly createdAt: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly updatedAt: string;
  /** Code points of title and body. They count against the quota. */
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

/** The fields of an update. A given field replaces, an absent one stays. `null` removes the source, and empties metadata or activeOn. */
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
  /** The create was known by its idempotency key. Nothing was written or charged, and the first answer is returned again. */
  readonly isReplayed?: true;
}

/** The metadata keys that identify an article: one key, or up to 100 together. */
export type ArticleKeys = string | readonly string[];

/** The answer to an upsert. */
export interface ArticleUpsert extends ArticleWrite {
  /** Whether the article was created. */
  readonly isNew: boolean;
}

export interface WriteOptions {
  /**
   * On a storage that several nodes share, a write is decided again while other nodes are quicker. Aborting the signal ends that: the write is stored then,
   * or rejects with `CONFLICT`. Default: after 10 seconds.
   */
  readonly signal?: AbortSignal;
}

export interface ArticleCreateOptions extends WriteOptions {
  /** 1 to 255 visible ASCII characters for this one create. The same key and input resolve with the first answer: for 24 hours, of the last 10,000 keys. */
  readonly idempotencyKey?: string;
  /** Adds nothing to the rate of characters, and no rate refuses it: for a delete that is undone. The quota holds. Default false. */
  readonly withoutRate?: boolean;
}

export interface ArticleChangeOptions extends WriteOptions {
  /**
   * A tag of `articleTag`, or several with commas between them. The write is refused unless one of them is the article's tag.
   * A change of the status alone keeps the tag. `*` matches any article.
   */
  readonly ifMatch?: string;
}

export interface ArticlePreviewOptions {
  /** Aborting it rejects the call with its reason. The work, or the wait for it, ends. */
  readonly signal?: AbortSignal;
}

/** The effects of a create or an update, without making it. */
export interface ArticlePreview {
  /** Code points that the article would have. */
  readonly characterCount: number;
  /** Characters that the write would add to the rate window. */
  readonly charge: number;
  /** Characters that the quota would have left. Below 0, a write that adds characters would be refused. */
  readonly characterLeft: number;
  /** Whole seconds until the rate admits the write: 0 for now, `null` for never. */
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
  /** Alternatives of the question. Each is a question variant, as the question is. */
  readonly alternatives?: readonly string[];
}

export type DocumentInput = ContentDocumentInput | QnaDocumentInput;

/** Imported knowledge as it is stored: a {@link DocumentInput} with its defaults filled in. */
export type StoredDocument = (ContentDocumentInput | QnaDocumentInput) & {
  readonly status: DocumentStatus;
  readonly metaData: JsonObject;
};

/** The effect of an import on one document. */
export type ImportOutcome = "added" | "replaced" | "unchanged";

/** An agent or a channel that `strict` creates are checked against. */
export interface Registration {
  readonly name: string;
  readonly active: boolean;
}

/** An article or an imported document, in the form that the index takes. */
export interface SearchableDocument {
  /** The article's id or the document's resourceDocId. */
  readonly id: string;
  readonly type: DocumentType;
  readonly status: DocumentStatus;
  /** The metadata of results. An article's has its title added; a QNA's `title` is its question. */
  readonly metaData: JsonObject;
  readonly url?: string;
  /** Markdown blocks. Lines count over the blocks joined by one newline. */
  readonly content: readonly ContentBlock[];
  /** Texts that stand for the whole document: its title, or the question variants of a QNA. */
  readonly titles: readonly string[];
}

export interface SearchOptions {
  /** Which documents may be returned. Default: all. */
  readonly filters?: SearchFilter;
  /** Most documents to return: an integer from 1. More than 100 counts as 100. Default 10. */
  readonly topK?: number;
  /** Whether questions with answers (QNA) are searched. Default true. */
  readonly includeFaqs?: boolean;
  /** Whether results carry the document's whole markdown. Default false: `content` is `[]`. */
  readonly includeContent?: boolean;
  /** Leaves out QNA documents whose status is not active. Default false. */
  readonly onlyActiveIntents?: boolean;
  /** The text around each text part that results carry as its `context`. Default `none`. */
  readonly context?: Context;
  /** Most characters of one context, its text part included: an integer from 1 to 20,000. Default 2,000. */
  readonly contextCharacters?: number;
  /**
   * Number of documents to leave out before the first returned one: an integer from 0 to 99. The results are a slice of the answer with `topK` 100,
   * so slices that begin with offset 0 fit together. Default: the first `topK` documents.
   */
  readonly offset?: number;
  /** Leaves out documents whose `bestMatchScore` is lower, from 0 to 1. Default 0. */
  readonly minScore?: number;
  /** Default: the bot's setting. `words` finds by words alone, whatever embedder the bot has. */
  readonly quality?: Quality | "words";
  /** Aborting it ends the search, which rejects with its reason and takes no more time. A signal with a timeout is a deadline. Default: no signal. */
  readonly signal?: AbortSignal;
  /** A vocabulary to try instead of the bot's own, which stays as it is. Default: the bot's. */
  readonly vocabulary?: VocabularyInput;
  /** Whether a bot with a question log keeps the question. Default true. */
  readonly noted?: boolean;
  /** The id by which feedback names this search, 1 to 128 characters: over HTTP the `x-request-id`. Default: none. */
  readonly requestId?: string;
}

/** A passage that matched, with the exact lines where it stands. */
export interface TextPart {
  /** The lines `start` to `stop` as they are stored. If they have more than 2,000 characters, only their matching sentences. */
  readonly text: string;
  /** From 0 to 1. It is 1 if and only if the query equals the text part, the title or the question, or the vocabulary pins the document to it. */
  readonly similarity: number;
  /** 1-based first line in the document's markdown. */
  readonly start: number;
  /** 1-based last line, inclusive. */
  readonly stop: number;
  /** The text around it. Absent unless the search asks for it, and if a better part of the document has the same context. */
  readonly context?: PartContext;
}

/** The text around a text part: whole lines, or the text part alone where its lines have more characters than a context may have. */
export interface PartContext {
  /** The lines `start` to `stop` as they are stored. */
  readonly text: string;
  /** 1-based first line in the document's markdown: at most that of the text part. */
  readonly start: number;
  /** 1-based last line, inclusive: at least that of the text part. */
  readonly stop: number;
  /** The headings above the text part, without marks, from the highest rank to the nearest one. Empty if there are none. */
  readonly headings: readonly string[];
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

/** How much of a bot has vectors, once no more of them can be made for now. */
export interface Upgrade {
  /** Whether its embedder has made every vector that it can make. True for a bot without an embedder. */
  readonly complete: boolean;
  /** Why the embedder cannot be used here. Absent if it can. */
  readonly missing?: Missing;
  /** Why no more vectors are made until the operator changes a setting, frees space or restarts the engine. Absent if nothing of that is needed. */
  readonly blocked?: string;
  /** Documents that the embedder refused several times. They are tried again after the next start. */
  readonly documentsGivenUp: number;
}

/** Conditions of articles to list. An article matches if it meets all given ones. */
export interface ArticleFilter {
  readonly id?: string;
  /** Exact and case-sensitive. */
  readonly title?: string;
  /** Keys that the article's metadata has, with their values as text: `7`, `true`, `abc`. */
  readonly metadata?: ReadonlyMap<string, string>;
}

/** The request of a list of articles. */
export interface ArticleListRequest extends ArticleFilter {
  /** The order. Articles with the same key are in the order of their ids; `desc` is the reverse of `asc`. Default `createdAt:asc`. */
  readonly sort?: ArticleSort;
}

/** The request of one page of a list of articles. */
export interface ArticlePageRequest extends ArticleListRequest {
  /** Most articles of the page, from 1 to 1,000. Default: all. */
  readonly limit?: number;
  /** {@link ArticlePage.next} of the previous page, which had the same `sort`. */
  readonly after?: string;
}

export interface ArticlePage {
  /** In the order of the request. */
  readonly articles: readonly Article[];
  /** Where the next page begins. Absent on the last page. */
  readonly next?: string;
}

export interface ImportOptions {
  /**
   * The source of the document: its name, or more about it. The id then belongs to that source: an import of the id under another source,
   * or under none, is refused. Without a source the id belongs to the imports that name none.
   */
  readonly source?: string | DocumentOrigin;
}

export interface RemoveOptions {
  /** Removes the document only if this source imported it, and if an argument is given, that argument. */
  readonly source?: string | DocumentOrigin;
}

export interface DocumentFilter {
  readonly type?: ImportedType;
  readonly status?: DocumentStatus;
}

/** The settings of a bot, as its operator chose them. */
export interface BotSettings {
  /** Unique among the bots of a data directory; 1 to 200 characters. */
  readonly name: string;
  /** Most characters of all its articles together. */
  readonly quotaCharacters: number;
  /** Most characters that may be added in any 60 seconds. */
  readonly rateCharactersPerMinute: number;
  /**
   * Most bytes of all its articles together: 0, a number from 1,024, or `auto`: 16 times `quotaCharacters` plus 32 MiB.
   * An article counts the UTF-8 bytes of title, body and source, those of metadata and activeOn as JSON, and 100 more.
   */
  readonly quotaBytes: number | "auto";
  /** Most bytes of articles that may be written in any 60 seconds: 0, a number from 1,024, or `auto`: 64 times `rateCharactersPerMinute` plus 16 MiB. */
  readonly rateBytesPerMinute: number | "auto";
  /**
   * Most bytes of all its imported documents together: a number, or `none`.
   * A document counts the UTF-8 bytes of its id, its url and its texts, those of metaData as JSON, and 100 more.
   */
  readonly importBytes: number | "none";
  /** Language of its knowledge: a BCP 47 tag, as `en` or `de-CH`. `auto` detects the language of each document; `multi` mixes languages, without stems. */
  readonly language: string;
  /** Name of the embedder that makes its vectors. `none`: passages are found by BM25 alone. */
  readonly embedder: string;
  /** Default of {@link SearchOptions.quality}. */
  readonly quality: Quality;
  /** Whether its questions are kept, masked, to find its gaps. Default false. */
  readonly questionLog: boolean;
  /** How many days a question is kept, 1 to 365. Default 30. */
  readonly questionLogDays: number;
  /** Questions whose best score is lower count as gaps, 0 to 1. Default .3. */
  readonly gapScore: number;
}

export interface BotInfo extends BotSettings {
  /** 24 lower-case hex digits. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Whether any key is in force. */
  readonly hasKey: boolean;
  /** Why it cannot be used or written to. Absent if no fault is known. */
  readonly fault?: BotFault;
}

/** A bot with the key that opened it. */
export interface OpenedBot extends BotInfo {
  readonly key: KeyInfo;
}

/** The progress of a bot's change to another language. Until it is done, searches use the terms of the previous language. */
export interface LanguageChange {
  /** Searchable documents, articles among them. */
  readonly documents: number;
  readonly documentsRead: number;
}
