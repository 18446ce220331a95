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

/** An article, and the name of this version of it. */
export interface Versioned {
  readonly article: Article;
  readonly etag: string;
}

export interface Written extends Versioned {
  /** Characters of all articles of the bot, right after this write. */
  readonly characterUsed: number;
}

/** Those calls of a client that a sync needs. */
export interface ArticleCalls {
  listArticles(filter?: ArticleFilter, options?: ListOptions): AsyncIterable<Article>;
  createArticle(article: NewArticle, options?: CallOptions): Promise<Written>;
  updateArticle(id: string, changes: ArticleChanges, options?: CallOptions): Promise<Written>;
  deleteArticle(id: string, options?: CallOptions): Promise<void>;
}
