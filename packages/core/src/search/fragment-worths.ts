import type { Analyzer } from "../analysis/analyzer.ts";
import { analyzerIn } from "../index/document-fields.ts";
import { highestByFragment } from "../index/fragments-by-windows.ts";
import { fragmentsOfPassage, type IndexedDocument, searchedFragment } from "../index/indexed-document.ts";
import { FRAGMENTS_MARKED_MAX } from "../index/postings/occurrences.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { SIMILARITY_INEXACT_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import { fusedSimilarity } from "./fusion.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import { rerankedScore } from "./rerank/reranked-score.ts";
import type { Hit } from "./retrieval.ts";

/** A fragment with the similarity that its quote shows. */
export interface ScoredFragment {
  readonly fragment: number;
  readonly similarity: number;
}

/**
 * Scores the fragments of a passage, in order, and leaves out those that match neither by words nor by meaning.
 * The best fragment gets the passage's similarity, the others a proportional share of it.
 * @param least at most the similarity of the passage; fragments below it may be left out
 */
export function scoredFragments(
  document: IndexedDocument,
  hit: Hit,
  query: ParsedQuery,
  index: SearchIndex,
  least: number,
): ScoredFragment[] {
  const { ordinal, similarity } = hit;
  const inexact = Math.min(similarity, SIMILARITY_INEXACT_MAX);
  const [first, last] = fragmentsOfPassage(document, ordinal - document.firstOrdinal - document.variantCount);
  const worths = last - first === 1 ? [] : fragmentWorths(document, hit, first, last, query, index, least / inexact);
  const highest = highestBetween(worths, 0, worths.length);
  const scored: ScoredFragment[] = [];
  // A passage may match by its headings alone.
  if (highest === 0) scored.push({ fragment: first, similarity: inexact });
  for (let i = 0; i < worths.length; i++) {
    const worth = worths[i] as number;
    // Divided first: so the best fragment has exactly the passage's similarity, by which documents are ordered.
    if (worth > 0) scored.push({ fragment: first + i, similarity: inexact * (worth / highest) });
  }
  return scored;
}

/**
 * The raw worth of each fragment: the hybrid score of its share of the passage's words and of its nearest window's cosine, after reranking.
 * Without a question vector it is the weight of the terms in it. May be 0 for fragments below `leastShare` of the best.
 */
function fragmentWorths(
  document: IndexedDocument,
  { ordinal, words, reranking }: Hit,
  first: number,
  last: number,
  query: ParsedQuery,
  index: SearchIndex,
  leastShare: number,
): ArrayLike<number> {
  const weights =
    last - first <= FRAGMENTS_MARKED_MAX
      ? index.lexical.fragmentWeights(query.lexical, ordinal, last - first)
      : readWeights(document, first, last, query, analyzerIn(document.language, index.analyzer));
  const { dense } = query;
  if (dense === undefined) return weights;
  const shares = sharesOf(weights, words);
  const fragments = { ordinal, first, last };
  const cosines = index.windowVectors.fragmentCosines(dense.vector, document, fragments);
  const closeness =
    reranking &&
    highestByFragment(index.windows, document, fragments, (window) =>
      must(reranking.windows[window], "the closeness of a window"),
    );
  const { embedShort } = dense;
  const worthOf = (i: number, cosine: number): number => {
    const worth = fusedSimilarity(must(shares[i], FRAGMENT), cosine, dense);
    return reranking === undefined
      ? worth
      : rerankedScore(worth, Math.max(0, must(closeness?.[i], FRAGMENT)), reranking.weight);
  };
  if (embedShort === undefined) return cosines.map((cosine, i) => worthOf(i, cosine));
  return worthsApart(cosines, worthOf, leastShare, ({ start, end }) =>
    index.fragmentVectors.cosines(dense.vector, embedShort, document, first + start, end - start),
  );
}

const FRAGMENT = "the worth of a fragment";

// What follows is done for every fragment of a passage that may be quoted: plain loops, as iterators over typed arrays take ten times as long.

/** The lexical similarity of a passage, shared out to its fragments: the best gets all of it. */
function sharesOf(weights: ArrayLike<number>, words: number): Float64Array {
  const shares = new Float64Array(weights.length);
  const highest = highestBetween(weights, 0, weights.length);
  if (highest === 0) return shares;
  for (let i = 0; i < shares.length; i++) shares[i] = words * ((weights[i] as number) / highest);
  return shares;
}

/** The highest of `values` in `[start, end)`; 0 if all are lower. */
function highestBetween(values: ArrayLike<number>, start: number, end: number): number {
  let highest = 0;
  for (let i = start; i < end; i++) if ((values[i] as number) > highest) highest = values[i] as number;
  return highest;
}

/** Slack for rounding: a fragment that is left out is worth less, however its share is computed. */
const ROUNDING_SLACK = 1 - 1e-9;

/** Adjacent fragments `[start, end)` with the same cosine: that of the embedding window that they share. */
interface Together {
  readonly start: number;
  readonly end: number;
}

/**
 * The worths of fragments, with those that share a window told apart. The nearest of them keeps the window's cosine.
 * Each other loses the distance by which its own cosine is behind.
 * That takes a vector of each fragment of the group. It is skipped if none of them can be worth `leastShare` of the best.
 */
function worthsApart(
  cosines: readonly number[],
  worthOf: (i: number, cosine: number) => number,
  leastShare: number,
  ownCosines: (together: Together) => readonly (number | undefined)[],
): Float64Array {
  const worths = new Float64Array(cosines.length);
  for (let i = 0; i < worths.length; i++) worths[i] = worthOf(i, cosines[i] as number);
  const groups = sharingVectors(cosines);
  let best = 0;
  // One of each group keeps the cosine. So the group's best is worth at least the least of its worths with that cosine.
  for (const { start, end } of groups) best = Math.max(best, lowestBetween(worths, start, end));
  const least = best * leastShare * ROUNDING_SLACK;
  for (const group of groups) {
    const { start, end } = group;
    if (end - start === 1) continue;
    if (highestBetween(worths, start, end) < least) {
      worths.fill(0, start, end);
      continue;
    }
    const own = ownCosines(group);
    let nearest = -1;
    for (const cosine of own) if (cosine !== undefined && cosine > nearest) nearest = cosine;
    for (let i = start; i < end; i++) {
      const lowered = must(cosines[i], FRAGMENT) - (nearest - (own[i - start] ?? nearest));
      worths[i] = worthOf(i, lowered);
    }
  }
  return worths;
}

function lowestBetween(values: Float64Array, start: number, end: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = start; i < end; i++) if ((values[i] as number) < lowest) lowest = values[i] as number;
  return lowest;
}

function sharingVectors(cosines: readonly number[]): Together[] {
  const groups: Together[] = [];
  for (let start = 0, end = 1; start < cosines.length; start = end++) {
    while (end < cosines.length && cosines[end] === cosines[start]) end++;
    groups.push({ start, end });
  }
  return groups;
}

/** The weight of the question's terms in each fragment, read from its text. For passages with more fragments than the index marks. */
function readWeights(
  document: IndexedDocument,
  first: number,
  last: number,
  query: ParsedQuery,
  analyzer: Analyzer,
): number[] {
  const weights: number[] = [];
  for (let fragment = first; fragment < last; fragment++) {
    const held = new Set(analyzer.terms(searchedFragment(document, fragment)));
    let weight = 0;
    for (const [term, worth] of query.termWeights) if (held.has(term)) weight += worth;
    weights.push(weight);
  }
  return weights;
}
