import type { SortPlace } from "../log/article-order.ts";
import type { VersionedArticle } from "../log/article-table.ts";
import { articlesIn, sortedArticlesIn } from "../log/listings.ts";
import type { BotState } from "../log/state.ts";
import { NAME_CHARACTERS_MAX } from "../model/limits.ts";
import { ARTICLE_SORT_DEFAULT } from "../model/options.ts";
import type { ArticleFields } from "../model/records.ts";
import type {
  Article,
  ArticleChangeOptions,
  ArticleCreateOptions,
  ArticleKeys,
  ArticleListRequest,
  ArticlePage,
  ArticlePageRequest,
  ArticlePreview,
  ArticlePreviewOptions,
  ArticleUpsert,
  ArticleWrite,
  PassageLines,
  SearchableDocument,
} from "../model/types.ts";
import { requireText } from "../model/validation.ts";
import { frozen } from "../platform/frozen.ts";
import type { SearchQueue } from "../scheduling/search-queue.ts";
import type { Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import { pageMarkText, pageStart } from "./page.ts";
import { articleView } from "./view.ts";

/** A durable write of an article. */
interface Written {
  readonly article: ArticleFields;
  /** Code points of all articles, right after this write. */
  readonly characterUsed: number;
  readonly isReplayed?: true;
}

/** The outcome that a write would have. */
interface Foreseen extends Pick<ArticlePreview, "charge" | "characterLeft"> {
  readonly article: ArticleFields;
  readonly document: SearchableDocument;
  readonly waitMs: number | undefined;
}

/** Dependencies of {@link Articles}. */
export interface ArticlesDeps {
  readonly state: BotState;
  /** The write path. */
  readonly ingest: {
    readonly articles: {
      create(input: unknown, options: ArticleCreateOptions): Promise<Written>;
      update(id: string, patch: unknown, options: ArticleChangeOptions): Promise<Written>;
      delete(id: string, options: ArticleChangeOptions): Promise<void>;
      foresee(input: unknown): Foreseen;
      upsert(by: ArticleKeys, input: unknown): Promise<Written & { readonly isNew: boolean }>;
    };
  };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
  /** The version of an article that searches see; undefined if they see none. */
  readonly searchable: (id: string) => number | undefined;
  /** How a document is cut for the index. */
  readonly passages: (document: SearchableDocument) => Sliced<readonly PassageLines[]>;
  /** The queue in which previews are cut, one of a bot at a time. */
  readonly previews: SearchQueue;
  /** Throws when the bot is closed, which ends a preview. */
  readonly check: () => void;
  /** The time slices in which long lists are made. */
  readonly slices: TimeSlices;
}

/** Articles that are converted between two yields. */
const SLICE_ARTICLES = 64;

/** The articles of an open bot. */
export class Articles {
  readonly #deps: ArticlesDeps;

  constructor(deps: ArticlesDeps) {
    this.#deps = deps;
  }

  async create(input: unknown, options: ArticleCreateOptions = {}): Promise<ArticleWrite> {
    await this.#deps.ready();
    return this.#written(await this.#deps.ingest.articles.create(input, options));
  }

  async update(id: string, patch: unknown, options: ArticleChangeOptions = {}): Promise<ArticleWrite> {
    await this.#deps.ready();
    return this.#written(await this.#deps.ingest.articles.update(id, patch, options));
  }

  async upsert(by: ArticleKeys, input: unknown): Promise<ArticleUpsert> {
    await this.#deps.ready();
    const written = await this.#deps.ingest.articles.upsert(by, input);
    return { ...this.#written(written), isNew: written.isNew };
  }

  /** Previews a create, or an update if the input has an `id`: its charge, its wait and its passages. Writes nothing. */
  async preview(input: unknown, { signal }: ArticlePreviewOptions = {}): Promise<ArticlePreview> {
    signal?.throwIfAborted();
    const { previews, check, passages: cut } = this.#deps;
    const { article, document, charge, characterLeft, waitMs } = this.#deps.ingest.articles.foresee(input);
    const passages = await previews.answer({ begin: () => cut(document), check, signal });
    const waitSeconds = waitMs === undefined ? null : Math.ceil(waitMs / 1_000);
    return { characterCount: article.characterCount, charge, characterLeft, waitSeconds, passages };
  }

  async delete(id: string, options: ArticleChangeOptions = {}): Promise<void> {
    await this.#deps.ready();
    await this.#deps.ingest.articles.delete(id, options);
  }

  get(id: string): Article | undefined {
    const article = this.#deps.state.articles.get(id);
    return article === undefined ? undefined : this.#articleOf(article);
  }

  /** Articles that match the request, as they are at the call, however long their list is. */
  async list(request: ArticleListRequest = {}): Promise<Article[]> {
    return this.#deps.slices.run(this.#listed(request));
  }

  /** A page of {@link list}: at most `limit` articles, behind those of the page before. */
  async page(request: ArticlePageRequest): Promise<ArticlePage> {
    const { limit = Number.POSITIVE_INFINITY, sort = ARTICLE_SORT_DEFAULT } = request;
    // One more, to know whether there is a next page.
    const found = await this.#deps.slices.run(this.#listed(request, pageStart(request), limit + 1));
    const articles = found.slice(0, limit);
    const last = articles.at(-1);
    if (found.length === articles.length || last === undefined) return { articles };
    const { id, title } = last;
    const times = { createdAtMs: Date.parse(last.createdAt), updatedAtMs: Date.parse(last.updatedAt) };
    return { articles, next: pageMarkText({ id, title, ...times }, sort) };
  }

  /** All articles that are active on an agent. */
  async ofAgent(agent: string): Promise<Article[]> {
    requireText("agent", agent, { max: NAME_CHARACTERS_MAX });
    const all = await this.list();
    return all.filter(({ activeOn }) => activeOn.some((entry) => entry.agent === agent));
  }

  *#listed(request: ArticleListRequest, start?: SortPlace, max = Number.POSITIVE_INFINITY): Sliced<Article[]> {
    const { sort = ARTICLE_SORT_DEFAULT } = request;
    const { state } = this.#deps;
    const found =
      sort === ARTICLE_SORT_DEFAULT
        ? articlesIn(state, request, { start: start && { createdAtMs: Number(start.key), id: start.id }, max })
        : sortedArticlesIn(state, request, { sort, start, max });
    const articles: Article[] = [];
    for (const article of yield* found) {
      articles.push(this.#articleOf(article));
      if (articles.length % SLICE_ARTICLES === 0) yield;
    }
    return articles;
  }

  #written({ article, characterUsed, isReplayed }: Written): ArticleWrite {
    // A later write may have come before this answer. The caller gets the version of its own write.
    const now = this.#deps.state.articles.get(article.id);
    const version = now?.fields === article ? now.version : Number.POSITIVE_INFINITY;
    const view = this.#articleOf({ fields: article, version });
    return { article: view, characterUsed, ...(isReplayed === undefined ? {} : { isReplayed }) };
  }

  #articleOf({ fields, version }: Omit<VersionedArticle, "bytes">): Article {
    // Searches may see a newer version, if it was written while a long list is made.
    const isFound = (this.#deps.searchable(fields.id) ?? -1) >= version;
    return frozen(articleView(fields, isFound ? "active" : "uploading"));
  }
}
