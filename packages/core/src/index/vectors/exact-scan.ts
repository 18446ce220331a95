import type { OperationMeter, Sliced } from "../../scheduling/time-slices.ts";
import type { QueryVector } from "./codes.ts";
import { NearestKeys, type Neighbour } from "./nearest-keys.ts";
import type { VectorRows } from "./rows.ts";
import { BLOCK_ROWS } from "./simd-memory.ts";

/** Keys that a search may return. */
export interface AllowedKeys {
  /** Number of keys, including keys without a vector. */
  readonly keyCount: number;
  /** The keys as ranges. Each key is in one range. */
  keyRanges(): KeyRanges;
  /** True if a key is among them. O(1). */
  hasKey(key: number): boolean;
}

/** A cursor over ranges of keys, before the first one at the beginning. It makes no object for each range. */
export interface KeyRanges {
  readonly first: number;
  /** The key after the last one of the range. */
  readonly end: number;
  /** Goes to the next range. False if there is none. */
  next(): boolean;
}

/** The one range of keys from 0 on. */
class OneRange implements KeyRanges {
  readonly first = 0;
  readonly end: number;
  #isRead = false;

  constructor(end: number) {
    this.end = end;
  }

  next(): boolean {
    const isNext = !this.#isRead;
    this.#isRead = true;
    return isNext;
  }
}

/** Exact search: compares the query with every vector. It misses nothing, and is the fastest way while there are few vectors. O(rows × dimensions). */
export class ExactScan {
  readonly #rows: VectorRows;

  /** A scan of `rows`. It also sees what other code writes to them. */
  constructor(rows: VectorRows) {
    this.#rows = rows;
  }

  /**
   * The `k` nearest vectors, or all if there are fewer; none if `k` is below 1. Nearest first, equal cosines by lower key. With `allowed`, only
   * those keys count. Works in time slices; no row may change meanwhile.
   */
  *nearestInSlices(
    query: QueryVector,
    k: number,
    meter: OperationMeter,
    allowed?: AllowedKeys,
  ): Sliced<readonly Neighbour[]> {
    const nearest = new NearestKeys(k);
    if (allowed === undefined) yield* this.#scan(query, nearest, meter, new OneRange(this.#rows.end));
    else if (allowed.keyCount > this.#rows.count * LISTED_SHARE_MAX)
      yield* this.#scan(query, nearest, meter, allowed.keyRanges());
    else yield* this.#compare(query, nearest, meter, allowed.keyRanges());
    return yield* nearest.neighboursInSlices(meter);
  }

  /** Compares all vectors, and offers those in `ranges`. */
  *#scan(query: QueryVector, nearest: NearestKeys, meter: OperationMeter, ranges: KeyRanges): Sliced<void> {
    const cosines = yield* this.#rows.scanInSlices(query, meter);
    while (ranges.next()) {
      const { first, end } = ranges;
      for (let from = first; from < Math.min(end, cosines.length); from += BLOCK_ROWS) {
        const to = Math.min(end, cosines.length, from + BLOCK_ROWS);
        for (let key = from; key < to; key++) nearest.offerNear(key, cosines[key] as number);
        if (meter.shouldYield(to - from)) yield;
      }
    }
  }

  /** Compares only the vectors in `ranges`. */
  *#compare(query: QueryVector, nearest: NearestKeys, meter: OperationMeter, ranges: KeyRanges): Sliced<void> {
    const keys = new Uint32Array(BLOCK_ROWS);
    let count = 0;
    const compare = (): boolean => {
      const cosines = this.#rows.cosinesOf(query, keys, count);
      for (let i = 0; i < count; i++) nearest.offerNear(keys[i] as number, cosines[i] as number);
      const shouldYield = meter.shouldYield(count * this.#rows.operationsARow);
      count = 0;
      return shouldYield;
    };
    while (ranges.next()) {
      const { first, end } = ranges;
      for (let key = first; key < end; key++) {
        keys[count++] = key;
        if (count === BLOCK_ROWS && compare()) yield;
      }
    }
    if (compare()) yield;
  }
}

/** If a search allows a larger share of the rows than this, all rows are scanned: scattered rows take longer than rows in sequence. */
const LISTED_SHARE_MAX = 0.5;

/** Number of rows in sequence that are compared in the time of a search among these keys. */
export function rowsOfScan(allowed: AllowedKeys | undefined, rows: number): number {
  return allowed === undefined ? rows : Math.min(rows, Math.ceil(allowed.keyCount / LISTED_SHARE_MAX));
}
