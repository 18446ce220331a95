import type { Article, ArticleChanges, ArticleFilter, BatchResult, NewArticle } from "./types.ts";

/** Options of all calls. */

export interface CallOptions {
  /** Aborts the call, also while it waits; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConditionalOptions extends CallOptions {
  /** The `etag` of what is changed: the write is refused (412, code 20004, or 20019 for no article) if it has changed since. */
  readonly ifMatch?: string;
}

/** The order of a list of articles. Articles with the same time or title are in the order of their ids. */
export type ArticleSort = `${"createdAt" | "updatedAt" | "title"}:${"asc" | "desc"}`;

export interface ListOptions extends CallOptions {
  /** Default `createdAt:asc`. With `updatedAt` and `title`, an article that is changed between two pages may be missed or come twice. */
  readonly sort?: ArticleSort;
  /** Articles in one request, 1 to 1,000. Default 100. */
  readonly pageSize?: number;
}

export interface PageOptions extends CallOptions {
  /** Default `createdAt:asc`. */
  readonly sort?: ArticleSort;
  /** Maximum articles on the page, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The `next` of the previous page, which had the same `sort`. Default: the first page. */
  readonly after?: string | undefined;
}

export interface SuggestOptions extends CallOptions {
  /** Most suggestions, 1 to 20. Default 8. */
  readonly limit?: number;
}

export interface BatchOptions extends CallOptions {
  /**
   * Maximum total wait of the call in seconds, 0 to 7,200. Default: the client's `waitSecondsMax`. A write that the rate refuses is sent again when the service
   * admits it, if that is within this time. With 0 no write is sent again.
   */
  readonly waitSecondsMax?: number;
  /** Called after the first answer, and each time a write that was sent again has its final result. */
  readonly onProgress?: (progress: BatchProgress) => void;
}

/** What a batch has done so far. */
export interface BatchProgress {
  /** Number of operations with their final result, and of all operations. */
  readonly done: number;
  readonly total: number;
  /** The results so far, one for each operation, in their order. A write that waits has its 429. */
  readonly results: readonly BatchResult[];
}

/** A page of the matching articles. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  /** The `after` of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** An article, with the tag of this version. */
export interface Versioned {
  readonly article: Article;
  readonly etag: string;
}

export interface Written extends Versioned {
  /** Characters of all articles of the bot, directly after this write. */
  readonly characterUsed: number;
}

export interface UpsertOptions extends CallOptions {
  /** The metadata key that identifies the article, or several keys that identify it together. The given article has them all. */
  readonly by: string | readonly string[];
}

/** An article after the call. */
export interface Upserted {
  readonly article: Article;
  /** True if it was created. Otherwise it was updated, or was already equal. */
  readonly isNew: boolean;
  /** Characters of all articles of the bot, directly after this write. */
  readonly characterUsed: number;
}

/** The client's calls that a sync needs. */
export interface ArticleCalls {
  listArticles(filter?: ArticleFilter, options?: ListOptions): AsyncIterable<Article>;
  upsertArticle(article: NewArticle, options: UpsertOptions): Promise<Upserted>;
  updateArticle(id: string, changes: ArticleChanges, options?: CallOptions): Promise<Written>;
  deleteArticle(id: string, options?: CallOptions): Promise<void>;
}
