import { countAtLeast } from "../index/postings/partial-scores.ts";
import type { Scoring } from "../index/postings/scoring.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { inCountedPortions, type Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./allowed-documents.ts";
import { BestScores } from "./best-scores.ts";
import { PASSAGE_OPERATIONS } from "./budget.ts";
import { Candidates } from "./candidates.ts";
import { type DenseQuery, fusedSimilarityOf, lexicalNeeded, lexicalSimilarity, withoutWords } from "./fusion.ts";
import { firstWanted, moreWanted, type NearPassage, nearestPassages } from "./nearest-passages.ts";
import type { ParsedQuery } from "./parsed-query.ts";

/** Sums of the same weights in another order differ in their last bits: the bound gives way a little more than that. */
const ROUNDING_SLACK = 1 - 1e-9;

/** Passages that are compared with the question in one go. */
const PORTION = 64;

/** Postings that are read in the time in which one passage is compared with the question. */
const POSTINGS_A_COMPARISON = 24;

/** So many passages, those with the best words, are compared although they are near enough only if they were missed among the nearest. */
const MISSED_COMPARISONS = 256;

/** With more passages than this left to compare it takes less to ask for more of the nearest: that others are further away spares most of them. */
const COMPARISONS_MANY = 2_048;

/** That is done up to so many of the nearest. */
const WANTED_MANY = 256;

/**
 * Sets `index.scores` to the fused similarity of the best passage of every document that may be among the best `count`. The nearest passages
 * come first: they tell what similarity a document needs, and so what the words of all that is further away must be worth (a threshold algorithm; Fagin, Lotem, Naor 2003, "Optimal
 * Aggregation Algorithms for Middleware"). Those with the best words come next, and what is needed rises with what they are worth. In the end
 * it must be more than what anything further away reaches without words, or more of the nearest are looked at. The
 * result is that of fusing the scores of every passage.
 */
export function* scoreByBoth(
  index: SearchIndex,
  query: ParsedQuery,
  dense: DenseQuery,
  allowed: Allowed,
  count: number,
): Sliced<void> {
  index.scores.reset(index.documents.slotCount);
  const scoring = index.lexical.score(query.lexical);
  try {
    const walk = new Walk(index, query, dense, allowed, count, scoring);
    yield* walk.nearest(firstWanted(count));
    yield* walk.byWords();
    while (walk.mayBeFurtherAway) yield* walk.moreOfTheNearest();
  } finally {
    scoring.close();
  }
}

class Walk {
  readonly #index: SearchIndex;
  readonly #query: ParsedQuery;
  readonly #dense: DenseQuery;
  readonly #allowed: Allowed;
  readonly #scoring: Scoring;
  readonly #best: BestScores;
  /** Whether there are parts without a vector, which may be worth what their words are. */
  readonly #isUnvectored: boolean;
  /** How many of the nearest parts were asked for, and whether there are no more. */
  #wanted = 0;
  #isAllNear = false;
  /** Passages that were among them. */
  readonly #near = new Set<number>();
  /** The cosine of any other passage, at most: but for those that were missed, and of all. */
  #cosineMax = 1;
  #cosineMissed = 1;

  constructor(
    index: SearchIndex,
    query: ParsedQuery,
    dense: DenseQuery,
    allowed: Allowed,
    count: number,
    scoring: Scoring,
  ) {
    this.#index = index;
    this.#query = query;
    this.#dense = dense;
    this.#allowed = allowed;
    this.#scoring = scoring;
    this.#isUnvectored = (index.windowVectors.rows?.count ?? 0) < index.windows.count;
    this.#best = new BestScores(count, (slot) => {
      const document = index.documents.at(slot);
      return document !== undefined && (allowed === undefined || allowed.has(slot));
    });
  }

  /** Similarity that a passage needs. */
  get #threshold(): number {
    return this.#best.needed * ROUNDING_SLACK;
  }

  /** What its words must be worth for that, in BM25, if its cosine is at most this. */
  #needed(cosineMax: number): number {
    const { upperBound } = this.#query.lexical;
    return lexicalNeeded(this.#threshold, cosineMax, this.#isUnvectored, this.#dense) * upperBound;
  }

  /** Whether a passage that is further away than all that were looked at may still be an answer, by its meaning alone. */
  get mayBeFurtherAway(): boolean {
    return !this.#isAllNear && this.#best.needed <= withoutWords(this.#cosineMax, this.#dense);
  }

  /** Takes the passages of so many of the nearest parts. */
  *nearest(wanted: number): Sliced<void> {
    const fresh = yield* this.#ask(wanted);
    const { lexical } = this.#query;
    yield* this.#completing(fresh.length, lexical.terms.length, (from, to) => {
      for (const { ordinal, cosine } of fresh.slice(from, to)) {
        this.#raise(ordinal, this.#index.lexical.scoreOf(lexical, ordinal), cosine);
      }
    });
  }

  /** The same of more than before. What their words are worth is known by now, or at most. */
  *moreOfTheNearest(): Sliced<void> {
    yield;
    const fresh = yield* this.#ask(moreWanted(this.#wanted));
    const ordinals = Uint32Array.from(fresh, ({ ordinal }) => ordinal);
    const { termsLeft } = this.#scoring;
    yield* this.#completing(ordinals.length, termsLeft, (from, to) => this.#take(ordinals.subarray(from, to)));
  }

  /** Completes the scores of `count` passages, of which each may lack up to `terms` terms. */
  #completing(count: number, terms: number, work: (from: number, to: number) => void): Sliced<void> {
    return inCountedPortions(
      count,
      { portion: PORTION, each: PASSAGE_OPERATIONS + terms, meter: this.#index.effort },
      work,
    );
  }

  /** Those of the nearest that may be made whole, without those that were among them before. */
  *#ask(wanted: number): Sliced<readonly NearPassage[]> {
    const near = yield* nearestPassages(this.#index, this.#dense, this.#allowed, wanted);
    const fresh: NearPassage[] = [];
    const counted = { portion: PORTION, each: 1, meter: this.#index.effort };
    yield* inCountedPortions(near.passages.length, counted, (from, to) => {
      for (const passage of near.passages.slice(from, to)) {
        if (this.#near.has(passage.ordinal)) continue;
        this.#near.add(passage.ordinal);
        fresh.push(passage);
      }
    });
    const whole = this.#index.effort.completionsOf(fresh.length, this.#query.lexical.terms.length);
    const left = fresh[whole]?.cosine ?? -1;
    this.#wanted = wanted;
    this.#isAllNear = near.isAll || whole < fresh.length;
    this.#cosineMax = Math.max(near.cosineMax, left);
    this.#cosineMissed = Math.max(near.cosineMissed, left);
    return fresh.slice(0, whole);
  }

  /** Takes every other passage whose words are worth enough. */
  *byWords(): Sliced<void> {
    const { effort } = this.#index;
    const scoring = this.#scoring;
    let isTried = false;
    while (scoring.hasNext) {
      if (scoring.remainingMax < this.#needed(this.#cosineMax) && (yield* this.#isFewLeft())) break;
      // The best by the rare words may spare the long lists of common ones.
      if (!isTried && scoring.nextFrequency > scoring.touchedCount && scoring.touchedCount > 0) {
        isTried = true;
        yield* this.#takeBest(Number.POSITIVE_INFINITY, PORTION);
        continue;
      }
      const postings = scoring.nextPostings;
      if (!effort.mayRead(postings)) break;
      scoring.addTerm();
      if (effort.shouldYield(postings)) yield;
    }
    yield* this.#takeBest(this.#needed(this.#cosineMax) - scoring.remainingMax, MISSED_COMPARISONS);
  }

  /** Whether comparing the passages that may be worth enough takes less than reading the next postings, after which they would be fewer. */
  *#isFewLeft(): Sliced<boolean> {
    const scoring = this.#scoring;
    const few = scoring.nextPostings / POSTINGS_A_COMPARISON;
    if (scoring.touchedCount <= few) return true;
    // Reading takes no longer than looking then.
    if (scoring.nextPostings <= scoring.touchedCount) return false;
    return (yield* countAtLeast(scoring, this.#needed(this.#cosineMax) - scoring.remainingMax)) <= few;
  }

  /**
   * Takes passages that may be worth enough, the best by what is known of their words first, as many as may be completed: all that have `least`, and so many in any
   * case of those that would be near enough if they were missed.
   */
  *#takeBest(least: number, most: number): Sliced<void> {
    const { effort } = this.#index;
    const scoring = this.#scoring;
    const lower = this.#needed(this.#cosineMissed) - scoring.remainingMax;
    const candidates = yield* Candidates.best(scoring, least, lower, most);
    const end = candidates.count;
    for (let from = 0; from < end; from += PORTION) {
      const mayReach = (at: number, cosineMax: number): boolean =>
        at < end && candidates.scoreAtMost(at) + scoring.remainingMax >= this.#needed(cosineMax);
      if (from >= MISSED_COMPARISONS && this.#wanted < WANTED_MANY && !this.#isAllNear) {
        if (mayReach(from + COMPARISONS_MANY, this.#cosineMax)) yield* this.moreOfTheNearest();
      }
      if (!mayReach(from, from < MISSED_COMPARISONS ? this.#cosineMissed : this.#cosineMax)) return;
      const portion = candidates.portion(from, Math.min(end, from + PORTION));
      const visits = effort.completionsOf(portion.length, scoring.termsLeft);
      this.#take(portion.subarray(0, visits));
      if (effort.shouldYield(visits * (PASSAGE_OPERATIONS + scoring.termsLeft))) yield;
      if (visits < portion.length) return;
    }
  }

  #take(ordinals: Uint32Array): void {
    const { windowVectors } = this.#index;
    const dense = this.#dense;
    const scoring = this.#scoring;
    const { upperBound } = this.#query.lexical;
    const cosines = windowVectors.cosinesAtMost(dense.vector, ordinals);
    for (let i = 0; i < ordinals.length; i++) {
      const ordinal = ordinals[i] ?? 0;
      const words = lexicalSimilarity(scoring.partial(ordinal) + scoring.remainingMax, upperBound);
      const cosine = cosines[i] ?? Number.NaN;
      const both = Number.isNaN(cosine) ? words : fusedSimilarityOf(ordinal, words, cosine, dense);
      // What is missing of its words is read only if they could still matter beside its meaning.
      if ((this.#isUnvectored ? Math.max(both, words) : both) < this.#threshold) continue;
      this.#raise(ordinal, scoring.complete(ordinal), windowVectors.cosineOf(dense.vector, ordinal));
    }
  }

  #raise(ordinal: number, score: number, cosine: number | undefined): void {
    const { scores, documents } = this.#index;
    const dense = this.#dense;
    const words = lexicalSimilarity(score, this.#query.lexical.upperBound);
    const similarity = fusedSimilarityOf(ordinal, words, cosine, dense);
    const slot = documents.slotOf(ordinal);
    scores.raise(slot, similarity, ordinal);
    this.#best.offer(slot, similarity);
  }
}
