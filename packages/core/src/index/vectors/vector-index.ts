import type { QueryVector } from "./codes.ts";

/** A vector near the query. */
export interface Neighbour {
  readonly key: number;
  /** -1 to 1. */
  readonly cosine: number;
}

/** Keys that a search may return. */
export interface AllowedKeys {
  /** How many they are, those without a vector included. */
  readonly keyCount: number;
  /** Ranges of them, each key in one: from `first` on, below `end`. */
  keyRanges(): Iterable<readonly [first: number, end: number]>;
}

/**
 * Finds the vectors nearest to a query. Vectors are int8 codes, each under a key, an integer from 0 on.
 * Obligations of an implementation:
 * - what `set` and `delete` did shows in the very next `nearest`: a deleted or replaced vector is never returned;
 * - every cosine is exact, the one of the codes: an index may miss neighbours, but never misjudges those it returns;
 * - neighbours come nearest first, those of equal cosines by lower key, each key once, at most `k` of them;
 * - with `allowed`, only keys that it accepts are returned, and none of the nearest of these is missed for being filtered late.
 * Whoever made an index closes it if it has anything to release.
 */
export interface VectorIndex {
  readonly dimensions: number;
  /** Vectors that are there. */
  readonly count: number;
  /** Bytes of memory taken. */
  readonly bytes: number;
  /** Sets or replaces the vector of a key. Throws a `RangeError` for another number of codes than `dimensions`. */
  set(key: number, codes: Int8Array): void;
  /** Takes a vector out; false if there was none. */
  delete(key: number): boolean;
  has(key: number): boolean;
  /** The `k` nearest vectors, or all if there are fewer; none if `k` is below 1. */
  nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[];
}
