import { articleView } from "../article/view.ts";
import type { ArticleFields } from "../domain/records.ts";
import type { Article, ArticleFilter, ArticleWrite } from "../domain/types.ts";
import { frozen } from "../runtime/frozen.ts";
import type { Steps, Turns } from "../runtime/steps.ts";
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
  /** Long lists are made in these. */
  readonly turns: Turns;
}

/** So many articles are made ready in a step. */
const STEP_ARTICLES = 64;

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

  /** Those of the moment of the call, however long their list is. */
  async list(filter: ArticleFilter = {}): Promise<Article[]> {
    return this.#parts.turns.take(this.#listed(filter));
  }

  async ofAgent(agent: string): Promise<Article[]> {
    const all = await this.list();
    return all.filter(({ activeOn }) => activeOn.some((entry) => entry.agent === agent));
  }

  *#listed(filter: ArticleFilter): Steps<Article[]> {
    const articles: Article[] = [];
    for (const article of yield* articlesIn(this.#parts.state, filter)) {
      articles.push(this.#articleOf(article));
      if (articles.length % STEP_ARTICLES === 0) yield;
    }
    return articles;
  }

  #written({ article, characterUsed }: Written): ArticleWrite {
    // Between the write and this answer a later one may have come: the caller is told of its own.
    const now = this.#parts.state.articles.get(article.id);
    const version = now?.fields === article ? now.version : Number.POSITIVE_INFINITY;
    return { article: this.#articleOf({ fields: article, version }), characterUsed };
  }

  #articleOf({ fields, version }: VersionedArticle): Article {
    // A newer one is found where it was written while a long list is made.
    const isFound = (this.#parts.searchable(fields.id) ?? -1) >= version;
    return frozen(articleView(fields, isFound ? "active" : "uploading"));
  }
}
