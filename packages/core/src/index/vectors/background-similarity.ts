import { inverseNormOf } from "./codes.ts";

/** Components are summed as whole numbers of this unit: sums are exact, whatever the order in which vectors come and go. */
const UNITS = 2 ** 24;

/**
 * Pairs of cosine 0 that are assumed beside those that are there: the first few passages of a bot may well have to do with each other, and
 * say little about the rest.
 */
const ASSUMED_PAIRS = 4;

/**
 * The mean cosine of all pairs of vectors. Most pairs of a bot's passages have nothing to do with each other, so that it tells what
 * cosine such texts have: near 0 for some encoders, .8 for others (Ethayarajh 2019, "How Contextual are Contextualized Word
 * Representations?"). It depends on the vectors that are there and on nothing else: the same ones have the same level to the last bit.
 */
export class BackgroundSimilarity {
  readonly #sum: Float64Array;
  #count = 0;
  /** Undefined when a vector has come or gone. */
  #level: number | undefined = 0;

  constructor(dimensions: number) {
    this.#sum = new Float64Array(dimensions);
  }

  add(codes: Int8Array): void {
    this.#change(codes, 1);
  }

  /** Takes a vector out that was added. */
  remove(codes: Int8Array): void {
    this.#change(codes, -1);
  }

  /** Adds all vectors that another has been given. */
  addAll(other: BackgroundSimilarity): void {
    for (const [i, component] of other.#sum.entries()) this.#sum[i] = (this.#sum[i] as number) + component;
    this.#count += other.#count;
    this.#level = undefined;
  }

  /** From 0 to below 1; 0 for less than two vectors, low for few, and 0 where the mean is negative. */
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
