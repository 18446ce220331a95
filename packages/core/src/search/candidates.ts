import { SLICE_LOOKS } from "../index/postings/partial-scores.ts";
import type { Scoring } from "../index/postings/scoring.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";

/** What is known of passages so far. */
type Scored = Pick<Scoring, "touchedCount" | "ordinalAt" | "partial">;

/** So many shares of the range of scores are told apart. */
const SHARES = 1_024;

/** Passages that hold words of a question, those with the most of them first: as exactly as {@link SHARES} tells. */
export class Candidates {
  readonly #scoring: Scored;
  readonly #lowest: number;
  readonly #share: number;
  #ordinals = new Uint32Array(0);

  private constructor(scoring: Scored, lowest: number, share: number) {
    this.#scoring = scoring;
    this.#lowest = lowest;
    this.#share = share;
  }

  /** Those whose score so far is at least `least`, and where these are fewer than `most`, of those that have at least `lower` the best that come next. */
  static *best(scoring: Scored, least: number, lower: number, most: number): Sliced<Candidates> {
    const found = new Uint32Array(scoring.touchedCount);
    let count = 0;
    let highest = 0;
    yield* inPortions(scoring.touchedCount, SLICE_LOOKS, (from, to) => {
      for (let i = from; i < to; i++) {
        const ordinal = scoring.ordinalAt(i);
        const score = scoring.partial(ordinal);
        if (score < lower) continue;
        found[count++] = ordinal;
        if (score > highest) highest = score;
      }
    });
    const lowest = Math.max(0, lower);
    const candidates = new Candidates(scoring, lowest, (highest - lowest) / SHARES);
    yield* candidates.#take(found.subarray(0, count), least, most);
    return candidates;
  }

  get count(): number {
    return this.#ordinals.length;
  }
  /** The `i`-th best, and those that follow it. */
  portion(from: number, to: number): Uint32Array {
    return this.#ordinals.subarray(from, to);
  }

  /** No score from the `i`-th on is higher. */
  scoreAtMost(i: number): number {
    const ordinal = this.#ordinals[i];
    if (ordinal === undefined) return 0;
    // One share more than it lies in, and one for rounding.
    return this.#lowest + (this.#shareOf(this.#scoring.partial(ordinal)) + 2) * this.#share;
  }

  *#take(found: Uint32Array, least: number, most: number): Sliced<void> {
    const places = new Uint32Array(SHARES + 1);
    yield* inPortions(found.length, SLICE_LOOKS, (from, to) => {
      for (let i = from; i < to; i++) {
        const share = this.#shareOf(this.#scoring.partial(found[i] as number));
        places[share] = (places[share] as number) + 1;
      }
    });
    const lastShare = Math.max(0, this.#shareOf(least));
    let taken = 0;
    let lowestShare = SHARES + 1;
    while (lowestShare > 0 && (lowestShare > lastShare || taken < most)) {
      const here = places[--lowestShare] as number;
      places[lowestShare] = taken;
      taken += here;
    }
    this.#ordinals = new Uint32Array(taken);
    yield* inPortions(found.length, SLICE_LOOKS, (from, to) => {
      for (let i = from; i < to; i++) {
        const ordinal = found[i] as number;
        const share = this.#shareOf(this.#scoring.partial(ordinal));
        if (share < lowestShare) continue;
        const place = places[share] as number;
        places[share] = place + 1;
        this.#ordinals[place] = ordinal;
      }
    });
  }

  #shareOf(score: number): number {
    return this.#share > 0 ? Math.min(SHARES, Math.floor((score - this.#lowest) / this.#share)) : 0;
  }
}
