import type { OperationMeter, Sliced } from "../../scheduling/time-slices.ts";
import type { QueryVector } from "./codes.ts";
import { NearestKeys, type Neighbour } from "./nearest-keys.ts";
import type { VectorRows } from "./rows.ts";
import { BLOCK_ROWS } from "./simd-memory.ts";

/** Keys that a search may return. */
export interface AllowedKeys {
  /** Number of keys, including keys without a vector. */
  readonly keyCount: number;
  /** The keys as ranges `[first, end)`. Each key is in one range. */
  keyRanges(): Iterable<readonly [first: number, end: number]>;
  /** True if a key is among them. O(1). */
  hasKey(key: number): boolean;
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
    if (allowed === undefined) yield* this.#scan(query, nearest, meter, [[0, this.#rows.end]]);
    else if (allowed.keyCount > this.#rows.count * LISTED_SHARE_MAX)
      yield* this.#scan(query, nearest, meter, allowed.keyRanges());
    else yield* this.#compare(query, nearest, meter, allowed.keyRanges());
    return yield* nearest.neighboursInSlices(meter);
  }

  /** Compares all vectors, and offers those in `ranges`. */
  *#scan(query: QueryVector, nearest: NearestKeys, meter: OperationMeter, ranges: KeyRanges): Sliced<void> {
    const cosines = yield* this.#rows.scanInSlices(query, meter);
    for (const [first, end] of ranges) {
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
    for (const [first, end] of ranges) {
      for (let key = first; key < end; key++) {
        keys[count++] = key;
        if (count === BLOCK_ROWS && compare()) yield;
      }
    }
    if (compare()) yield;
  }
}

type KeyRanges = ReturnType<AllowedKeys["keyRanges"]>;

/** If a search allows a larger share of the rows than this, all rows are scanned: scattered rows take longer than rows in sequence. */
const LISTED_SHARE_MAX = 0.5;

/** Number of rows in sequence that are compared in the time of a search among these keys. */
export function rowsOfScan(allowed: AllowedKeys | undefined, rows: number): number {
  return allowed === undefined ? rows : Math.min(rows, Math.ceil(allowed.keyCount / LISTED_SHARE_MAX));
}
