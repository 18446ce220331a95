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

/** The questions of one bot: searches, queries, explanations and suggestions. */
export class Questions {
  readonly #deps: QuestionsDeps;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
  }

  /** Answers a request of the HTTP API; rejects with the signal's reason if that aborts first. */
  async search(body: unknown, options: AnswerOptions = {}): Promise<SearchResult[]> {
    const { index, ready, check } = this.#deps;
    const request = parseSearchRequest(body);
    await ready();
    const asking = await this.#asking(options);
    const results = await search(index, request, asking);
    check();
    return results;
  }

  /** Answers a query of the HTTP API, as {@link search} does. */
  async query(body: unknown, options: AnswerOptions = {}): Promise<QueryAnswer> {
    const { index, ready, check } = this.#deps;
    const request = parseQueryRequest(body);
    await ready();
    const asking = await this.#asking(options);
    const answer = await query(index, request, asking);
    check();
    return answer;
  }

  /** Explains a document's rank among the answers to a question, or why it is missing. */
  async explain(query: string, id: string, options: SearchOptions): Promise<Explanation> {
    const { state, index, ready, check } = this.#deps;
    const shaping = { context: "none", includeContent: false } as const;
    const request = { ...parseSearchRequest(requestBody(query, options)), ...shaping };
    await ready();
    const asking = await this.#asking(options);
    const newest = (known: string): number | undefined => newestVersionNumber(state, known);
    const explanation = await explain(index, request, id, newest, asking);
    check();
    return explanation;
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

  async #asking({ quality = this.#deps.quality(), signal, vocabulary: tried }: AnswerOptions): Promise<Asking> {
    const { vectors, queue, check } = this.#deps;
    const vocabulary = tried === undefined ? this.#deps.vocabulary.own : await this.#deps.vocabulary.tried(tried);
    const embed = (question: string) => vectors.embedQuestion(question, quality);
    return { queue, embed, tokenCodes: vectors.tokenCodesFor(quality), vocabulary, check, signal };
  }
}
