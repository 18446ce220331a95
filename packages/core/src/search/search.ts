import type { Analyzer } from "../analysis/analyzer.ts";
import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { AskedTokens } from "../embedding/token-codes.ts";
import { embeddedQuestion } from "../index/embedded-texts.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { TokenCodesOfSearch, type TokenCodesSource } from "../index/token-codes/codes-of-search.ts";
import type { SearchResult, TextPart } from "../model/types.ts";
import { unlessAborted } from "../platform/abort.ts";
import { frozen } from "../platform/frozen.ts";
import type { SearchQueue } from "../scheduling/search-queue.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { type HybridHits, hybridSearch } from "./hybrid.ts";
import { type AnalyzedQuery, analyzeQuery, type ParsedQuery } from "./parsed-query.ts";
import { textParts } from "./quote.ts";
import type { SearchRequest } from "./request.ts";
import type { Reranking } from "./rerank/compared-passages.ts";
import { heaviestTokens } from "./rerank/question-tokens.ts";
import { RERANK_DEPTH, type RerankedDocuments, rerankedDocuments } from "./rerank/rerank.ts";
import type { DocumentHits } from "./retrieval.ts";

/** Who asks, and how his question is answered. */
export interface Asking {
  /** The bot's: where its questions are answered one after the other, in turns. */
  readonly line: SearchQueue;
  readonly embed: (question: string) => Promise<EmbeddedQuestion | undefined>;
  /** The token codes of the bot's passages; undefined where none are made, or the answer must do without. */
  readonly tokenCodes?: TokenCodesSource | undefined;
  /** Called again and again: what it throws ends the search. */
  readonly check: () => void;
  /** Aborted, it ends the search with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The read path: a question in, the documents that answer it out, best first, each with the lines where it does. The question's vector is awaited, and
 * what has to be read of the token codes; all the rest is done in turns, and is the answer of the index as it was at one moment. Without a vector,
 * or with one of another space than the index has by then, it is answered by words.
 */
export async function search(index: SearchIndex, request: SearchRequest, asking: Asking): Promise<SearchResult[]> {
  const { line, check, signal } = asking;
  const read = await line.answer({ begin: () => readQuestion(index, request, asking.embed), check, signal });
  const embedded = await read.embedded;
  const look = rerank(embedded?.tokens, asking.tokenCodes);
  let two: (HybridHits & { readonly isSame: () => boolean }) | undefined;
  function* begin(): Sliced<Answered> {
    // What was found before token codes were read still holds, unless the index has changed since.
    if (two?.isSame() !== true) {
      const isSame = index.watch();
      // The bot may have got another language meanwhile.
      two = { ...(yield* findHybrid(index, request, analyzedBy(index, request, read), embedded, look)), isSame };
    }
    return yield* answerBy(index, request, two, look);
  }
  return (await whenRead(index, asking, look, begin)).results;
}

/** Answers, and where token codes have to be read for it, reads them and answers again. */
export async function whenRead<Result>(
  index: SearchIndex,
  { line, check, signal }: Asking,
  look: SlicedReranking | undefined,
  begin: () => Sliced<Result>,
): Promise<Result> {
  for (;;) {
    const result = await line.answer({ begin, ground: index, check, signal });
    if (look?.tokenCodes.isUnread !== true) return result;
    const read = look.tokenCodes.read();
    await (signal === undefined ? read : unlessAborted(read, signal));
  }
}

/** A question as it was read when it came. */
export interface ReadQuestion {
  readonly reader: Analyzer;
  readonly analyzed: AnalyzedQuery;
  readonly embedded: Promise<EmbeddedQuestion | undefined>;
}

/** The encoder works in another process: meanwhile this one reads the question in its own way. */
export function* readQuestion(
  index: SearchIndex,
  request: SearchRequest,
  embed: Asking["embed"],
): Sliced<ReadQuestion> {
  const embedded = embed(embeddedQuestion(request.query));
  // Who is given up before does not wait for it any more.
  embedded.catch(() => undefined);
  const { reader } = index;
  const analyzed = analyzeQuery(request.query, reader);
  yield* analyzed.weigh(index.lexical);
  return { reader, analyzed, embedded };
}

/** The question in the language that the index has now. */
export function analyzedBy(index: SearchIndex, { query }: SearchRequest, read: ReadQuestion): AnalyzedQuery {
  return index.reader === read.reader ? read.analyzed : analyzeQuery(query, index.reader);
}

/** Reranking of a search, whose token codes are read between its turns. */
export interface SlicedReranking extends Reranking {
  readonly tokenCodes: TokenCodesOfSearch;
}

/** Undefined where the question has no tokens that weigh anything, or nothing is kept that they could be compared with. */
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

/** The reranking of a question that has been parsed. */
export function rerankingOf(query: ParsedQuery, look: SlicedReranking): SlicedReranking {
  return { ...look, identified: query.dense?.identified };
}

/** What two looks find, and enough of it for the third one. */
export function* findHybrid(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  look: Reranking | undefined,
): Sliced<HybridHits> {
  const count = Math.max(request.topK, look === undefined ? 0 : RERANK_DEPTH);
  const allowed = yield* index.filters.allowedBy(request);
  return yield* hybridSearch(index, analyzed, embedded, allowed, count);
}

export interface Answered {
  /** All that was found, best first, also what nobody has asked for. */
  readonly ranked: RerankedDocuments;
  /** None where token codes have to be read first. */
  readonly results: SearchResult[];
}

/** The answer by all looks, as long as the index stays as it was for the first two. */
export function* answerBy(
  index: SearchIndex,
  { topK, includeContent }: SearchRequest,
  { query, found }: HybridHits,
  look: SlicedReranking | undefined,
): Sliced<Answered> {
  // Tokens tell nothing where the vector of the same question does not.
  const isLooking = look !== undefined && query.dense !== undefined;
  const ranked = isLooking
    ? yield* rerankedDocuments(index, found, rerankingOf(query, look))
    : { documents: found, assumed: undefined };
  const results: SearchResult[] = [];
  if (look?.tokenCodes.isUnread === true) return { ranked, results };
  for (const hits of ranked.documents.slice(0, topK)) {
    results.push(toResult(hits, textParts(hits, query, index), includeContent));
    if (index.effort.shouldYield(QUOTING_OPERATIONS)) yield;
  }
  return { ranked, results: results.sort(byScoreThenId) };
}

/** The answer of the index as it is now, by the token codes that are at hand. */
export function answer(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded?: EmbeddedQuestion,
  look?: SlicedReranking,
): SearchResult[] {
  const two = finished(findHybrid(index, request, analyzed, embedded, look));
  return finished(answerBy(index, request, two, look)).results;
}

/** Picking what is quoted of a document takes as long as so many comparisons, most of all where the static embedder compares sentences. */
const QUOTING_OPERATIONS = 4_096;

function toResult({ document }: DocumentHits, windows: TextPart[], includeContent: boolean): SearchResult {
  const { id, type, status, metaData, url, content } = document.document;
  return {
    resourceDocId: id,
    type,
    status,
    metaData: frozen(metaData),
    ...(url === undefined ? {} : { url }),
    bestMatchScore: windows[0]?.similarity ?? 0,
    similarTextParts: windows,
    content: includeContent ? frozen(content) : [],
  };
}

function byScoreThenId(a: SearchResult, b: SearchResult): number {
  if (a.bestMatchScore !== b.bestMatchScore) return b.bestMatchScore - a.bestMatchScore;
  return a.resourceDocId < b.resourceDocId ? -1 : 1;
}
