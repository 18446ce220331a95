import { UNKNOWN_LANGUAGE } from "../analysis/analyzer.ts";
import type { EmbeddedQuestion } from "../embedding/shared-embedder.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./filters/allowed-documents.ts";
import { denseQuery } from "./fusion.ts";
import { type AnalyzedQuery, type ParsedQuery, weighQuery } from "./parsed-query.ts";
import { withPinned } from "./pinned.ts";
import { type DocumentHits, hitsOf, retrieve } from "./retrieval.ts";

/** The documents that BM25 and vectors have found together. */
export interface HybridHits {
  /** The question as it was parsed for this search. */
  readonly query: ParsedQuery;
  /** Best first, ties by id. */
  readonly found: readonly DocumentHits[];
  /** The documents that the request's filters allow. */
  readonly allowed: Allowed;
}

/**
 * Hybrid search: the best `count` allowed documents by BM25 and vectors.
 * Passage vectors of the static embedder are nearer to its own question vector than to the sentence encoder's.
 * So if nothing is found while some vectors are the static embedder's, the search runs again with its question vector.
 */
export function* hybridSearch(
  index: SearchIndex,
  analyzed: AnalyzedQuery,
  embedded: EmbeddedQuestion | undefined,
  allowed: Allowed,
  count: number,
): Sliced<HybridHits> {
  // Done first, so that a question without terms is not charged for the search before.
  index.effort.begin();
  const dense = denseQuery(index.windowVectors, embedded, foreignPassages(index, analyzed));
  const query = yield* weighQuery(analyzed, index, dense);
  if (analyzed.terms.length === 0) return { query, found: [], allowed };
  const documents = yield* retrieve(index, query, allowed, count);
  const again = documents.length === 0 && index.windowVectors.ownShare < 1 ? embedded?.byStatic?.() : undefined;
  if (again !== undefined) return yield* hybridSearch(index, analyzed, again, allowed, count);
  const found: DocumentHits[] = [];
  for (const document of withPinned(index, query, allowed, documents, count)) {
    const before = index.effort.spent.comparisons;
    found.push(yield* hitsOf(index, query, document));
    if (index.effort.shouldYield(HITS_OPERATIONS + index.effort.spent.comparisons - before)) yield;
  }
  return { query, found, allowed };
}

/** Operations to find the best passages of a document, at least. */
const HITS_OPERATIONS = 1_024;

/**
 * Tells which passages are written in another language than the question, and so cannot be expected to hold its words.
 * Undefined if the documents have one language only, or none is written in the question's. BM25 then treats all passages alike.
 */
function foreignPassages(
  { analyzer, documents }: Pick<SearchIndex, "analyzer" | "documents">,
  question: AnalyzedQuery,
): ((ordinal: number) => boolean) | undefined {
  if (analyzer.documents === undefined || documents.languages.length < 2) return undefined;
  const language = question.languageBy(analyzer.documents);
  if (language === UNKNOWN_LANGUAGE || !documents.languages.includes(language)) return undefined;
  return (ordinal) => {
    const own = documents.ofOrdinal(ordinal)?.language ?? UNKNOWN_LANGUAGE;
    return own !== language && own !== UNKNOWN_LANGUAGE;
  };
}
