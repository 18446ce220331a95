import type { Scoring } from "../lexical/scoring.ts";
import { SIMILARITY_INEXACT_MAX } from "../limits.ts";
import type { Allowed } from "./allowed.ts";
import { BestDocuments } from "./best-documents.ts";
import { type IndexedDocument, ordinalCountOf } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { SearchIndex } from "./search-index.ts";

/** A passage (or wording) with its similarity to the query. */
export interface Hit {
  readonly ordinal: number;
  readonly similarity: number;
}

/** A document with all its hits above the floor. */
export interface DocumentHits {
  readonly document: IndexedDocument;
  readonly hits: readonly Hit[];
}

/**
 * Below this a match says nothing: the passage shares so little of the query's weight that any text would.
 * A share of BM25's upper bound.
 */
export const RELEVANCE_FLOOR = 0.01;

/**
 * The best `count` documents that are allowed, best first, ties by id.
 * A document that equals the query is among them whatever its words weigh.
 */
export function retrieve(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): DocumentHits[] {
  const best = new BestDocuments(count, allowed);
  scoreDocuments(index, query, allowed, count);
  offerAll(index, best);
  return best.ranked.map(({ document }) => ({ document, hits: hitsOf(index, query, document) }));
}

function offerAll(index: SearchIndex, best: BestDocuments): void {
  index.scores.forEach((slot, score) => {
    const document = index.documentAt(slot);
    if (document !== undefined) best.offer(document, score);
  });
}

/** Sets `index.scores` to the similarity of the best passage of every document that may be among the best `count`. */
function scoreDocuments(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): void {
  const { scores } = index;
  const { upperBound } = query.lexical;
  const scoring = index.lexical.score(query.lexical);
  try {
    const threshold = addTermsThatMatter(index, scoring, allowed, count, RELEVANCE_FLOOR * upperBound);
    scores.reset(index.slotCount);
    for (let i = 0; i < scoring.touchedCount; i++) {
      const ordinal = scoring.ordinalAt(i);
      if (scoring.partial(ordinal) + scoring.remainingMax < threshold) continue;
      const similarity = similarityOf(scoring.complete(ordinal), upperBound);
      if (similarity < RELEVANCE_FLOOR) continue;
      scores.raise(index.slotOf(ordinal), similarity);
    }
  } finally {
    scoring.close();
  }
  for (const { slot } of index.exactMatches(query)) scores.raise(slot, 1);
}

/**
 * Adds terms until those left could not bring a new passage among the best `count` documents, and returns the score
 * that a passage needs to be among them.
 */
function addTermsThatMatter(
  index: SearchIndex,
  scoring: Scoring,
  allowed: Allowed,
  count: number,
  floor: number,
): number {
  let threshold = floor;
  while (scoring.hasNext) {
    // Finding the threshold reads all scores so far: worth it only before a list that is longer than that.
    if (scoring.nextFrequency > scoring.touchedCount && scoring.touchedCount > 0) {
      threshold = Math.max(threshold, scoreOfLast(index, scoring, allowed, count) * ROUNDING_SLACK);
      if (scoring.remainingMax < threshold) break;
    }
    scoring.addTerm();
  }
  return threshold;
}

/** Sums of the same weights in another order differ in their last bits: the bound gives way a little more than that. */
const ROUNDING_SLACK = 1 - 1e-9;

/** The score so far of the document that is the `count`-th best so far; 0 if there are fewer. */
function scoreOfLast(index: SearchIndex, scoring: Scoring, allowed: Allowed, count: number): number {
  index.scores.reset(index.slotCount);
  for (let i = 0; i < scoring.touchedCount; i++) {
    const ordinal = scoring.ordinalAt(i);
    index.scores.raise(index.slotOf(ordinal), scoring.partial(ordinal));
  }
  const best = new BestDocuments(count, allowed);
  offerAll(index, best);
  return best.threshold;
}

/** Every passage of a document that is above the floor, with the same scores that found it. */
function hitsOf(index: SearchIndex, query: ParsedQuery, document: IndexedDocument): Hit[] {
  const hits: Hit[] = [];
  const end = document.firstOrdinal + ordinalCountOf(document);
  for (let ordinal = document.firstOrdinal; ordinal < end; ordinal++) {
    const similarity = similarityOf(index.lexical.scoreOf(query.lexical, ordinal), query.lexical.upperBound);
    if (similarity >= RELEVANCE_FLOOR) hits.push({ ordinal, similarity });
  }
  return hits;
}

function similarityOf(score: number, upperBound: number): number {
  return Math.min(score / upperBound, SIMILARITY_INEXACT_MAX);
}
