import { articleView } from "../article/view.ts";
import type { ArticleFields } from "../domain/records.ts";
import type { Article, ArticleFilter, ArticleWrite } from "../domain/types.ts";
import { frozen } from "../runtime/frozen.ts";
import { articlesIn } from "../state/listings.ts";
import type { BotState, VersionedArticle } from "../state/state.ts";

/** A durable write of an article. */
interface Written {
  readonly article: ArticleFields;
  /** Code points of all articles, right after this write. */
  readonly characterUsed: number;
}

export interface ArticlesParts {
  readonly state: BotState;
  /** The write path. */
  readonly ingest: {
    createArticle(input: unknown): Promise<Written>;
    updateArticle(id: string, patch: unknown): Promise<Written>;
    deleteArticle(id: string): Promise<void>;
  };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
  /** The version of an article that searches see. */
  readonly searchable: (id: string) => number | undefined;
}

/** The articles of a bot that is open. */
export class Articles {
  readonly #parts: ArticlesParts;

  constructor(parts: ArticlesParts) {
    this.#parts = parts;
  }

  async create(input: unknown): Promise<ArticleWrite> {
    await this.#parts.ready();
    return this.#written(await this.#parts.ingest.createArticle(input));
  }

  async update(id: string, patch: unknown): Promise<ArticleWrite> {
    await this.#parts.ready();
    return this.#written(await this.#parts.ingest.updateArticle(id, patch));
  }

  async delete(id: string): Promise<void> {
    await this.#parts.ready();
    await this.#parts.ingest.deleteArticle(id);
  }

  get(id: string): Article | undefined {
    const article = this.#parts.state.articles.get(id);
    return article === undefined ? undefined : this.#articleOf(article);
  }

  list(filter: ArticleFilter = {}): Article[] {
    return articlesIn(this.#parts.state, filter).map((article) => this.#articleOf(article));
  }

  ofAgent(agent: string): Article[] {
    return this.list().filter(({ activeOn }) => activeOn.some((entry) => entry.agent === agent));
  }

  #written({ article, characterUsed }: Written): ArticleWrite {
    // Between the write and this answer a later one may have come: the caller is told of its own.
    const now = this.#parts.state.articles.get(article.id);
    const version = now?.fields === article ? now.version : -1;
    return { article: this.#articleOf({ fields: article, version }), characterUsed };
  }

  #articleOf({ fields, version }: VersionedArticle): Article {
    return frozen(articleView(fields, this.#parts.searchable(fields.id) === version ? "active" : "uploading"));
  }
}
