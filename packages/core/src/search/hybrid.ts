import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./allowed-documents.ts";
import { foreignPassages } from "./foreign-passages.ts";
import { denseQuery } from "./fusion.ts";
import { type AnalyzedQuery, type ParsedQuery, weighQuery } from "./parsed-query.ts";
import { type DocumentHits, hitsOf, retrieve } from "./retrieval.ts";

/** What words and meaning have found. */
export interface HybridHits {
  /** The question as it was understood to find it. */
  readonly query: ParsedQuery;
  /** Best first, ties by id. */
  readonly found: readonly DocumentHits[];
}

/**
 * The best `count` documents that are allowed, by their words and by what they mean. The embedder's question is less near to passages that only the static embedder has
 * read than the static embedder's own is: where it finds nothing among such, the static embedder asks.
 */
export function* hybridSearch(
  index: SearchIndex,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  allowed: Allowed,
  count: number,
): Sliced<HybridHits> {
  // Also for a question without terms, which reads nothing: the costs of the search before are not its own.
  index.effort.begin();
  const dense = denseQuery(index.windowVectors, embedded, foreignPassages(index, analyzed));
  const query = yield* weighQuery(analyzed, index, dense);
  if (analyzed.terms.length === 0) return { query, found: [] };
  const documents = yield* retrieve(index, query, allowed, count);
  const again = documents.length === 0 && index.windowVectors.ownShare < 1 ? embedded?.byStatic?.() : undefined;
  if (again !== undefined) return yield* hybridSearch(index, analyzed, again, allowed, count);
  const found: DocumentHits[] = [];
  for (const document of documents) {
    const before = index.effort.spent.comparisons;
    found.push(yield* hitsOf(index, query, document));
    if (index.effort.shouldYield(HITS_OPERATIONS + index.effort.spent.comparisons - before)) yield;
  }
  return { query, found };
}

/** Finding the best passages of a document takes at least so many operations. */
const HITS_OPERATIONS = 1_024;
