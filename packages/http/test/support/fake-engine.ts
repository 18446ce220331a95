import type {
  Article,
  ArticleKeys,
  ArticlePage,
  ArticlePreview,
  ArticleUpsert,
  ArticleWrite,
  BotUsage,
  EngineCondition,
  KeyInfo,
  QueryAnswer,
  SearchAnswer,
  SearchResult,
  SuggestAnswer,
} from "@loredex/core";
import { LoredexError } from "@loredex/core";
import type { ApiBot, ApiEngine, ApiKey } from "../../src/engine.ts";

export const KEY = "lx_fake_key";
export const BOT_ID = "5f0000000000000000000001";
export const BOT_NAME = "acme";
export const ARTICLE_ID = "65a000000000000000000001";
export const MISSING_ID = "65a0000000000000000000ff";

export function article(changes: Partial<Article> = {}): Article {
  return {
    id: ARTICLE_ID,
    status: "uploading",
    title: "Reset a key",
    body: "Ask the operator.",
    metadata: {},
    activeOn: [],
    createdAt: "2025-03-01T10:00:00.000Z",
    updatedAt: "2025-03-01T10:00:00.000Z",
    characterCount: 28,
    ...changes,
  };
}

export function searchResult(changes: Partial<SearchResult> = {}): SearchResult {
  return {
    resourceDocId: ARTICLE_ID,
    type: "EXTERNAL",
    status: "active",
    metaData: { title: "Reset a key" },
    bestMatchScore: 0.5,
    similarTextParts: [{ text: "Ask the operator.", similarity: 0.5, start: 1, stop: 1 }],
    content: [],
    ...changes,
  };
}

export function usage(changes: Partial<BotUsage> = {}): BotUsage {
  return {
    characterUsed: 28,
    characterQuota: 20,
    characterLeft: -8,
    bytes: { used: 128, max: 1_000 },
    rate: { charactersPerMinute: 500, used: 28, resetSeconds: 60 },
    documents: { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0, EXTERNAL: 1 },
    embedder: null,
    ...changes,
  };
}

type Method = keyof ApiBot;

/** A bot that remembers what it was asked and answers what it was told to. */
export class FakeBot implements ApiBot {
  readonly calls: { readonly method: Method; readonly values: readonly unknown[] }[] = [];
  articles: Article[] = [article()];
  /** Where the next page of them begins. */
  next: string | undefined;
  results: SearchResult[] = [searchResult()];
  /** Seconds by which they may be behind other nodes. */
  behindSeconds: number | undefined;
  /** What the last search was told of the question log. */
  noting: object | undefined;
  /** Thrown by the next writes and searches. */
  failure: unknown;
  /** Awaited before a search or a write is answered. */
  gate: Promise<void> = Promise.resolve();

  async answerRequest(
    body: unknown,
    _quality?: unknown,
    _signal?: AbortSignal,
    noting?: object,
  ): Promise<SearchAnswer> {
    this.noting = noting;
    await this.#work("answerRequest", [body]);
    return this.behindSeconds === undefined
      ? { results: this.results }
      : { results: this.results, staleSeconds: this.behindSeconds };
  }

  async queryRequest(body: unknown, _quality?: unknown, _signal?: AbortSignal, noting?: object): Promise<QueryAnswer> {
    this.noting = noting;
    await this.#work("queryRequest", [body]);
    const counted = { total: 7, facets: { type: [{ value: "EXTERNAL", count: 7 }] } };
    const groups = this.results.map((result) => ({ value: null, results: [result] }));
    const behind = this.behindSeconds === undefined ? {} : { staleSeconds: this.behindSeconds };
    return { results: this.results, ...counted, groups, ...behind };
  }

  async suggestRequest(body: unknown, _signal?: AbortSignal): Promise<SuggestAnswer> {
    await this.#work("suggestRequest", [body]);
    const suggestions = [{ text: "Reset a key", resourceDocId: ARTICLE_ID, kind: "title" as const }];
    return this.behindSeconds === undefined ? { suggestions } : { suggestions, staleSeconds: this.behindSeconds };
  }

  async createArticle(...values: [input: unknown, options?: object]): Promise<ArticleWrite> {
    await this.#work("createArticle", values);
    return { article: article(), characterUsed: 28 };
  }

  async upsertArticle(...values: [by: ArticleKeys, input: unknown]): Promise<ArticleUpsert> {
    await this.#work("upsertArticle", values);
    return { article: article(), characterUsed: 28, isNew: true };
  }

  async previewArticle(...values: [input: unknown]): Promise<ArticlePreview> {
    await this.#work("previewArticle", values);
    const passages = [{ start: 1, stop: 1, text: "Ask the operator." }];
    return { characterCount: 28, charge: 28, characterLeft: -1, waitSeconds: null, passages };
  }

  async updateArticle(...values: [id: string, patch: unknown, options?: object]): Promise<ArticleWrite> {
    await this.#work("updateArticle", values);
    return { article: article({ id: values[0] }), characterUsed: 28 };
  }

  async deleteArticle(...values: [id: string, options?: object]): Promise<void> {
    await this.#work("deleteArticle", values);
    if ((await this.getArticle(values[0])) === undefined) throw new LoredexError("ARTICLE_NOT_FOUND", "gone");
  }

  async getArticle(id: string): Promise<Article | undefined> {
    return this.articles.find((each) => each.id === id);
  }

  async articlePage(...values: [request?: object]): Promise<ArticlePage> {
    this.calls.push({ method: "articlePage", values });
    return { articles: this.articles, ...(this.next === undefined ? {} : { next: this.next }) };
  }

  async usage(): Promise<BotUsage> {
    await this.#work("usage", []);
    return usage();
  }

  async #work(method: Method, given: readonly unknown[]): Promise<void> {
    const values = given.map(withoutSignal);
    this.calls.push({ method, values });
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
  }
}

/** The value without the signal of its request. */
function withoutSignal(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("signal" in value)) return value;
  const { signal: _, ...rest } = value;
  return rest;
}

/** An engine of one bot, opened by {@link KEY}. */
export class FakeEngine implements ApiEngine {
  readonly bot1 = new FakeBot();
  /** Thrown when the bot is opened. */
  failure: unknown;
  /** What the engine says of itself. */
  state: EngineCondition = { canWrite: true, faults: [] };
  /** Awaited before the bot is open. */
  gate: Promise<void> = Promise.resolve();
  /** How often a key was shown. */
  authenticated = 0;

  /** What is said of {@link KEY}. */
  key: KeyInfo = { name: "default", scope: "all", origins: [] };
  /** Milliseconds that its next requests are too early. */
  waitMs = 0;

  authenticate(key: string | undefined): ApiKey | undefined {
    this.authenticated++;
    return key === KEY ? { id: BOT_ID, name: BOT_NAME, key: this.key } : undefined;
  }

  admitRequest(): number | Promise<number> {
    return this.waitMs;
  }

  async catchUp(): Promise<void> {}

  listsOrigin(origin: string): boolean {
    return this.key.origins.includes(origin);
  }

  condition(): EngineCondition {
    return this.state;
  }

  /** Feedback that it was given. */
  readonly feedback: unknown[] = [];

  async insights(): Promise<{ feedback: (input: unknown) => Promise<void> }> {
    return {
      feedback: async (input) => {
        if (this.bot1.failure !== undefined) throw this.bot1.failure;
        this.feedback.push(input);
      },
    };
  }

  async bot(id: string): Promise<ApiBot> {
    await this.gate;
    if (this.failure !== undefined) throw this.failure;
    if (id !== BOT_ID) throw new LoredexError("BOT_NOT_FOUND", "no such bot");
    return this.bot1;
  }
}

/** A promise to be settled by the test. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
