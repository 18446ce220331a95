import { inCountedPortions, inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { BestGroups, GROUPS_COMPARED_MAX, type Groups } from "./best-groups.ts";
import { leastOfBest, SLICE_LOOKS } from "./partial-scores.ts";
import type { Scoring } from "./scoring.ts";

export interface Wanted {
  /** Number of groups wanted. */
  readonly count: number;
  readonly groups: Groups;
  /** Minimum score of a wanted passage. */
  readonly floor: number;
}

/** The budget of a question. Counts the work as it is done. */
export interface Work {
  mayRead(postings: number): boolean;
  completionsOf(passages: number, terms: number): number;
  shouldYield(operations: number): boolean;
}

/**
 * Visits, with its whole score, the best passage of every group that may be among the best `count`. Ties of the last one are included; others may be
 * visited as well.
 *
 * Terms are added to all passages only while the remaining terms could bring a new one among the best (MaxScore). A passage must then reach the
 * whole score of the best ones so far. Few candidates are left: the longer lists are looked up for these one by one, and candidates that cannot
 * reach that score are dropped.
 */
export function* forEachOfBest(
  scoring: Scoring,
  wanted: Wanted,
  work: Work,
  visit: (ordinal: number, score: number) => void,
): Sliced<void> {
  const need = new Need(scoring, wanted, work);
  while (scoring.hasNext && scoring.remainingMax >= need.least) {
    if (need.isWorthLooking(scoring.nextPostings)) {
      yield* need.raise();
      if (scoring.remainingMax < need.least) break;
    }
    const postings = scoring.nextPostings;
    if (!work.mayRead(postings)) break;
    scoring.addTerm();
    need.spent(postings);
    if (work.shouldYield(postings)) yield;
  }
  yield* need.raise();
  yield* takeCandidates(scoring, need.least - scoring.remainingMax, wanted.groups, work);
  while (scoring.candidatesLack) {
    const count = scoring.candidateCount;
    scoring.addToCandidates(need.least);
    need.spent(count * LOOK_UP_POSTINGS);
    if (work.shouldYield(count * LOOK_UP_POSTINGS)) yield;
    // The more terms are added, the more of the best so far are the final best.
    const left = scoring.candidateCount;
    if (left > wanted.count && need.isWorthLooking(left * LOOK_UP_POSTINGS)) yield* need.raise();
  }
  // All scores are whole by now. Most candidates are not among the best, and visits take longer than one more comparison.
  if (scoring.candidateCount > wanted.count * CANDIDATES_A_VISIT) yield* need.raise();
  const { scores } = scoring;
  const visits = { portion: SLICE_VISITS, each: LOOK_UP_POSTINGS, meter: work };
  yield* inCountedPortions(scoring.candidateCount, visits, (from, to) => {
    for (let i = from; i < to; i++) {
      const ordinal = scoring.candidateAt(i);
      const score = scores[ordinal] as number;
      if (score >= need.least) visit(ordinal, score);
    }
  });
}

function* takeCandidates(scoring: Scoring, needed: number, { of, mayBe }: Groups, work: Work): Sliced<void> {
  const isWanted = mayBe && ((ordinal: number): boolean => mayBe(of(ordinal)));
  scoring.takeCandidates(needed, scoring.touchedCount, isWanted);
  if (work.shouldYield(scoring.touchedCount + scoring.candidateCount)) yield;
  if (!scoring.hasNext) return;
  const count = scoring.candidateCount;
  const most = work.completionsOf(count, scoring.termsLeft);
  if (most < count) scoring.takeCandidates(yield* leastOfBest(scoring, needed, most, isWanted), most, isWanted);
}

/** Factor of the bound. Sums of the same weights in another order differ in their last bits, so the bound gives way by slightly more. */
const ROUNDING_SLACK = 1 - 1e-9;

/** The score that a passage needs to be among the best, as far as it is known. */
class Need {
  readonly #scoring: Scoring;
  readonly #count: number;
  readonly #work: Work;
  readonly #best: BestGroups;
  /** Whole scores of passages that have been completed. */
  readonly #whole = new Map<number, number>();
  #least: number;
  /** Postings that were read since the last {@link raise}. */
  #spent = 0;

  constructor(scoring: Scoring, { count, groups, floor }: Wanted, work: Work) {
    this.#scoring = scoring;
    this.#work = work;
    this.#count = count;
    this.#best = new BestGroups(count, groups);
    this.#least = floor;
  }

  get least(): number {
    return this.#least;
  }

  spent(postings: number): void {
    this.#spent += postings;
  }

  /**
   * Whether raising the needed score takes less than the postings read since the last time and those to be read next. So it never takes more than all
   * other work.
   */
  isWorthLooking(nextPostings: number): boolean {
    const { lookCount, termsLacking, touchedCount } = this.#scoring;
    const looking = lookCount * LOOK_POSTINGS + this.#count * termsLacking * LOOK_UP_POSTINGS;
    return touchedCount > this.#count && this.#spent + nextPostings > looking;
  }

  /** Raises the needed score to the lowest whole score of the best groups so far, if there are as many as wanted. */
  *raise(): Sliced<void> {
    const [scoring, best] = [this.#scoring, this.#best];
    // If nearly all groups are wanted, none needs more than another.
    if (this.#spent === 0 || this.#count > GROUPS_COMPARED_MAX || scoring.touchedCount < this.#count) return;
    this.#spent = 0;
    const { scores, lookedAt: ordinals } = scoring;
    best.renew(scores);
    yield* inPortions(ordinals.length, SLICE_LOOKS, (from, to) => best.offerAll(ordinals, from, to, scores));
    if (!best.isFull) return;
    scoring.watch(best.threshold);
    let least = Number.POSITIVE_INFINITY;
    for (const ordinal of best.ordinals) {
      least = Math.min(least, this.#wholeOf(ordinal));
      if (this.#work.shouldYield(scoring.termsLacking * LOOK_UP_POSTINGS)) yield;
    }
    this.#least = Math.max(this.#least, least * ROUNDING_SLACK);
  }

  /** The whole score of a passage. It is remembered, since the best passages so far are mostly the same ones again. */
  #wholeOf(ordinal: number): number {
    let whole = this.#whole.get(ordinal);
    if (whole === undefined) {
      whole = this.#scoring.complete(ordinal);
      this.#whole.set(ordinal, whole);
    }
    return whole;
  }
}

/** Costs in postings: comparing one score, and looking up one term in a passage. */
const LOOK_POSTINGS = 1;
const LOOK_UP_POSTINGS = 8;

/** Candidates that are visited in a portion. */
const SLICE_VISITS = 1_024;

/** From this number of candidates per wanted group on, the needed score is raised once more before the visits. */
const CANDIDATES_A_VISIT = 2;
