import type { components } from "./api-types.ts";
import { runBatch } from "./batch.ts";
import type {
  ArticleCalls,
  ArticlePage,
  BatchOptions,
  CallOptions,
  ConditionalOptions,
  ListOptions,
  PageOptions,
  SuggestOptions,
  Upserted,
  UpsertOptions,
  Versioned,
  Written,
} from "./calls.ts";
import { LoredexError } from "./error.ts";
import { A_STRING, anObject, listOf } from "./known-options.ts";
import {
  ARTICLE_FILTER,
  BATCH_OPTIONS,
  CALL_OPTIONS,
  CLIENT_OPTIONS,
  CONDITIONAL_OPTIONS,
  CREATE_OPTIONS,
  FEEDBACK,
  LIST_OPTIONS,
  PAGE_OPTIONS,
  QUERY_OPTIONS,
  requireArguments,
  SEARCH_OPTIONS,
  SUGGEST_OPTIONS,
  SYNC_OPTIONS,
  UPSERT_OPTIONS,
  WAIT_OPTIONS,
} from "./option-tables.ts";
import { newIdempotencyKey } from "./pace.ts";
import { type SyncOptions, type SyncOutcome, syncArticles } from "./sync.ts";
import { type Answer, bodyOf, ifMatch, type Sent, Transport, type TransportOptions } from "./transport.ts";
import type {
  Article,
  ArticleChanges,
  ArticleFilter,
  BatchOperation,
  BatchResult,
  Feedback,
  NewArticle,
  Preview,
  QueryAnswer,
  QueryOptions,
  SearchOptions,
  SearchResult,
  Suggestion,
  Usage,
} from "./types.ts";
import { until } from "./until.ts";

type Schemas = components["schemas"];

const PAGE_ARTICLES = 100;
/** The service's message for a create, and for no other call. */
const CREATED = "Content addition was initiated.";

/** A page, with the page size at which the answer was short enough. */
interface FittingPage extends ArticlePage {
  readonly limit: number;
}

/**
 * Client of a Loredex server, for the bot of the given key. The constructor and the calls throw a TypeError for an unknown option, and for a value of a wrong
 * kind.
 */
export class LoredexClient implements ArticleCalls {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    requireArguments("new LoredexClient", { options }, { options: CLIENT_OPTIONS });
    this.#transport = new Transport(options);
  }

  /** Returns the documents that match a question, best first. */
  async search(query: string, options: SearchOptions & CallOptions = {}): Promise<SearchResult[]> {
    requireArguments("LoredexClient.search", { query, options }, { query: A_STRING, options: SEARCH_OPTIONS });
    const { filters = {}, signal, requestId, ...rest } = options;
    const json = { query, filters, options: rest };
    return this.#ask({ method: "POST", path: "/search", json, headers: named(requestId), signal });
  }

  /**
   * Says whether the answer to a search helped, which {@link SearchOptions.requestId} has named. Later feedback on that search replaces it.
   * A bot without a question log keeps nothing.
   * @throws {LoredexError} 404 (code 20008) unless the bot's question log has that search in the last 24 hours
   */
  async feedback(feedback: Feedback, options: CallOptions = {}): Promise<void> {
    requireArguments("LoredexClient.feedback", { feedback, options }, { feedback: FEEDBACK, options: CALL_OPTIONS });
    await this.#ask({ method: "POST", path: "/feedback", json: feedback, signal: options.signal });
  }

  /** Returns the titles, questions and headings that continue a prefix typed into a search box, best first. The prefix has 1 to 200 characters. */
  async suggest(prefix: string, options: SuggestOptions = {}): Promise<Suggestion[]> {
    requireArguments("LoredexClient.suggest", { prefix, options }, { prefix: A_STRING, options: SUGGEST_OPTIONS });
    const { signal, limit } = options;
    const json = limit === undefined ? { prefix } : { prefix, limit };
    return (await this.#ask<Schemas["Suggested"]>({ method: "POST", path: "/suggest", json, signal })).data;
  }

  /**
   * A search that also returns the number of all documents found, how many of them have each value of a field (`facets`), and groups of the best ones
   * (`groupBy`): what a search page with filters shows.
   */
  async query(query: string, options: QueryOptions & CallOptions = {}): Promise<QueryAnswer> {
    requireArguments("LoredexClient.query", { query, options }, { query: A_STRING, options: QUERY_OPTIONS });
    const { filters = {}, signal, requestId, ...rest } = options;
    const {
      data,
      success: _,
      ...counted
    } = await this.#ask<Schemas["QueryAnswered"]>({
      method: "POST",
      path: "/query",
      json: { query, filters, options: rest },
      headers: named(requestId),
      signal,
    });
    return { results: data, ...counted };
  }

  /**
   * Creates an article. Sent with an `Idempotency-Key`, so that it is created and charged once, however often it is sent.
   * @param options `idempotencyKey`: one of your own, the same for each try of this one article; default: a new one for each call
   */
  async createArticle(article: NewArticle, options: CallOptions & { idempotencyKey?: string } = {}): Promise<Written> {
    requireArguments(
      "LoredexClient.createArticle",
      { article, options },
      { article: anObject(), options: CREATE_OPTIONS },
    );
    const { signal, idempotencyKey = newIdempotencyKey() } = options;
    return written(
      await this.#transport.send({
        ...{ method: "POST", path: "", json: article, signal, isRepeatable: true },
        headers: { "idempotency-key": idempotencyKey },
      }),
    );
  }

  /** Returns an article, with its tag. @throws {LoredexError} 404 (code 20001) if the bot has no article with this id */
  async getArticle(id: string, options: CallOptions = {}): Promise<Versioned> {
    requireArguments("LoredexClient.getArticle", { id, options }, { id: A_STRING, options: CALL_OPTIONS });
    return versioned(await this.#get(id, {}, options.signal));
  }

  /** Returns the article, or undefined if it still is the version of `etag`. */
  async getArticleIfChanged(id: string, etag: string, options: CallOptions = {}): Promise<Versioned | undefined> {
    const kinds = { id: A_STRING, etag: A_STRING, options: CALL_OPTIONS };
    requireArguments("LoredexClient.getArticleIfChanged", { id, etag, options }, kinds);
    const answer = await this.#get(id, { "if-none-match": etag }, options.signal);
    return answer.json === undefined ? undefined : versioned(answer);
  }

  /**
   * Yields all matching articles, oldest first or in the order of `sort`, fetched page by page on demand. During writes of others, no article comes twice, and no article that existed
   * the whole time is left out.
   */
  async *listArticles(filter: ArticleFilter = {}, options: ListOptions = {}): AsyncGenerator<Article, void, undefined> {
    const kinds = { filter: ARTICLE_FILTER, options: LIST_OPTIONS };
    requireArguments("LoredexClient.listArticles", { filter, options }, kinds);
    const { signal, pageSize = PAGE_ARTICLES, ...order } = options;
    let limit = pageSize;
    let after: string | undefined;
    do {
      const page: FittingPage = await this.#page(filter, { ...order, limit, after, signal });
      yield* page.articles;
      ({ limit, next: after } = page);
    } while (after !== undefined);
  }

  /**
   * Returns one page of articles, for a program that shows pages; `listArticles` yields all. A page that would be longer than `answerBytesMax` has fewer
   * articles.
   */
  async getArticlesPage(filter: ArticleFilter = {}, options: PageOptions = {}): Promise<ArticlePage> {
    const kinds = { filter: ARTICLE_FILTER, options: PAGE_OPTIONS };
    requireArguments("LoredexClient.getArticlesPage", { filter, options }, kinds);
    const { limit = PAGE_ARTICLES } = options;
    const { articles, next } = await this.#page(filter, { ...options, limit });
    return { articles, next };
  }

  /** Halves the number of articles until the answer is short enough. */
  async #page(filter: ArticleFilter, options: PageOptions & { limit: number }): Promise<FittingPage> {
    for (let { limit } = options; ; limit = Math.floor(limit / 2)) {
      try {
        return { ...(await this.#pageOf(filter, { ...options, limit })), limit };
      } catch (error) {
        if (!(error instanceof LoredexError) || !error.isTooLong || limit <= 1) throw error;
      }
    }
  }

  async #pageOf(filter: ArticleFilter, options: PageOptions): Promise<ArticlePage> {
    const { signal, ...asking } = options;
    const { metadata = {}, ...fields } = filter;
    const asked = [
      ...Object.entries({ ...fields, ...asking }),
      ...Object.entries(metadata).map(([key, value]) => [`metadata.${key}`, value] as const),
    ];
    // Undefined values are left out.
    const query = new URLSearchParams();
    for (const [name, value] of asked) if (value !== undefined) query.set(name, String(value));
    const { data, next } = await this.#ask<Schemas["ArticleList"]>({ method: "GET", path: `?${query}`, signal });
    return { articles: data, next };
  }

  /** Updates an article. Given fields replace, others stay; `null` removes the source and empties metadata and activeOn. */
  async updateArticle(id: string, changes: ArticleChanges, options: ConditionalOptions = {}): Promise<Written> {
    const kinds = { id: A_STRING, changes: anObject<ArticleChanges>(), options: CONDITIONAL_OPTIONS };
    requireArguments("LoredexClient.updateArticle", { id, changes, options }, kinds);
    // Its own first try would have changed the tag.
    const isRepeatable = options.ifMatch === undefined;
    const { signal } = options;
    const path = pathOf(id);
    return written(
      await this.#transport.send({
        method: "PUT",
        path,
        json: changes,
        headers: ifMatch(options),
        signal,
        isRepeatable,
      }),
    );
  }

  /**
   * Updates the article whose metadata equals the given one's under `by`, or creates it. Two at the same time never create two, and sent twice it is charged
   * once.
   * @throws {LoredexError} 409 (code 20006) if several articles match
   */
  async upsertArticle(article: NewArticle, options: UpsertOptions): Promise<Upserted> {
    requireArguments(
      "LoredexClient.upsertArticle",
      { article, options },
      { article: anObject(), options: UPSERT_OPTIONS },
    );
    const { by, signal } = options;
    const answer = await this.#transport.send<Schemas["ArticleWritten"]>({
      ...{ method: "POST", path: "/batch", json: { operations: [{ op: "upsert", by, article }] }, signal },
      ...{ isRepeatable: true, isBatchOfOne: true },
    });
    const { data, message, characterUsed } = bodyOf(answer);
    return { article: data, isNew: message === CREATED, characterUsed };
  }

  /** Deletes an article. After the return no search finds it. */
  async deleteArticle(id: string, options: ConditionalOptions = {}): Promise<void> {
    requireArguments("LoredexClient.deleteArticle", { id, options }, { id: A_STRING, options: CONDITIONAL_OPTIONS });
    const { signal } = options;
    const path = pathOf(id);
    await this.#transport.send({ method: "DELETE", path, headers: ifMatch(options), signal, isRepeatable: true });
  }

  /** Previews a create, or with `id` an update; nothing is written or charged. */
  async preview(article: Partial<NewArticle> & { id?: string }, options: CallOptions = {}): Promise<Preview> {
    requireArguments("LoredexClient.preview", { article, options }, { article: anObject(), options: CALL_OPTIONS });
    const { signal } = options;
    const json = await this.#ask<Schemas["ArticlePreviewed"]>({
      method: "POST",
      path: "/preview",
      json: article,
      signal,
    });
    return json.data;
  }

  /**
   * Sends up to 100 writes in one request, each decided on its own: check each result's `status`. Writes that the rate refuses are sent again afterwards, one
   * after the other and in their order, as the service admits them. After `waitSecondsMax` the remaining ones keep their 429.
   * A refused write is not sent again if a later write of the batch has changed the same article: the same `id`, or the same metadata under the same `by`.
   *
   * After a lost answer, a request is only sent again if it holds nothing but `update` and `upsert`, which have the same effect when sent twice.
   * @throws {LoredexError} also while writes are sent again: `onProgress` has told the results so far
   */
  async batch(operations: readonly BatchOperation[], options: BatchOptions = {}): Promise<BatchResult[]> {
    const kinds = { operations: listOf(anObject<BatchOperation>()), options: BATCH_OPTIONS };
    requireArguments("LoredexClient.batch", { operations, options }, kinds);
    return runBatch(this.#transport, operations, {
      ...options,
      waits: this.#transport.newWaits(options.waitSecondsMax),
    });
  }

  /** Returns what the bot uses of its limits, and what it holds. @throws {LoredexError} 403 (code 10002) for a key that opens the search alone */
  async usage(options: CallOptions = {}): Promise<Usage> {
    requireArguments("LoredexClient.usage", { options }, { options: CALL_OPTIONS });
    const { signal } = options;
    return (await this.#ask<Schemas["UsageAnswered"]>({ method: "GET", area: "/usage", path: "", signal })).data;
  }

  /**
   * Waits until searches find the newest version of an article.
   * @param options `timeoutSeconds`: default 60
   * @throws {LoredexError} if it takes longer, and 404 if the article does not exist (any more)
   */
  async waitUntilActive(id: string, options: CallOptions & { timeoutSeconds?: number } = {}): Promise<Article> {
    requireArguments("LoredexClient.waitUntilActive", { id, options }, { id: A_STRING, options: WAIT_OPTIONS });
    const { signal, timeoutSeconds = 60 } = options;
    const check = async (ended: AbortSignal): Promise<Article> =>
      (await this.getArticle(id, { signal: ended })).article;
    return until(check, ({ status }) => status === "active", {
      timeoutSeconds,
      pace: this.#transport.pace,
      late: new LoredexError({ message: `Article ${id} is still not active after ${timeoutSeconds} s.` }),
      signal,
    });
  }

  /**
   * Makes the bot's articles equal to the given ones. It finds each by its metadata value under the key `by`, creates missing ones, and updates different ones.
   * Articles without that key are never touched. It changes one after the other, waiting if the rate limit requires it.
   */
  async sync(articles: readonly NewArticle[], options: SyncOptions): Promise<SyncOutcome> {
    const kinds = { articles: listOf(anObject<NewArticle>()), options: SYNC_OPTIONS };
    requireArguments("LoredexClient.sync", { articles, options }, kinds);
    return syncArticles(this, articles, options);
  }

  /** Sends a request that may be sent twice. */
  async #ask<Promised>(sent: Omit<Sent, "isRepeatable">): Promise<Promised> {
    return bodyOf(await this.#transport.send<Promised>({ ...sent, isRepeatable: true }));
  }

  #get(id: string, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined) {
    return this.#transport.send<Schemas["ArticleFound"]>({
      ...{ method: "GET", path: pathOf(id), headers, signal, isRepeatable: true },
    });
  }
}

const pathOf = (id: string) => `/${encodeURIComponent(id)}`;

function named(requestId: string | undefined): Record<string, string> {
  return requestId === undefined ? {} : { "x-request-id": requestId };
}

function versioned(answer: Answer<Schemas["ArticleFound"]>): Versioned {
  return { article: bodyOf(answer).data, etag: answer.headers.get("etag") ?? "" };
}

function written(answer: Answer<Schemas["ArticleWritten"]>): Written {
  const { data: article, characterUsed } = bodyOf(answer);
  return { article, etag: answer.headers.get("etag") ?? "", characterUsed };
}
