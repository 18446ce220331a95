import type { Analyzer } from "../analysis/analyzer.ts";
import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { AskedTokens } from "../embedding/token-codes.ts";
import { embeddedQuestion } from "../index/embedded-texts.ts";
import type { IndexedDocument } from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { TokenCodesOfSearch, type TokenCodesSource } from "../index/token-codes/codes-of-search.ts";
import { TOP_K_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import type { SearchResult, TextPart } from "../model/types.ts";
import { unlessAborted } from "../platform/abort.ts";
import { frozen } from "../platform/frozen.ts";
import type { SearchQueue } from "../scheduling/search-queue.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { VocabularyOf } from "../vocabulary/bot-vocabulary.ts";
import type { AskedVocabulary } from "../vocabulary/compiled-vocabulary.ts";
import { answerScore } from "./answer-score.ts";
import { textPartsWithContexts } from "./context.ts";
import type { ScoredFragment } from "./fragment-worths.ts";
import { type HybridHits, hybridSearch } from "./hybrid.ts";
import { type AnalyzedQuery, analyzeQuery, type ParsedQuery, termsOfQuestion } from "./parsed-query.ts";
import { quotesOf, textPartOf } from "./quote.ts";
import type { SearchRequest } from "./request.ts";
import type { Reranking } from "./rerank/compared-passages.ts";
import { heaviestTokens } from "./rerank/question-tokens.ts";
import { type RerankedDocuments, rerankDepthOf, rerankedDocuments } from "./rerank/rerank.ts";

/** The dependencies of one search: the bot's queue, its embedder and token codes, and how the search is ended. */
export interface Asking {
  /** The bot's search queue. It answers one question at a time, in time slices. */
  readonly queue: SearchQueue;
  readonly embed: (question: string) => Promise<EmbeddedQuestion | undefined>;
  /** The token codes of the bot's passages. Undefined if the bot has none, or if the answer must do without reranking. */
  readonly tokenCodes?: TokenCodesSource | undefined;
  /** The vocabulary of the question. Undefined: none. */
  readonly vocabulary?: VocabularyOf | undefined;
  /** Told how much the question is small talk, 0 to 1. */
  readonly tellSmallTalk?: ((smallTalk: number) => void) | undefined;
  /** Called before the search and after each time slice. An error that it throws ends the search. */
  readonly check: () => void;
  /** When it aborts, the search ends with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The read path: returns the documents that answer a question, best first, each with the lines that answer it.
 * The question's vector is awaited, and token codes that must be read from storage. Everything else runs in time slices, on one version of the index.
 * Without a vector, or if the index has vectors of another space by then, BM25 alone answers.
 */
export function search(index: SearchIndex, request: SearchRequest, asking: Asking): Promise<SearchResult[]> {
  return ask(index, request, asking, justResults);
}

// biome-ignore lint/correctness/useYield: it has nothing more to do
function* justResults(_: HybridHits, results: SearchResult[]): Sliced<SearchResult[]> {
  return results;
}

/**
 * The same, and completes the results to another answer.
 * @param complete runs in the same time slices, on the version of the index that the results are of
 */
export async function ask<Answer>(
  index: SearchIndex,
  request: SearchRequest,
  asking: Asking,
  complete: (hits: HybridHits, results: SearchResult[]) => Sliced<Answer>,
): Promise<Answer> {
  const { queue, check, signal } = asking;
  const read = await queue.answer({ begin: () => readQuestion(index, request, asking), check, signal });
  const embedded = await read.embedded;
  const reranking = rerank(embedded?.tokens, asking.tokenCodes);
  let hits: (HybridHits & { readonly isSame: () => boolean }) | undefined;
  function* begin(): Sliced<{ readonly answer?: Answer }> {
    // Hybrid hits stay valid while token codes are read, unless the index has changed.
    if (hits?.isSame() !== true) {
      const isSame = index.watch();
      // The bot's language may have changed since the question was analyzed.
      const analyzed = yield* analyzedBy(index, request, read, asking);
      hits = { ...(yield* findHybrid(index, request, analyzed, embedded, reranking)), isSame };
      asking.tellSmallTalk?.(hits.query.dense?.smallTalk ?? 0);
    }
    const { results } = yield* answerBy(index, request, hits, reranking);
    return reranking?.tokenCodes.isUnread === true ? {} : { answer: yield* complete(hits, results) };
  }
  return must((await whenRead(index, asking, reranking, begin)).answer, "the answer of a search that has read all");
}

/**
 * Runs `begin` in the bot's search queue. If it lacked token codes, reads them between time slices and runs `begin` again.
 * {@link TokenCodesOfSearch} bounds the number of readings.
 */
export async function whenRead<Result extends NonNullable<unknown>>(
  index: SearchIndex,
  { queue, check, signal }: Asking,
  reranking: SlicedReranking | undefined,
  begin: () => Sliced<Result>,
): Promise<Result> {
  for (;;) {
    const result = await queue.answer({ begin, index, check, signal });
    if (reranking?.tokenCodes.isUnread !== true) return result;
    const read = reranking.tokenCodes.read();
    await (signal === undefined ? read : unlessAborted(read, signal));
  }
}

/** A question as it was analyzed on arrival, with its vector on the way. */
export interface ReadQuestion {
  readonly reader: Analyzer;
  readonly analyzed: AnalyzedQuery;
  readonly embedded: Promise<EmbeddedQuestion | undefined>;
}

/** Starts the embedder on the question. Analyzes and weighs the terms in the meantime, since the encoder runs in another process. */
export function* readQuestion(
  index: SearchIndex,
  request: SearchRequest,
  { embed, vocabulary }: Pick<Asking, "embed" | "vocabulary">,
): Sliced<ReadQuestion> {
  const embedded = embed(embeddedQuestion(request.query));
  // An aborted search no longer awaits this promise: its rejection must not count as unhandled.
  embedded.catch(() => undefined);
  const { reader } = index;
  const analyzed = yield* analyzeBy(index, request, vocabulary);
  yield* analyzed.weigh(index.lexical);
  return { reader, analyzed, embedded };
}

/** The analyzed question. It is analyzed again if the index has another analyzer now. */
export function* analyzedBy(
  index: SearchIndex,
  request: SearchRequest,
  read: ReadQuestion,
  { vocabulary }: Pick<Asking, "vocabulary">,
): Sliced<AnalyzedQuery> {
  return index.reader === read.reader ? read.analyzed : yield* analyzeBy(index, request, vocabulary);
}

/** Analyzes a question, and applies the bot's vocabulary to its terms. */
function* analyzeBy(
  { reader, effort }: SearchIndex,
  { query }: SearchRequest,
  vocabulary: VocabularyOf | undefined,
): Sliced<AnalyzedQuery> {
  const compiled = vocabulary === undefined ? undefined : yield* vocabulary(reader, effort);
  if (compiled === undefined) return analyzeQuery(query, reader);
  const asked: AskedVocabulary = yield* compiled.asked(termsOfQuestion(query, reader), effort);
  return analyzeQuery(query, reader, asked);
}

/** The reranking of one search. Its token codes are read between time slices. */
export interface SlicedReranking extends Reranking {
  readonly tokenCodes: TokenCodesOfSearch;
}

/** The reranking of a question. Undefined if no token has a weight above 0, or if no token codes are stored. */
export function rerank(
  tokens: AskedTokens | undefined,
  kept: TokenCodesSource | undefined,
): SlicedReranking | undefined {
  if (tokens === undefined || kept?.isOpen !== true) return undefined;
  const { space, calibration, of } = tokens;
  if (!of.weights.some((weight) => weight > 0)) return undefined;
  const question = heaviestTokens(of, space.bytes);
  return { question, bytes: space.bytes, calibration, tokenCodes: new TokenCodesOfSearch(kept) };
}

/** The reranking with the identifiers of the parsed question. */
export function rerankingOf(query: ParsedQuery, reranking: SlicedReranking): SlicedReranking {
  return { ...reranking, identified: query.dense?.identified };
}

/** The number of documents that a request ranks and quotes. An answer with an offset is a slice of the longest answer. */
export function depthOf({ topK, offset }: SearchRequest): number {
  return offset === undefined ? topK : TOP_K_MAX;
}

/** The hybrid hits of a request: the documents that it ranks, or those that are reranked. */
export function* findHybrid(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  reranking: Reranking | undefined,
): Sliced<HybridHits> {
  const count = reranking === undefined ? depthOf(request) : rerankDepthOf(depthOf(request));
  const allowed = yield* index.filters.allowedBy(request);
  return yield* hybridSearch(index, analyzed, embedded, allowed, count);
}

/** The results of a search, and the ranking that they were cut from. */
export interface Answered {
  /** All hits, best first, also those that are not returned. */
  readonly ranked: RerankedDocuments;
  /** Empty if token codes must be read first. */
  readonly results: SearchResult[];
}

/** Reranks the hybrid hits, quotes the best, and returns the slice that is asked for. The index must be the version that the hits were found in. */
export function* answerBy(
  index: SearchIndex,
  request: SearchRequest,
  { query, found }: HybridHits,
  reranking: SlicedReranking | undefined,
): Sliced<Answered> {
  const { topK, offset = 0, minScore } = request;
  // A question whose vector cannot be compared is not reranked either.
  const isReranked = reranking !== undefined && query.dense !== undefined;
  const ranked = isReranked
    ? yield* rerankedDocuments(index, found, rerankingOf(query, reranking))
    : { documents: found, isReranked: false };
  if (reranking?.tokenCodes.isUnread === true) return { ranked, results: [] };
  const quoted: QuotedDocument[] = [];
  for (const hits of ranked.documents.slice(0, depthOf(request))) {
    const { document, pinned } = hits;
    const quotes = scoredQuotes(quotesOf(hits, query, index), query);
    const score = must(quotes[0], "the quote of a document that is found").similarity;
    if (score >= minScore) quoted.push({ document, quotes, score, isPinned: pinned !== undefined });
    if (index.effort.shouldYield(QUOTING_OPERATIONS)) yield;
  }
  const results: SearchResult[] = [];
  for (const each of quoted.sort(byRank).slice(offset, offset + topK)) {
    results.push(toResult(each, yield* partsOf(index, each, request), request.includeContent));
    if (index.effort.shouldYield(RESULT_OPERATIONS)) yield;
  }
  return { ranked, results };
}

function scoredQuotes(quotes: readonly ScoredFragment[], query: ParsedQuery): readonly ScoredFragment[] {
  return (query.dense?.smallTalk ?? 0) === 0
    ? quotes
    : quotes.map((quote) => ({ ...quote, similarity: answerScore(quote.similarity, query) }));
}

/** Operations counted for the quotes of one document. Quoting takes longest if the static embedder compares sentences, or if quotes may be pointers. */
const QUOTING_OPERATIONS = 8_192;

/** Operations counted for the result of one document. Its metadata is frozen, which may have some thousand values. */
const RESULT_OPERATIONS = 4_096;

/** A document with its quotes, best first. */
interface QuotedDocument {
  readonly document: IndexedDocument;
  readonly quotes: readonly ScoredFragment[];
  /** The similarity of its best quote. */
  readonly score: number;
  readonly isPinned: boolean;
}

function* partsOf(index: SearchIndex, quoted: QuotedDocument, request: SearchRequest): Sliced<TextPart[]> {
  const { document, quotes } = quoted;
  if (request.context === "none") return quotes.map((quote) => textPartOf(document, quote));
  return yield* textPartsWithContexts(index, document, quotes, request);
}

function toResult({ document, score }: QuotedDocument, parts: TextPart[], includeContent: boolean): SearchResult {
  const { id, type, status, metaData, url, content } = document.document;
  return {
    resourceDocId: id,
    type,
    status,
    metaData: frozen(metaData),
    ...(url === undefined ? {} : { url }),
    bestMatchScore: score,
    similarTextParts: parts,
    content: includeContent ? frozen(content) : [],
  };
}

/** Pinned documents first, in their order; then by score, ties by id. */
function byRank(a: QuotedDocument, b: QuotedDocument): number {
  if (a.isPinned || b.isPinned) return Number(b.isPinned) - Number(a.isPinned);
  return b.score - a.score || (a.document.document.id < b.document.document.id ? -1 : 1);
}
