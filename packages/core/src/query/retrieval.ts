import type { Scoring } from "../lexical/scoring.ts";
import type { Allowed } from "./allowed.ts";
import { BestDocuments, isBefore, type Ranked } from "./best-documents.ts";
import type { EqualTexts } from "./equal-texts.ts";
import {
  DENSE_FLOOR,
  type DenseQuery,
  fusedSimilarity,
  LEXICAL_FLOOR,
  lexicalNeeded,
  lexicalSimilarity,
} from "./fusion.ts";
import { type IndexedDocument, ordinalCountOf } from "./indexed-document.ts";
import type { ParsedQuery } from "./parsed-query.ts";
import type { SearchIndex } from "./search-index.ts";

/** A passage (or wording) with its similarity to the query. */
export interface Hit {
  readonly ordinal: number;
  readonly similarity: number;
  /** What its words alone are worth, 0 to 1. */
  readonly words: number;
}

/** A document with all its hits above the floor, and what of it equals the query. */
export interface DocumentHits {
  readonly document: IndexedDocument;
  readonly hits: readonly Hit[];
  readonly equal: EqualTexts;
}

/**
 * The best `count` documents that are allowed, best first, ties by id.
 * A document that equals the query is among them whatever its words weigh.
 */
export function retrieve(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): DocumentHits[] {
  scoreDocuments(index, query, allowed, count);
  const { ranked } = bestOf(index, allowed, count);
  return ranked.map(({ document }) => hitsOf(index, query, document));
}

/** How many of the documents that are allowed are better answers than this one. Scores them all. */
export function countBefore(index: SearchIndex, query: ParsedQuery, allowed: Allowed, ranked: Ranked): number {
  scoreDocuments(index, query, allowed, index.documents.slotCount);
  let before = 0;
  index.scores.forEach((slot, score) => {
    const document = index.documents.at(slot);
    if (document === undefined || !isBefore({ document, score }, ranked)) return;
    if (allowed === undefined || allowed(document.document)) before += 1;
  });
  return before;
}

/** Sets `index.scores` for every document that may be among the best `count`. */
function scoreDocuments(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): void {
  if (query.dense === undefined) scoreByWords(index, query, allowed, count);
  else scoreByBoth(index, query, query.dense, allowed, count);
  for (const { slot } of index.exactMatches(query)) index.scores.raise(slot, 1);
}

/** The best documents by what `index.scores` holds. */
function bestOf(index: SearchIndex, allowed: Allowed, count: number): BestDocuments {
  const best = new BestDocuments(count, allowed);
  index.scores.forEach((slot, score) => {
    const document = index.documents.at(slot);
    if (document !== undefined) best.offer(document, score);
  });
  return best;
}

/** Sets `index.scores` to the similarity of the best passage of every document that may be among the best `count`. */
function scoreByWords(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): void {
  const { scores } = index;
  const { upperBound } = query.lexical;
  const scoring = index.lexical.score(query.lexical);
  try {
    const threshold = addTermsThatMatter(index, scoring, allowed, count, LEXICAL_FLOOR * upperBound);
    scores.reset(index.documents.slotCount);
    forEachAtLeast(scoring, threshold, (ordinal, score) => {
      scores.raise(index.documents.slotOf(ordinal), lexicalSimilarity(score, upperBound));
    });
  } finally {
    scoring.close();
  }
}

/**
 * The same with the fused similarity. The nearest passages come first: they tell what similarity a document needs, and so
 * what the words of all that is further away must be worth (a threshold algorithm; Fagin, Lotem, Naor 2003, "Optimal
 * Aggregation Algorithms for Middleware"). The result is that of fusing the scores of every passage.
 */
function scoreByBoth(index: SearchIndex, query: ParsedQuery, dense: DenseQuery, allowed: Allowed, count: number): void {
  const { scores, lexical } = index;
  const { upperBound } = query.lexical;
  const near = nearestPassages(index, dense, allowed, count);
  scores.reset(index.documents.slotCount);
  for (const { ordinal, cosine } of near) {
    const words = lexicalSimilarity(lexical.scoreOf(query.lexical, ordinal), upperBound);
    scores.raise(index.documents.slotOf(ordinal), fusedSimilarity(words, cosine, dense));
  }
  const threshold = bestOf(index, allowed, count).threshold * ROUNDING_SLACK;
  const unvectored = (index.partVectors.rows?.count ?? 0) < index.parts.count;
  const needed = lexicalNeeded(threshold, near.at(-1)?.cosine ?? 1, unvectored, dense) * upperBound;
  const scoring = lexical.score(query.lexical);
  try {
    while (scoring.hasNext && scoring.remainingMax >= needed) scoring.addTerm();
    for (let i = 0; i < scoring.touchedCount; i++) {
      const ordinal = scoring.ordinalAt(i);
      const most = scoring.partial(ordinal) + scoring.remainingMax;
      if (most < needed) continue;
      const cosine = index.partVectors.cosineOf(dense.vector, ordinal);
      // What is missing of its words is read only if they could still matter beside its meaning.
      if (fusedSimilarity(lexicalSimilarity(most, upperBound), cosine, dense) < threshold) continue;
      const words = lexicalSimilarity(scoring.complete(ordinal), upperBound);
      scores.raise(index.documents.slotOf(ordinal), fusedSimilarity(words, cosine, dense));
    }
  } finally {
    scoring.close();
  }
}

/** Nearest parts that are looked at before their number of documents is known. */
const NEAREST_MIN = 64;

interface NearPassage {
  readonly ordinal: number;
  /** Of its nearest part. */
  readonly cosine: number;
}

/**
 * The nearest passages of allowed documents, nearest first: enough to hold `count` of these, or all that mean anything. A passage is
 * as near as its nearest part.
 */
function nearestPassages(index: SearchIndex, dense: DenseQuery, allowed: Allowed, count: number): NearPassage[] {
  const { parts } = index;
  const vectors = index.partVectors.rows;
  if (vectors === undefined) return [];
  const isAllowed = (part: number): boolean => {
    const document = index.documents.ofOrdinal(parts.ordinalOf(part));
    return document !== undefined && allowed?.(document.document) === true;
  };
  for (let wanted = Math.max(NEAREST_MIN, count * 4); ; wanted *= 4) {
    const near = vectors.nearest(dense.vector, wanted, allowed === undefined ? undefined : isAllowed);
    const cosines = new Map<number, number>();
    for (const { key, cosine } of near) {
      const ordinal = parts.ordinalOf(key);
      if (index.partVectors.tellsNothing(key)) continue;
      if (!cosines.has(ordinal)) cosines.set(ordinal, cosine);
    }
    const last = near.at(-1);
    const farthest = dense.calibrate(last?.cosine ?? 0);
    const isEnough = last === undefined || near.length < wanted || farthest < DENSE_FLOOR;
    const passages = [...cosines].map(([ordinal, cosine]) => ({ ordinal, cosine }));
    // As near as the last there may be others behind it, which come first by their documents' ids.
    if (isEnough || documentCount(index, passages, (cosine) => dense.calibrate(cosine) > farthest) >= count) {
      return passages;
    }
  }
}

function documentCount(
  index: SearchIndex,
  passages: readonly NearPassage[],
  counts: (cosine: number) => boolean,
): number {
  const slots = new Set<number>();
  for (const { ordinal, cosine } of passages) if (counts(cosine)) slots.add(index.documents.slotOf(ordinal));
  return slots.size;
}

/** Visits every passage whose whole score is at least this, and may visit others. */
function forEachAtLeast(scoring: Scoring, threshold: number, visit: (ordinal: number, score: number) => void): void {
  for (let i = 0; i < scoring.touchedCount; i++) {
    const ordinal = scoring.ordinalAt(i);
    if (scoring.partial(ordinal) + scoring.remainingMax >= threshold) visit(ordinal, scoring.complete(ordinal));
  }
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
  index.scores.reset(index.documents.slotCount);
  for (let i = 0; i < scoring.touchedCount; i++) {
    const ordinal = scoring.ordinalAt(i);
    index.scores.raise(index.documents.slotOf(ordinal), scoring.partial(ordinal));
  }
  return bestOf(index, allowed, count).threshold;
}

/** Every passage of a document that is above the floor, with the same scores that found it, and what of it equals the query. */
export function hitsOf(index: SearchIndex, query: ParsedQuery, document: IndexedDocument): DocumentHits {
  const hits: Hit[] = [];
  const end = document.firstOrdinal + ordinalCountOf(document);
  for (let ordinal = document.firstOrdinal; ordinal < end; ordinal++) {
    const { similarity, lexical: words } = scoresOf(index, query, ordinal);
    if (similarity > 0) hits.push({ ordinal, similarity, words });
  }
  return { document, hits, equal: query.equal.in(document) };
}

/** What one passage is worth: by its words, by its meaning if that can be compared, and by both. */
export interface PassageScores {
  readonly bm25: number;
  /** A similarity; 0 below the floor. */
  readonly lexical: number;
  /** Of its nearest part; undefined if it has no vector. */
  readonly cosine: number | undefined;
  /** 0 below both floors. */
  readonly similarity: number;
}

export function scoresOf(index: SearchIndex, { dense, lexical: words }: ParsedQuery, ordinal: number): PassageScores {
  const bm25 = index.lexical.scoreOf(words, ordinal);
  const lexical = lexicalSimilarity(bm25, words.upperBound);
  const cosine = dense === undefined ? undefined : index.partVectors.cosineOf(dense.vector, ordinal);
  const similarity = dense === undefined ? lexical : fusedSimilarity(lexical, cosine, dense);
  return { bm25, lexical, cosine, similarity };
}
