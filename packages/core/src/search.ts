import type { SearchResult, TextPart } from "./domain/types.ts";
import type { EmbeddedQuestion } from "./embedding/shared-embedder.ts";
import { allowedBy } from "./query/allowed.ts";
import { denseQuery } from "./query/fusion.ts";
import { type AnalyzedQuery, analyzeQuery, type ParsedQuery, weighQuery } from "./query/parsed-query.ts";
import type { SearchRequest } from "./query/request.ts";
import { type DocumentHits, retrieve } from "./query/retrieval.ts";
import type { SearchIndex } from "./query/search-index.ts";
import { textParts } from "./query/spans.ts";
import { frozen } from "./runtime/frozen.ts";

/**
 * The read path: a question in, the documents that answer it out, best first, each with the lines where it does. The
 * question's vector is awaited; all the rest is done at once, on the index as it is then. Without a vector, or with one of another
 * space than the index has by then, it is answered by words.
 */
export async function search(
  index: SearchIndex,
  request: SearchRequest,
  embed: (question: string) => Promise<EmbeddedQuestion | undefined>,
): Promise<SearchResult[]> {
  const embedded = embed(request.query);
  // The encoder works in another process: meanwhile this one reads the question in its own way.
  const { reader } = index;
  const analyzed = analyzeQuery(request.query, reader);
  analyzed.weigh(index.lexical);
  const vector = await embedded;
  // The bot may have got another language meanwhile.
  const current = index.reader === reader ? analyzed : analyzeQuery(request.query, index.reader);
  return answer(index, request, current, vector);
}

/** The answer of the index as it is now. */
export function answer(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded?: EmbeddedQuestion,
): SearchResult[] {
  return answerByQuery(index, request, analyzed, embedded).results;
}

/**
 * The same with the question as it was understood to find it. The embedder's question is less near to passages that only the student has read
 * than the student's own is: where it finds nothing among such, the student asks.
 */
export function answerByQuery(
  index: SearchIndex,
  request: SearchRequest,
  analyzed: AnalyzedQuery,
  embedded?: EmbeddedQuestion,
): { readonly query: ParsedQuery; readonly results: SearchResult[] } {
  const query = weighQuery(analyzed, index.lexical, denseQuery(index.partVectors, embedded));
  if (analyzed.terms.length === 0) return { query, results: [] };
  const found = retrieve(index, query, allowedBy(request), request.topK);
  const again = found.length === 0 && index.partVectors.ownShare < 1 ? embedded?.byStudent?.() : undefined;
  if (again !== undefined) return answerByQuery(index, request, analyzed, again);
  const results = found.map((hits) => toResult(hits, textParts(hits, query, index), request.includeContent));
  return { query, results: results.sort(byScoreThenId) };
}

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
