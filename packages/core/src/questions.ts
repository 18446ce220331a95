import type { BotVectors } from "./background/embedding/bot-vectors.ts";
import type { SearchIndex } from "./index/search-index.ts";
import { parseSuggestRequest } from "./index/suggestions/suggest-request.ts";
import { newestVersionNumber } from "./log/newest-version.ts";
import type { BotState } from "./log/state.ts";
import type { Explanation } from "./model/explanation.ts";
import type { QueryAnswer } from "./model/queries.ts";
import type { Suggestion } from "./model/suggestions.ts";
import type { Quality, SearchOptions, SearchResult } from "./model/types.ts";
import type { SearchQueue } from "./scheduling/search-queue.ts";
import { explain } from "./search/explain/explain.ts";
import { query } from "./search/query.ts";
import { parseQueryRequest } from "./search/query-request.ts";
import { parseSearchRequest, requestBody } from "./search/request.ts";
import { type Asking, search } from "./search/search.ts";
import type { BotVocabulary } from "./vocabulary/bot-vocabulary.ts";

/** Dependencies of {@link Questions}. */
export interface QuestionsDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly vectors: Pick<BotVectors, "embedQuestion" | "tokenCodesFor">;
  readonly queue: SearchQueue;
  readonly vocabulary: Pick<BotVocabulary, "own" | "tried">;
  /** A queue of their own: suggestions that are collected for the first time delay no search. */
  readonly suggesting: SearchQueue;
  /** The bot's quality, for questions that name none. */
  readonly quality: () => Quality;
  /** Resolves when the index has what a question must find. */
  readonly ready: () => Promise<void>;
  /** Throws once the bot is closed. */
  readonly check: () => void;
}

/** How a question is answered, beside its request. */
export type AnswerOptions = Pick<SearchOptions, "quality" | "signal" | "vocabulary">;

/** An answer that tells how far it may be behind other nodes, in whole seconds. `staleMs` is undefined if it is not. */
export function withStaleness<Answer extends object>(
  answer: Answer,
  staleMs: number | undefined,
): Answer & { readonly staleSeconds?: number } {
  return staleMs === undefined ? answer : { ...answer, staleSeconds: Math.ceil(staleMs / 1_000) };
}

/** The questions of one bot: searches, queries, explanations and suggestions. */
export class Questions {
  readonly #deps: QuestionsDeps;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  /** Answers a request of the HTTP API; rejects with the signal's reason if that aborts first. */
  async search(body: unknown, options: AnswerOptions = {}): Promise<SearchResult[]> {
    const request = parseSearchRequest(body);
    return this.#answered(options, (asking) => search(this.#deps.index, request, asking));
  }

  /** Answers a query of the HTTP API, as {@link search} does. */
  async query(body: unknown, options: AnswerOptions = {}): Promise<QueryAnswer> {
    const request = parseQueryRequest(body);
    return this.#answered(options, (asking) => query(this.#deps.index, request, asking));
  }

  /** Explains a document's rank among the answers to a question, or why it is missing. */
  async explain(query: string, id: string, options: SearchOptions): Promise<Explanation> {
    const { state, index } = this.#deps;
    const shaping = { context: "none", includeContent: false } as const;
    const request = { ...parseSearchRequest(requestBody(query, options)), ...shaping };
    const newest = (known: string): number | undefined => newestVersionNumber(state, known);
    return this.#answered(options, (asking) => explain(index, request, id, newest, asking));
  }

  /** The texts that continue a typed prefix, for a request of the HTTP API. Rejects with the signal's reason if that aborts first. */
  async suggest(body: unknown, signal?: AbortSignal): Promise<Suggestion[]> {
    const { suggesting, ready, check } = this.#deps;
    const { suggestions } = this.#deps.index;
    const { prefix, limit } = parseSuggestRequest(body);
    await ready();
    // Without the index: suggestions follow its documents by themselves, and only searches may pin it.
    return suggesting.answer({ begin: () => suggestions.find(prefix, limit), check, signal });
  }

  /** Answers a question once the index has what it must find. Throws if the bot was closed meanwhile. */
  async #answered<Answer>(options: AnswerOptions, ask: (asking: Asking) => Promise<Answer>): Promise<Answer> {
    await this.#deps.ready();
    const answer = await ask(await this.#asking(options));
    this.#deps.check();
    return answer;
  }

  async #asking({ quality = this.#deps.quality(), signal, vocabulary: tried }: AnswerOptions): Promise<Asking> {
    const { vectors, queue, check } = this.#deps;
    const vocabulary = tried === undefined ? this.#deps.vocabulary.own : await this.#deps.vocabulary.tried(tried);
    const embed = (question: string) => vectors.embedQuestion(question, quality);
    return { queue, embed, tokenCodes: vectors.tokenCodesFor(quality), vocabulary, check, signal };
  }
}
