import type { SearchResult, TextPart } from "./domain/types.ts";
import type { EmbeddedQuestion } from "./embedding/shared-embedder.ts";
import { allowedBy } from "./query/allowed.ts";
import { foreignPassages } from "./query/foreign-passages.ts";
import { denseQuery } from "./query/fusion.ts";
import { type AnalyzedQuery, analyzeQuery, type ParsedQuery, weighQuery } from "./query/parsed-query.ts";
import type { SearchRequest } from "./query/request.ts";
import { type DocumentHits, hitsOf, retrieve } from "./query/retrieval.ts";
import type { SearchIndex } from "./query/search-index.ts";
import { textParts } from "./query/spans.ts";
import type { AnswerLine } from "./runtime/answer-line.ts";
import { frozen } from "./runtime/frozen.ts";
import { finished, type Steps } from "./runtime/steps.ts";
import type { Analyzer } from "./text/analyzer.ts";

/** Who asks, and how his question is answered. */
export interface Asking {
  /** The bot's: where its questions are answered one after the other, in turns. */
  readonly line: AnswerLine;
  readonly embed: (question: string) => Promise<EmbeddedQuestion | undefined>;
  /** Called again and again: what it throws ends the search. */
  readonly check: () => void;
  /** Aborted, it ends the search with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The read path: a question in, the documents that answer it out, best first, each with the lines where it does. The
 * question's vector is awaited; all the rest is done in turns, and is the answer of the index as it was at one moment. Without a vector,
 * or with one of another space than the index has by then, it is answered by words.
 */
export async function search(index: SearchIndex, request: SearchRequest, asking: Asking): Promise<SearchResult[]> {
  const { line, check, signal } = asking;
  const read = await line.answer({ begin: () => readQuestion(index, request, asking.embed), check, signal });
  const vector = await read.embedded;
  // The bot may have got another language meanwhile.
  const begin = (): Steps<SearchResult[]> => answerInSteps(index, request, analyzedBy(index, request, read), vector);
  return line.answer({ begin, ground: index, check, signal });
}

/** A question as it was read when it came. */
export interface ReadQuestion {
  readonly reader: Analyzer;
  readonly analyzed: AnalyzedQuery;
  readonly embedded: Promise<EmbeddedQuestion | undefined>;
}

/** The encoder works in another process: meanwhile this one reads the question in its own way. */
export function* readQuestion(index: SearchIndex, request: SearchRequest, embed: Asking["embed"]): Steps<ReadQuestion> {
  const embedded = embed(request.query);
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

/** The answer of the index as it is now. */
export function answer(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded?: EmbeddedQuestion,
): SearchResult[] {
  return finished(answerInSteps(index, request, analyzed, embedded));
}

/** The same in steps, as long as the index stays as it is. */
function* answerInSteps(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded?: EmbeddedQuestion,
): Steps<SearchResult[]> {
  const { results } = yield* answerByQuery(index, request, analyzed, embedded);
  return results;
}

/**
 * The same with the question as it was understood to find it. The embedder's question is less near to passages that only the student has read
 * than the student's own is: where it finds nothing among such, the student asks.
 */
export function* answerByQuery(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded?: EmbeddedQuestion,
): Steps<{ readonly query: ParsedQuery; readonly results: SearchResult[] }> {
  const query = yield* weighQuery(
    analyzed,
    index.lexical,
    denseQuery(index.partVectors, embedded, foreignPassages(index, analyzed)),
  );
  if (analyzed.terms.length === 0) return { query, results: [] };
  const found = yield* retrieve(index, query, allowedBy(request), request.topK);
  const again = found.length === 0 && index.partVectors.ownShare < 1 ? embedded?.byStudent?.() : undefined;
  if (again !== undefined) return yield* answerByQuery(index, request, analyzed, again);
  const results: SearchResult[] = [];
  for (const [i, document] of found.entries()) {
    const hits = yield* hitsOf(index, query, document, found.length - 1 - i);
    results.push(toResult(hits, textParts(hits, query, index), request.includeContent));
    if (index.effort.isStep(QUOTING_OPERATIONS)) yield;
  }
  return { query, results: results.sort(byScoreThenId) };
}

/** Picking what is quoted of a document takes as long as so many comparisons, most of all where the student compares sentences. */
const QUOTING_OPERATIONS = 4_096;

function toResult({ document }: DocumentHits, parts: TextPart[], includeContent: boolean): SearchResult {
  const { id, type, status, metaData, url, content } = document.document;
  return {
    resourceDocId: id,
    type,
    status,
    metaData: frozen(metaData),
    ...(url === undefined ? {} : { url }),
    bestMatchScore: parts[0]?.similarity ?? 0,
    similarTextParts: parts,
    content: includeContent ? frozen(content) : [],
  };
}

function byScoreThenId(a: SearchResult, b: SearchResult): number {
  if (a.bestMatchScore !== b.bestMatchScore) return b.bestMatchScore - a.bestMatchScore;
  return a.resourceDocId < b.resourceDocId ? -1 : 1;
}
