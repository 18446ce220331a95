import type { EmbeddedQuestion } from "../../src/embedding/shared-embedder.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import type { Explanation } from "../../src/model/explanation.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { explainInSlices } from "../../src/search/explain/explain.ts";
import type { AnalyzedQuery } from "../../src/search/parsed-query.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { answerBy, findHybrid, type SlicedReranking } from "../../src/search/search.ts";

/** Answers at once, without time slices, by the token codes in memory. Empty if token codes must be read first. */
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

/** Explains by the current index at once, without time slices and without reranking. */
export function explainNow(
  index: SearchIndex,
  request: SearchRequest,
  id: string,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  newestVersion: number | undefined,
): Explanation {
  return finished(explainInSlices(index, request, id, { analyzed, embedded, newestVersion }));
}
