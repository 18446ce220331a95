import type { QueryVector } from "./codes.ts";

/** A vector near the query. */
export interface Neighbour {
  readonly key: number;
  /** -1 to 1. */
  readonly cosine: number;
}

/** Keys that a search may return. */
export interface AllowedKeys {
  /** Number of keys, including keys without a vector. */
  readonly keyCount: number;
  /** The keys as ranges `[first, end)`. Each key is in one range. */
  keyRanges(): Iterable<readonly [first: number, end: number]>;
}

/**
 * Finds the vectors nearest to a query. Vectors are int8 codes; each has a key, an integer from 0.
 * Obligations of an implementation:
 * - the very next `nearest` sees every `set` and `delete`: a deleted or replaced vector is never returned;
 * - every cosine is the exact one of the codes: an index may miss neighbours, but never misjudges the ones it returns;
 * - neighbours come nearest first, equal cosines by lower key, each key once, at most `k`;
 * - with `allowed`, only accepted keys are returned, and the filter applies before the cut at `k`.
 * The creator of an index closes it if it has anything to release.
 */
export interface VectorIndex {
  readonly dimensions: number;
  /** Number of vectors. */
  readonly count: number;
  /** Memory in bytes. */
  readonly bytes: number;
  /** Sets or replaces the vector of a key. Throws a `RangeError` unless there are `dimensions` codes. */
  set(key: number, codes: Int8Array): void;
  /** Deletes a vector; false if there was none. */
  delete(key: number): boolean;
  has(key: number): boolean;
  /** The `k` nearest vectors, or all if there are fewer; none if `k` is below 1. */
  nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[];
}
