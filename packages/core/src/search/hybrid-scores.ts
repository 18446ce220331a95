import { BestGroups } from "../index/postings/best-groups.ts";
import { countAtLeast } from "../index/postings/partial-scores.ts";
import type { Scoring } from "../index/postings/scoring.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { inCountedPortions, type Sliced } from "../scheduling/time-slices.ts";
import { PASSAGE_OPERATIONS } from "./budget.ts";
import { Candidates } from "./candidates.ts";
import type { Allowed } from "./filters/allowed-documents.ts";
import { type DenseQuery, fusedSimilarityOf, lexicalNeeded, lexicalSimilarity, withoutWords } from "./fusion.ts";
import { firstWanted, moreWanted, type NearPassage, nearestPassages } from "./nearest-passages.ts";
import type { ParsedQuery } from "./parsed-query.ts";

/** Slack of bounds: sums of the same weights in another order differ in their last bits. */
const ROUNDING_SLACK = 1 - 1e-9;

/** Passages that are compared with the question at a time. */
const PORTION = 64;

/** Postings that are read in the time of comparing one passage. */
const POSTINGS_A_COMPARISON = 24;

/** Passages with the best words that are compared although only a missed passage could be near enough. */
const MISSED_COMPARISONS = 256;

/** With more passages than this left to compare, asking for more of the nearest takes less. Their lower cosines rule most of the rest out. */
const COMPARISONS_MANY = 2_048;

/** Windows up to which more of the nearest are asked for in that case. */
const WANTED_MANY = 256;

/**
 * Sets `index.scores` by the hybrid score: that of the best passage of every document that may be among the best `count`.
 * A threshold algorithm (Fagin, Lotem, Naor 2003, "Optimal Aggregation Algorithms for Middleware"), in four steps:
 *
 * 1. The passages that hold the question's identifiers are scored, if it has some: the cosine of all others counts less, and so they need more BM25.
 * 2. The nearest passages are scored. They give the score that a document needs, and so the BM25 that every farther passage needs.
 * 3. Passages with the best words are scored, best first, which raises the score needed.
 * 4. While a farther passage could reach it without words, more of the nearest are scored.
 *
 * The result is that of scoring every passage, unless the graph misses some or the budget ends.
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
    yield* walk.identified();
    yield* walk.nearest(firstWanted(count));
    yield* walk.byWords();
    while (walk.mayBeFurtherAway) yield* walk.moreOfTheNearest();
  } finally {
    scoring.close();
  }
}

/** The state of one hybrid search: windows asked for, passages scored, and the score that a passage needs. */
class Walk {
  readonly #index: SearchIndex;
  readonly #query: ParsedQuery;
  readonly #dense: DenseQuery;
  readonly #allowed: Allowed;
  /** Whether the document of a passage is allowed; undefined if all are. */
  readonly #mayBe: ((ordinal: number) => boolean) | undefined;
  readonly #scoring: Scoring;
  readonly #best: BestGroups;
  /** True if some embedding windows have no vector: their passages may score as much as their words. */
  readonly #isUnvectored: boolean;
  /** Windows that were asked for, and whether no more can matter. */
  #wanted = 0;
  #isAllNear = false;
  /** Ordinals of the nearest passages so far. */
  readonly #near = new Set<number>();
  /** Upper bounds of the cosine of every other passage: without missed ones, and with them. */
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
    const { documents } = index;
    this.#mayBe = allowed && ((ordinal) => allowed.has(documents.slotOf(ordinal)));
    this.#best = new BestGroups(count, {
      of: (ordinal) => documents.slotOf(ordinal),
      mayBe: allowed === undefined ? (slot) => documents.at(slot) !== undefined : (slot) => allowed.has(slot),
    });
  }

  /** The hybrid score that a passage needs. */
  get #threshold(): number {
    return this.#best.threshold * ROUNDING_SLACK;
  }

  /** The BM25 that a passage needs for that, if its cosine is at most `cosineMax`. Passages with the question's identifiers are scored already. */
  #needed(cosineMax: number): number {
    const { upperBound } = this.#query.lexical;
    return lexicalNeeded(this.#threshold, cosineMax, this.#isUnvectored, this.#dense) * upperBound;
  }

  /** True if a passage farther than all asked for could still be an answer without words. */
  get mayBeFurtherAway(): boolean {
    return !this.#isAllNear && this.#best.threshold <= withoutWords(this.#cosineMax, this.#dense);
  }

  /** Scores the passages that hold the question's identifiers. */
  *identified(): Sliced<void> {
    const { windowVectors, lexical } = this.#index;
    const { lexical: weighted } = this.#query;
    const holding = [...(this.#dense.identified?.holding ?? [])].filter((ordinal) => this.#mayBe?.(ordinal) !== false);
    const count = this.#index.effort.completionsOf(holding.length, weighted.terms.length);
    yield* this.#completing(count, weighted.terms.length, (from, to) => {
      for (const ordinal of holding.slice(from, to))
        this.#raise(ordinal, lexical.scoreOf(weighted, ordinal), windowVectors.cosineOf(this.#dense.vector, ordinal));
    });
  }

  /** Scores the passages of the `wanted` nearest windows. */
  *nearest(wanted: number): Sliced<void> {
    const fresh = yield* this.#ask(wanted);
    const { lexical } = this.#query;
    yield* this.#completing(fresh.length, lexical.terms.length, (from, to) => {
      for (const { ordinal, cosine } of fresh.slice(from, to)) {
        this.#raise(ordinal, this.#index.lexical.scoreOf(lexical, ordinal), cosine);
      }
    });
  }

  /** Scores the passages of more windows than before. Their partial BM25 and an upper bound of the rest are known by now. */
  *moreOfTheNearest(): Sliced<void> {
    yield;
    const fresh = yield* this.#ask(moreWanted(this.#wanted));
    const ordinals = Uint32Array.from(fresh, ({ ordinal }) => ordinal);
    const { termsLeft } = this.#scoring;
    yield* this.#completing(ordinals.length, termsLeft, (from, to) => this.#take(ordinals.subarray(from, to)));
  }

  /** Completes the scores of `count` passages, each of which may lack up to `terms` terms. */
  #completing(count: number, terms: number, work: (from: number, to: number) => void): Sliced<void> {
    return inCountedPortions(
      count,
      { portion: PORTION, each: PASSAGE_OPERATIONS + terms, meter: this.#index.effort },
      work,
    );
  }

  /** Asks for the nearest windows. Returns the passages that were not among them before, as many as may be completed. */
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

  /** Scores all other passages whose words may suffice. */
  *byWords(): Sliced<void> {
    const { effort } = this.#index;
    const scoring = this.#scoring;
    let isTried = false;
    while (scoring.hasNext) {
      if (scoring.remainingMax < this.#needed(this.#cosineMax) && (yield* this.#isFewLeft())) break;
      // Scoring the best by rare terms first may spare reading the long lists of common ones.
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

  /** True if comparing the passages that may suffice takes less than reading the next postings, which would leave fewer. */
  *#isFewLeft(): Sliced<boolean> {
    const scoring = this.#scoring;
    const few = scoring.nextPostings / POSTINGS_A_COMPARISON;
    if (scoring.touchedCount <= few) return true;
    // Then reading takes no longer than counting them.
    if (scoring.nextPostings <= scoring.touchedCount) return false;
    const least = this.#needed(this.#cosineMax) - scoring.remainingMax;
    return (yield* countAtLeast(scoring, least, this.#mayBe)) <= few;
  }

  /**
   * Scores candidates by partial BM25, best first: all ≥ `least`, filled up to `most` with ones that the graph may have missed.
   * Ends when no later candidate can reach the score needed, or the budget is spent.
   */
  *#takeBest(least: number, most: number): Sliced<void> {
    const { effort } = this.#index;
    const scoring = this.#scoring;
    const lower = this.#needed(this.#cosineMissed) - scoring.remainingMax;
    const candidates = yield* Candidates.best(scoring, least, lower, most, this.#mayBe);
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
      const ordinal = ordinals[i] as number;
      const words = lexicalSimilarity(scoring.partial(ordinal) + scoring.remainingMax, upperBound);
      const cosine = cosines[i] as number;
      const both = Number.isNaN(cosine) ? words : fusedSimilarityOf(ordinal, words, cosine, dense);
      // The missing terms are read only if they could still matter beside the cosine.
      if ((this.#isUnvectored ? Math.max(both, words) : both) < this.#threshold) continue;
      this.#raise(ordinal, scoring.complete(ordinal), windowVectors.cosineOf(dense.vector, ordinal));
    }
  }

  #raise(ordinal: number, score: number, cosine: number | undefined): void {
    const { scores, documents } = this.#index;
    const dense = this.#dense;
    const words = lexicalSimilarity(score, this.#query.lexical.upperBound);
    const similarity = fusedSimilarityOf(ordinal, words, cosine, dense);
    scores.raise(documents.slotOf(ordinal), similarity, ordinal);
    this.#best.offer(ordinal, similarity);
  }
}
