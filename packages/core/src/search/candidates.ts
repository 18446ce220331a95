import { SLICE_LOOKS } from "../index/postings/partial-scores.ts";
import type { Scoring } from "../index/postings/scoring.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";

/** The partial BM25 scores of passages so far. */
type Scored = Pick<Scoring, "touchedCount" | "ordinalAt" | "partial">;

/** Buckets that the range of scores is divided into. */
const SHARES = 1_024;

/** Passages by partial BM25, best first. The order is that of {@link SHARES} buckets: within a bucket it is arbitrary. A counting sort: O(passages). */
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

  /**
   * Selects passages by partial score: all with at least `least`.
   * If these are fewer than `most`, the next best are added, bucket by bucket, down to `lower`.
   * @param mayBe tells which passages may be selected; undefined if all may
   */
  static *best(
    scoring: Scored,
    least: number,
    lower: number,
    most: number,
    mayBe?: (ordinal: number) => boolean,
  ): Sliced<Candidates> {
    const found = new Uint32Array(scoring.touchedCount);
    let count = 0;
    let highest = 0;
    yield* inPortions(scoring.touchedCount, SLICE_LOOKS, (from, to) => {
      for (let i = from; i < to; i++) {
        const ordinal = scoring.ordinalAt(i);
        const score = scoring.partial(ordinal);
        if (score < lower || (mayBe !== undefined && !mayBe(ordinal))) continue;
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
  /** The candidates `[from, to)`, best first. */
  portion(from: number, to: number): Uint32Array {
    return this.#ordinals.subarray(from, to);
  }

  /** Upper bound of the partial scores of the `i`-th candidate and all after it. */
  scoreAtMost(i: number): number {
    const ordinal = this.#ordinals[i];
    if (ordinal === undefined) return 0;
    // The upper end of its bucket, and one bucket more for rounding.
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
