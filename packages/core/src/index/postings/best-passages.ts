import { inCountedPortions, inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { BestGroups, type Groups } from "./best-groups.ts";
import { leastOfBest, SLICE_LOOKS } from "./partial-scores.ts";
import type { Scoring } from "./scoring.ts";

export interface Wanted {
  /** So many groups are wanted. */
  readonly count: number;
  readonly groups: Groups;
  /** Passages below this score are not. */
  readonly floor: number;
}

/** What may be done for a question, counted as it is done. */
export interface Work {
  mayRead(postings: number): boolean;
  completionsOf(passages: number, terms: number): number;
  shouldYield(operations: number): boolean;
}

/**
 * Visits, with its whole score, the best passage of every group that may be among the best so many, ties of the last one included; others may be visited as
 * well. Terms are added to all passages only as long as the rest could bring a new one among the best. What the best so far have, with the terms that they lack,
 * tells what others need: few are left by then, and get the longer lists one by one, until they cannot reach that any more.
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
  yield* takeCandidates(scoring, need.least - scoring.remainingMax, work);
  while (scoring.candidatesLack) {
    const count = scoring.candidateCount;
    scoring.addToCandidates(need.least);
    need.spent(count * LOOK_UP_POSTINGS);
    if (work.shouldYield(count * LOOK_UP_POSTINGS)) yield;
    // The more terms are added, the sooner the best so far are those that are best in the end.
    const left = scoring.candidateCount;
    if (left > wanted.count && need.isWorthLooking(left * LOOK_UP_POSTINGS)) yield* need.raise();
  }
  // All of them are whole by now: most are not among the best, and visiting takes more than looking once again.
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

function* takeCandidates(scoring: Scoring, needed: number, work: Work): Sliced<void> {
  scoring.takeCandidates(needed, scoring.touchedCount);
  if (work.shouldYield(scoring.touchedCount + scoring.candidateCount)) yield;
  if (!scoring.hasNext) return;
  const count = scoring.candidateCount;
  const most = work.completionsOf(count, scoring.termsLeft);
  if (most < count) scoring.takeCandidates(yield* leastOfBest(scoring, needed, most), most);
}

/** Sums of the same weights in another order differ in their last bits: the bound gives way a little more than that. */
const ROUNDING_SLACK = 1 - 1e-9;

/** What a passage needs to be among the best, as far as that is known. */
class Need {
  readonly #scoring: Scoring;
  readonly #count: number;
  readonly #work: Work;
  readonly #best: BestGroups;
  /** What passages are worth that have been made whole. */
  readonly #whole = new Map<number, number>();
  #least: number;
  /** Postings that were read since it was looked for. */
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

  /** Whether looking for more takes less than what was read since the last time and is to be read next: so it never takes more than all the rest. */
  isWorthLooking(nextPostings: number): boolean {
    const { lookCount, termsLacking, touchedCount } = this.#scoring;
    const looking = lookCount * LOOK_POSTINGS + this.#count * termsLacking * LOOK_UP_POSTINGS;
    return touchedCount > this.#count && this.#spent + nextPostings > looking;
  }

  /** To what the groups that are best so far have at least, with the terms that they lack, if they are as many as wanted. */
  *raise(): Sliced<void> {
    const [scoring, best] = [this.#scoring, this.#best];
    // Where all are wanted, or nearly, none needs more than another.
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

  /** Those that are best so far are mostly the same ones again. */
  #wholeOf(ordinal: number): number {
    let whole = this.#whole.get(ordinal);
    if (whole === undefined) {
      whole = this.#scoring.complete(ordinal);
      this.#whole.set(ordinal, whole);
    }
    return whole;
  }
}

/** Postings that are added in the time in which a score is looked at, and a term is looked up in a passage. */
const LOOK_POSTINGS = 1;
const LOOK_UP_POSTINGS = 8;

const GROUPS_COMPARED_MAX = 256;

/** Candidates that are visited at a time. */
const SLICE_VISITS = 1_024;

/** From so many candidates for each that is wanted on, what is needed is looked for once more before they are visited. */
const CANDIDATES_A_VISIT = 2;
