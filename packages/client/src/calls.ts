import type { Article, ArticleChanges, ArticleFilter, NewArticle } from "./types.ts";

/** What calls take and give. */

export interface CallOptions {
  /** Ends the call, also while it waits; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConditionalOptions extends CallOptions {
  /** An article's `etag`: the write is refused (412, code 20004) if the article has changed since. */
  readonly ifMatch?: string;
}

export interface ListOptions extends CallOptions {
  /** Articles in one request, 1 to 1,000. Default 100. */
  readonly pageSize?: number;
}

export interface PageOptions extends CallOptions {
  /** Articles on the page at most, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** What `next` was of the page before. Default: the first page. */
  readonly after?: string | undefined;
}

/** Some of the articles that match. */
export interface ArticlePage {
  readonly articles: readonly Article[];
  /** What `after` is for the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** An article, and the name of this version of it. */
export interface Versioned {
  readonly article: Article;
  readonly etag: string;
}

export interface Written extends Versioned {
  /** Characters of all articles of the bot, right after this write. */
  readonly characterUsed: number;
}

export interface UpsertOptions extends CallOptions {
  /** The key of metadata that the article is found by, or several that tell it apart together. The given article has them all. */
  readonly by: string | readonly string[];
}

/** An article as it is now. */
export interface Upserted {
  readonly article: Article;
  /** Whether it was created; otherwise it was updated, or already as given. */
  readonly isNew: boolean;
  /** Characters of all articles of the bot, right after this write. */
  readonly characterUsed: number;
}

/** Those calls of a client that a sync needs. */
export interface ArticleCalls {
  listArticles(filter?: ArticleFilter, options?: ListOptions): AsyncIterable<Article>;
  upsertArticle(article: NewArticle, options: UpsertOptions): Promise<Upserted>;
  updateArticle(id: string, changes: ArticleChanges, options?: CallOptions): Promise<Written>;
  deleteArticle(id: string, options?: CallOptions): Promise<void>;
}
