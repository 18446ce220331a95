import type { EmbeddedQuestion } from "./embedding/shared-embedder.ts";
import { allowedBy } from "./query/allowed.ts";
import { denseQuery } from "./query/fusion.ts";
import { parseQuery } from "./query/parsed-query.ts";
import type { SearchRequest } from "./query/request.ts";
import { type DocumentHits, retrieve } from "./query/retrieval.ts";
import type { SearchIndex } from "./query/search-index.ts";
import { textParts } from "./query/spans.ts";
import type { SearchResult, TextPart } from "./types.ts";

/**
 * The read path: a question in, the documents that answer it out, best first, each with the lines where it does.
 * Without `embedded`, or with that of another space than the index has now, it is answered by words.
 */
export function search(index: SearchIndex, request: SearchRequest, embedded?: EmbeddedQuestion): SearchResult[] {
  const query = parseQuery(request.query, index.analyzer, index.lexical, denseQuery(index, embedded));
  if (query === undefined) return [];
  const found = retrieve(index, query, allowedBy(request), request.topK);
  return found
    .map((hits) => toResult(hits, textParts(hits, query, index.analyzer), request.includeContent))
    .sort(byScoreThenId);
}

function toResult({ document }: DocumentHits, parts: TextPart[], includeContent: boolean): SearchResult {
  const { id, type, status, metaData, url, content } = document.document;
  return {
    resourceDocId: id,
    type,
    status,
    metaData,
    ...(url === undefined ? {} : { url }),
    bestMatchScore: parts[0]?.similarity ?? 0,
    similarTextParts: parts,
    content: includeContent ? content : [],
  };
}

function byScoreThenId(a: SearchResult, b: SearchResult): number {
  if (a.bestMatchScore !== b.bestMatchScore) return b.bestMatchScore - a.bestMatchScore;
  return a.resourceDocId < b.resourceDocId ? -1 : 1;
}
