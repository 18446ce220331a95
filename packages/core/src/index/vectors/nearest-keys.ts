import { sortedInSlices } from "../../scheduling/sorted.ts";
import { inCountedPortions, type OperationMeter, type Sliced } from "../../scheduling/time-slices.ts";

/** A vector near the query. */
export interface Neighbour {
  readonly key: number;
  /** -1 to 1. */
  readonly cosine: number;
}

/** Up to this number of keys is sorted in one time slice. */
const FEW = 1_024;

/** Cost of sorting a key, in operations of a search. */
const SORTING_OPERATIONS = 16;

/**
 * Collects the `k` nearest of all offered keys in a binary heap with the farthest on top. An offer costs O(log k). In bounds: places are below the
 * number of keys, and every key has a cosine.
 */
export class NearestKeys {
  readonly #k: number;
  readonly #keys: number[] = [];
  readonly #cosines: number[] = [];

  constructor(k: number) {
    this.#k = k;
  }

  /** The cosine that a key must reach to be kept; -Infinity while there are fewer than `k` keys. */
  get worst(): number {
    return this.#keys.length < this.#k ? Number.NEGATIVE_INFINITY : (this.#cosines[0] ?? Number.POSITIVE_INFINITY);
  }

  /** Offers a key; each key at most once. */
  offer(key: number, cosine: number): void {
    if (this.#keys.length < this.#k) this.#rise(this.#keys.length, key, cosine);
    else if (this.#k > 0 && isFarther(this.#cosines[0] as number, this.#keys[0] as number, cosine, key))
      this.#sink(key, cosine);
  }

  /** Offers a key that may have no vector: its cosine is NaN then, and it is not kept. */
  offerNear(key: number, cosine: number): void {
    if (cosine >= this.worst) this.offer(key, cosine);
  }

  /** The kept keys: nearest first, equally near ones by lower key. */
  neighbours(): Neighbour[] {
    return this.#keys
      .map((key, i) => ({ key, cosine: this.#cosines[i] as number }))
      .sort((a, b) => b.cosine - a.cosine || a.key - b.key);
  }

  /** {@link neighbours} in time slices. */
  *neighboursInSlices(meter: OperationMeter): Sliced<readonly Neighbour[]> {
    if (this.#keys.length <= FEW) return this.neighbours();
    const all: Neighbour[] = [];
    yield* inCountedPortions(this.#keys.length, { portion: FEW, each: SORTING_OPERATIONS, meter }, (from, to) => {
      for (let i = from; i < to; i++) all.push({ key: this.#keys[i] as number, cosine: this.#cosines[i] as number });
    });
    return yield* sortedInSlices(all, (a, b) => b.cosine - a.cosine || a.key - b.key);
  }

  /** Sift-up: places a new key at the bottom and lets it rise over nearer ones. */
  #rise(bottom: number, key: number, cosine: number): void {
    let at = bottom;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isFarther(cosine, key, this.#cosines[parent] as number, this.#keys[parent] as number)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#keys[at] = key;
    this.#cosines[at] = cosine;
  }

  /** Sift-down: replaces the farthest key and lets the new one sink below farther ones. */
  #sink(key: number, cosine: number): void {
    const length = this.#keys.length;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#isFartherAt(child + 1, child)) child++;
      if (!isFarther(this.#cosines[child] as number, this.#keys[child] as number, cosine, key)) break;
      this.#move(child, at);
      at = child;
    }
    this.#keys[at] = key;
    this.#cosines[at] = cosine;
  }

  #isFartherAt(a: number, b: number): boolean {
    return isFarther(
      this.#cosines[a] as number,
      this.#keys[a] as number,
      this.#cosines[b] as number,
      this.#keys[b] as number,
    );
  }

  #move(from: number, to: number): void {
    this.#keys[to] = this.#keys[from] as number;
    this.#cosines[to] = this.#cosines[from] as number;
  }
}

/** Whether the first is farther from the query than the second. */
function isFarther(cosineA: number, keyA: number, cosineB: number, keyB: number): boolean {
  return cosineA < cosineB || (cosineA === cosineB && keyA > keyB);
}
