import type { BotVectors } from "./background/embedding/bot-vectors.ts";
import type { SearchIndex } from "./index/search-index.ts";
import { parseSuggestRequest } from "./index/suggestions/suggest-request.ts";
import type { KnowledgeView } from "./insights/knowledge-view.ts";
import type { NotedSearch } from "./insights/noted-search.ts";
import { newestVersion, newestVersionNumber } from "./log/newest-version.ts";
import type { BotState } from "./log/state.ts";
import type { Explanation } from "./model/explanation.ts";
import type { QueryAnswer } from "./model/queries.ts";
import type { Suggestion } from "./model/suggestions.ts";
import type { BotInfo, SearchOptions, SearchResult } from "./model/types.ts";
import type { SearchQueue } from "./scheduling/search-queue.ts";
import { similarityOf } from "./search/answer-score.ts";
import { explain } from "./search/explain/explain.ts";
import { termsOfQuestion } from "./search/parsed-query.ts";
import { query } from "./search/query.ts";
import { parseQueryRequest } from "./search/query-request.ts";
import { parseSearchRequest, requestBody, type SearchRequest } from "./search/request.ts";
import { type Asking, search } from "./search/search.ts";
import type { BotVocabulary } from "./vocabulary/bot-vocabulary.ts";

/** Dependencies of {@link Questions}. */
export interface QuestionsDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly vectors: Pick<BotVectors, "embedQuestion" | "tokenCodesFor" | "encode">;
  readonly queue: SearchQueue;
  readonly vocabulary: Pick<BotVocabulary, "own" | "tried">;
  /** A queue of their own: suggestions that are collected for the first time delay no search. */
  readonly suggesting: SearchQueue;
  /** The bot's settings: its quality is that of questions that name none. */
  readonly info: () => BotInfo;
  /** Keeps the question of a search if the bot has a question log. */
  readonly note: (botId: string, asked: NotedSearch) => void;
  /** Resolves when the index has what a question must find. */
  readonly ready: () => Promise<void>;
  /** Throws once the bot is closed. */
  readonly check: () => void;
}

/** How a question is answered, beside its request. */
export type AnswerOptions = Pick<SearchOptions, "quality" | "signal" | "vocabulary" | "noted" | "requestId">;

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
    const ask = (asking: Asking) => search(this.#deps.index, request, asking);
    return this.#answeredAndNoted(request, options, ask, (results) => results);
  }

  /** Answers a query of the HTTP API, as {@link search} does. */
  async query(body: unknown, options: AnswerOptions = {}): Promise<QueryAnswer> {
    const request = parseQueryRequest(body);
    const ask = (asking: Asking) => query(this.#deps.index, request, asking);
    return this.#answeredAndNoted(request, options, ask, ({ results }) => results);
  }

  async #answeredAndNoted<Answer>(
    request: Pick<SearchRequest, "query" | "offset">,
    options: AnswerOptions,
    ask: (asking: Asking) => Promise<Answer>,
    resultsOf: (answer: Answer) => readonly SearchResult[],
  ): Promise<Answer> {
    let smallTalk = 0;
    const tellSmallTalk = (share: number): void => {
      smallTalk = share;
    };
    const answer = await this.#answered(options, (asking) => ask({ ...asking, tellSmallTalk }));
    this.#note(request, resultsOf(answer), options, smallTalk);
    return answer;
  }

  /** Notes a question once: the next results of it are no further question. */
  #note(
    { query: question, offset = 0 }: Pick<SearchRequest, "query" | "offset">,
    results: readonly SearchResult[],
    { noted = true, requestId }: AnswerOptions,
    smallTalk: number,
  ): void {
    if (!noted || offset !== 0) return;
    const found = results.map(({ resourceDocId, bestMatchScore }) => ({
      resourceDocId,
      bestMatchScore: similarityOf(bestMatchScore, smallTalk),
    }));
    this.#deps.note(this.#deps.info().id, { question, results: found, requestId });
  }

  /** What the bot knows, for its insights. It is valid as long as the bot stays open. */
  view(): KnowledgeView {
    const { state, index, vectors } = this.#deps;
    return {
      get version() {
        return state.sequence;
      },
      encode: vectors.encode,
      terms: (question) => termsOfQuestion(question, index.analyzer),
      shareOf: (term) => index.analyzer.shareInQuestion(term),
      document: (id) => newestVersion(state, id)?.document,
      *articleIds() {
        for (const run of state.articles.byAge()) for (const { fields } of run) yield fields.id;
      },
      documentIds: () => state.documents.keys(),
    };
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

  async #asking({ quality = this.#deps.info().quality, signal, vocabulary: tried }: AnswerOptions): Promise<Asking> {
    const { vectors, queue, check } = this.#deps;
    const vocabulary = tried === undefined ? this.#deps.vocabulary.own : await this.#deps.vocabulary.tried(tried);
    const asking = { queue, vocabulary, check, signal };
    if (quality === "words") return { ...asking, embed: async () => undefined, tokenCodes: undefined };
    const embed = (question: string) => vectors.embedQuestion(question, quality);
    return { ...asking, embed, tokenCodes: vectors.tokenCodesFor(quality) };
  }
}
