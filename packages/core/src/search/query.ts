import type { SearchIndex } from "../index/search-index.ts";
import { TOP_K_MAX } from "../model/limits.ts";
import type { QueryAnswer } from "../model/queries.ts";
import type { SearchResult } from "../model/types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { countFacets } from "./facets.ts";
import { groupResults } from "./groups.ts";
import type { HybridHits } from "./hybrid.ts";
import { pinnedDocuments } from "./pinned.ts";
import type { QueryRequest } from "./query-request.ts";
import { scoreAllFound } from "./retrieval.ts";
import { type Asking, ask } from "./search.ts";

/**
 * A search, and what is true of all documents that it finds: their number, the values of their fields, and groups of the best ones.
 * All of it is of one version of the index.
 */
export async function query(index: SearchIndex, request: QueryRequest, asking: Asking): Promise<QueryAnswer> {
  // Groups are made of the best documents, however few results are wanted.
  const searched = request.groupBy === undefined ? request : { ...request, topK: TOP_K_MAX, offset: undefined };
  return ask(index, searched, asking, (hits, results) => queryAnswer(index, request, hits, results));
}

/** Completes the results of a search to the answer of a query. Counting has a budget of its own. */
export function* queryAnswer(
  index: SearchIndex,
  request: QueryRequest,
  { query: parsed, found, allowed }: HybridHits,
  ranked: SearchResult[],
): Sliced<QueryAnswer> {
  const { topK, offset = 0, facets, groupBy } = request;
  const { scores } = index;
  const isWhole = yield* scoreAllFound(index, parsed, allowed);
  // If the budget has ended, the best documents are counted in any case.
  for (const { document } of [...found, ...pinnedDocuments(index, parsed, allowed)])
    scores.raise(document.slot, Number.MIN_VALUE, document.firstOrdinal);
  return {
    results: groupBy === undefined ? ranked : ranked.slice(offset, offset + topK),
    ...(isWhole ? { total: scores.count } : {}),
    ...(facets.length === 0 ? {} : { facets: yield* countFacets(index, facets) }),
    ...(groupBy === undefined ? {} : { groups: yield* groupResults(index, ranked, groupBy, request) }),
  };
}
