import { SEARCH_NEAREST_PARTS_MAX } from "../domain/limits.ts";
import type { Scoring } from "../lexical/scoring.ts";
import { inPortions, type Steps } from "../runtime/steps.ts";
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
  withoutWords,
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

/** A found document, and its passage that is worth most. */
export interface FoundDocument {
  readonly document: IndexedDocument;
  readonly bestOrdinal: number;
}

/**
 * The best `count` documents that are allowed, best first, ties by id.
 * A document that equals the query is among them whatever its words weigh.
 */
export function* retrieve(
  index: SearchIndex,
  query: ParsedQuery,
  allowed: Allowed,
  count: number,
): Steps<FoundDocument[]> {
  index.effort.begin();
  yield* scoreDocuments(index, query, allowed, count);
  const { ranked } = yield* bestOf(index, allowed, count);
  return ranked.map(({ document }) => ({ document, bestOrdinal: index.scores.ordinalOf(document.slot) }));
}

/** How many of the documents that are allowed are better answers than this one. Scores them all. */
export function* countBefore(index: SearchIndex, query: ParsedQuery, allowed: Allowed, ranked: Ranked): Steps<number> {
  index.effort.begin();
  yield* scoreDocuments(index, query, allowed, index.documents.slotCount);
  const { scores } = index;
  let before = 0;
  for (let i = 0; i < scores.count; i++) {
    if (i % STEP_DOCUMENTS === 0) yield;
    const document = index.documents.at(scores.slotAt(i));
    if (document === undefined || !isBefore({ document, score: scores.scoreOf(document.slot) }, ranked)) continue;
    if (allowed === undefined || allowed(document.document)) before += 1;
  }
  return before;
}

/** Sets `index.scores` for every document that may be among the best `count`. */
function* scoreDocuments(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): Steps<void> {
  if (query.dense === undefined) yield* scoreByWords(index, query, allowed, count);
  else yield* scoreByBoth(index, query, query.dense, allowed, count);
  const { scores } = index;
  yield* index.exactMatches(query, ({ slot, firstOrdinal, wordingCount }) => {
    scores.raise(slot, 1, scores.scoreOf(slot) > 0 ? scores.ordinalOf(slot) : firstOrdinal + wordingCount);
  });
}

/** The best documents by what `index.scores` holds. */
function* bestOf(index: SearchIndex, allowed: Allowed, count: number): Steps<BestDocuments> {
  const { scores, documents } = index;
  const best = new BestDocuments(count, allowed);
  const offer = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      const slot = scores.slotAt(i);
      const document = documents.at(slot);
      if (document !== undefined) best.offer(document, scores.scoreOf(slot));
    }
  };
  if (scores.count <= STEP_DOCUMENTS) offer(0, scores.count);
  else yield* inPortions(scores.count, STEP_DOCUMENTS, offer);
  return best;
}

/** Sets `index.scores` to the similarity of the best passage of every document that may be among the best `count`. */
function* scoreByWords(index: SearchIndex, query: ParsedQuery, allowed: Allowed, count: number): Steps<void> {
  const { scores } = index;
  const { upperBound } = query.lexical;
  const scoring = index.lexical.score(query.lexical);
  try {
    const threshold = yield* addTermsThatMatter(index, scoring, allowed, count, LEXICAL_FLOOR * upperBound);
    scores.reset(index.documents.slotCount);
    yield* forEachAtLeast(index, scoring, threshold, (ordinal) => {
      scores.raise(index.documents.slotOf(ordinal), lexicalSimilarity(scoring.complete(ordinal), upperBound), ordinal);
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
function* scoreByBoth(
  index: SearchIndex,
  query: ParsedQuery,
  dense: DenseQuery,
  allowed: Allowed,
  count: number,
): Steps<void> {
  const { scores, lexical, effort } = index;
  const { upperBound, terms } = query.lexical;
  const { isForeign } = dense;
  const nearest = yield* nearestPassages(index, dense, allowed, count);
  const near = nearest.slice(0, effort.completionsOf(nearest.length, terms.length));
  scores.reset(index.documents.slotCount);
  yield* inPortions(near.length, STEP_COMPLETIONS, (from, to) => {
    for (const { ordinal, cosine } of near.slice(from, to)) {
      const words = lexicalSimilarity(lexical.scoreOf(query.lexical, ordinal), upperBound);
      scores.raise(
        index.documents.slotOf(ordinal),
        fusedSimilarity(words, cosine, dense, isForeign?.(ordinal)),
        ordinal,
      );
    }
  });
  const threshold = (yield* bestOf(index, allowed, count)).threshold * ROUNDING_SLACK;
  const unvectored = (index.partVectors.rows?.count ?? 0) < index.parts.count;
  const needed = lexicalNeeded(threshold, near.at(-1)?.cosine ?? 1, unvectored, dense) * upperBound;
  const scoring = lexical.score(query.lexical);
  try {
    while (scoring.hasNext && scoring.remainingMax >= needed) {
      const postings = scoring.nextPostings;
      if (!effort.mayRead(postings)) break;
      scoring.addTerm();
      if (effort.isStep(postings)) yield;
    }
    yield* forEachAtLeast(index, scoring, needed, (ordinal) => {
      const most = scoring.partial(ordinal) + scoring.remainingMax;
      const cosine = index.partVectors.cosineOf(dense.vector, ordinal);
      // What is missing of its words is read only if they could still matter beside its meaning.
      const foreign = isForeign?.(ordinal);
      if (fusedSimilarity(lexicalSimilarity(most, upperBound), cosine, dense, foreign) < threshold) return;
      const words = lexicalSimilarity(scoring.complete(ordinal), upperBound);
      scores.raise(index.documents.slotOf(ordinal), fusedSimilarity(words, cosine, dense, foreign), ordinal);
    });
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
function* nearestPassages(
  index: SearchIndex,
  dense: DenseQuery,
  allowed: Allowed,
  count: number,
): Steps<NearPassage[]> {
  const { parts } = index;
  const vectors = index.partVectors.rows;
  if (vectors === undefined) return [];
  const isAllowed = (part: number): boolean => {
    const document = index.documents.ofOrdinal(parts.ordinalOf(part));
    return document !== undefined && allowed?.(document.document) === true;
  };
  for (let wanted = Math.max(NEAREST_MIN, count * 4); ; wanted *= 4) {
    if (wanted > NEAREST_MIN * 8) yield;
    const near = vectors.nearest(dense.vector, wanted, allowed === undefined ? undefined : isAllowed);
    const cosines = new Map<number, number>();
    for (const { key, cosine } of near) {
      const ordinal = parts.ordinalOf(key);
      if (index.partVectors.tellsNothing(key)) continue;
      if (!cosines.has(ordinal)) cosines.set(ordinal, cosine);
    }
    const last = near.at(-1);
    const farthest = dense.calibrate(last?.cosine ?? 0);
    const isEnough =
      last === undefined || near.length < wanted || farthest < DENSE_FLOOR || wanted >= SEARCH_NEAREST_PARTS_MAX;
    const passages = [...cosines].map(([ordinal, cosine]) => ({ ordinal, cosine }));
    // As near as the last there may be others behind it, which come first by their documents' ids.
    if (isEnough) return passages;
    const most = withoutWords(last.cosine, dense);
    const isNearer = ({ ordinal, cosine }: NearPassage): boolean =>
      fusedSimilarity(0, cosine, dense, dense.isForeign?.(ordinal)) > most;
    if (documentCount(index, passages, isNearer) >= count) return passages;
  }
}

function documentCount(
  index: SearchIndex,
  passages: readonly NearPassage[],
  counts: (passage: NearPassage) => boolean,
): number {
  const slots = new Set<number>();
  for (const passage of passages) if (counts(passage)) slots.add(index.documents.slotOf(passage.ordinal));
  return slots.size;
}

/**
 * Visits every passage whose whole score is at least this, and may visit others. Where they are more than may be completed, the best of them by what is known
 * are visited.
 */
function* forEachAtLeast(
  { effort }: SearchIndex,
  scoring: Scoring,
  threshold: number,
  visit: (ordinal: number) => void,
): Steps<void> {
  const needed = threshold - scoring.remainingMax;
  let [visits, least] = [scoring.touchedCount, needed];
  if (scoring.hasNext) {
    const candidates = yield* countAtLeast(scoring, needed);
    visits = effort.completionsOf(candidates, scoring.termsLeft);
    if (visits < candidates) least = yield* leastOfBest(scoring, needed, visits);
  }
  yield* inPortions(scoring.touchedCount, STEP_COMPLETIONS, (from, to) => {
    for (let i = from; i < to && visits > 0; i++) {
      const ordinal = scoring.ordinalAt(i);
      if (scoring.partial(ordinal) < least) continue;
      visit(ordinal);
      visits--;
    }
  });
}

function* countAtLeast(scoring: Scoring, least: number): Steps<number> {
  let count = 0;
  yield* inPortions(scoring.touchedCount, STEP_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) if (scoring.partial(scoring.ordinalAt(i)) >= least) count++;
  });
  return count;
}

/** So many shares of the range of scores are told apart where not all can be completed. */
const SHARES = 4_096;

/** A score that about the best `count` passages have at least, of those that have `floor`: never fewer than one share of the range would be. */
function* leastOfBest(scoring: Scoring, floor: number, count: number): Steps<number> {
  let highest = 0;
  yield* inPortions(scoring.touchedCount, STEP_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) highest = Math.max(highest, scoring.partial(scoring.ordinalAt(i)));
  });
  const lowest = Math.max(0, floor);
  const share = (highest - lowest) / SHARES;
  if (!(share > 0)) return floor;
  const counts = new Uint32Array(SHARES + 1);
  yield* inPortions(scoring.touchedCount, STEP_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) {
      const above = Math.min(SHARES, Math.floor((scoring.partial(scoring.ordinalAt(i)) - lowest) / share));
      if (above >= 0) counts[above] = (counts[above] ?? 0) + 1;
    }
  });
  let at = SHARES;
  for (let best = counts[at] ?? 0; at > 0 && best + (counts[at - 1] ?? 0) <= count; ) best += counts[--at] ?? 0;
  return lowest + at * share;
}

/**
 * Adds terms until those left could not bring a new passage among the best `count` documents, or no more may be read, and returns the score
 * that a passage needs to be among them.
 */
function* addTermsThatMatter(
  index: SearchIndex,
  scoring: Scoring,
  allowed: Allowed,
  count: number,
  floor: number,
): Steps<number> {
  let threshold = floor;
  while (scoring.hasNext) {
    // Finding the threshold reads all scores so far: worth it only before a list that is longer than that.
    if (scoring.nextFrequency > scoring.touchedCount && scoring.touchedCount > 0) {
      threshold = Math.max(threshold, (yield* scoreOfLast(index, scoring, allowed, count)) * ROUNDING_SLACK);
      if (scoring.remainingMax < threshold) break;
    }
    const postings = scoring.nextPostings;
    if (!index.effort.mayRead(postings)) break;
    scoring.addTerm();
    if (index.effort.isStep(postings)) yield;
  }
  return threshold;
}

/** Sums of the same weights in another order differ in their last bits: the bound gives way a little more than that. */
const ROUNDING_SLACK = 1 - 1e-9;

/** The score so far of the document that is the `count`-th best so far; 0 if there are fewer. */
function* scoreOfLast(index: SearchIndex, scoring: Scoring, allowed: Allowed, count: number): Steps<number> {
  index.scores.reset(index.documents.slotCount);
  yield* inPortions(scoring.touchedCount, STEP_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) {
      const ordinal = scoring.ordinalAt(i);
      index.scores.raise(index.documents.slotOf(ordinal), scoring.partial(ordinal), ordinal);
    }
  });
  return (yield* bestOf(index, allowed, count)).threshold;
}

/**
 * The passages of a document that are above the floor, with the same scores that found it, and what of it equals the query. Where it has more than
 * may be compared, as `documentsAfter` others follow, those around its best one are looked at.
 */
export function* hitsOf(
  index: SearchIndex,
  query: ParsedQuery,
  { document, bestOrdinal }: FoundDocument,
  documentsAfter = 0,
): Steps<DocumentHits> {
  const hits: Hit[] = [];
  const { firstOrdinal } = document;
  const passages = ordinalCountOf(document);
  const compared = index.effort.comparisonsOf(passages, query.lexical.terms.length, documentsAfter);
  const latest = firstOrdinal + passages - compared;
  const start = Math.max(firstOrdinal, Math.min(latest, bestOrdinal - (compared >> 1)));
  for (let from = 0; from < compared; from += STEP_COMPLETIONS) {
    if (from > 0) yield;
    addHits(index, query, start + from, start + Math.min(compared, from + STEP_COMPLETIONS), hits);
  }
  return { document, hits, equal: query.equal.in(document) };
}

function addHits(index: SearchIndex, query: ParsedQuery, start: number, end: number, hits: Hit[]): void {
  for (let ordinal = start; ordinal < end; ordinal++) {
    const { similarity, lexical: words } = scoresOf(index, query, ordinal);
    if (similarity > 0) hits.push({ ordinal, similarity, words });
  }
}

/** So much is done in a step: documents offered, scores made whole, scores looked at. */
const STEP_DOCUMENTS = 1_024;
const STEP_COMPLETIONS = 256;
const STEP_LOOKS = 16_384;

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
  const similarity =
    dense === undefined ? lexical : fusedSimilarity(lexical, cosine, dense, dense.isForeign?.(ordinal));
  return { bm25, lexical, cosine, similarity };
}
