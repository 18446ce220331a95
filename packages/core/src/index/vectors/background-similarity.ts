import { inverseNormOf } from "./codes.ts";

/** Components are summed as integers in this unit. So sums are exact in any order of additions and removals. */
const UNITS = 2 ** 24;

/**
 * Number of additional pairs that are assumed to have cosine 0. The first few passages of a bot may well be related, and say little
 * about later ones.
 */
const ASSUMED_PAIRS = 4;

/**
 * The background similarity: the mean cosine of all pairs of vectors. Most pairs of a bot's passages are unrelated, so the mean
 * estimates the cosine of unrelated texts: near 0 for some encoders, .8 for others (Ethayarajh 2019, "How Contextual are
 * Contextualized Word Representations?"). Invariant: the same vectors give the same level to the last bit, in any order of changes.
 * Adding or removing a vector costs O(dimensions).
 */
export class BackgroundSimilarity {
  readonly #sum: Float64Array;
  #count = 0;
  /** The cached level; undefined after a vector was added or removed. */
  #level: number | undefined = 0;

  constructor(dimensions: number) {
    this.#sum = new Float64Array(dimensions);
  }

  add(codes: Int8Array): void {
    this.#change(codes, 1);
  }

  /** Removes a vector that was added. */
  remove(codes: Int8Array): void {
    this.#change(codes, -1);
  }

  /** Adds all vectors of another instance. */
  addAll(other: BackgroundSimilarity): void {
    for (const [i, component] of other.#sum.entries()) this.#sum[i] = (this.#sum[i] as number) + component;
    this.#count += other.#count;
    this.#level = undefined;
  }

  /** The background similarity, from 0 to below 1. It is 0 for fewer than two vectors or a negative mean, and low for few vectors. */
  get level(): number {
    this.#level ??= this.#measure();
    return this.#level;
  }

  #measure(): number {
    // The sum over all pairs of products of unit vectors is the square of their sum.
    let square = 0;
    for (const component of this.#sum) square += (component / UNITS) ** 2;
    const pairs = this.#count * (this.#count - 1);
    return Math.max(0, Math.min(square - this.#count, pairs)) / (pairs + ASSUMED_PAIRS);
  }

  #change(codes: Int8Array, sign: 1 | -1): void {
    const scale = inverseNormOf(codes) * UNITS;
    const sum = this.#sum;
    for (let i = 0; i < codes.length; i++) {
      sum[i] = (sum[i] as number) + sign * Math.round((codes[i] as number) * scale);
    }
    this.#count += sign;
    this.#level = undefined;
  }
}
