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
    const keys = new KeysOfRanges(ranges);
    for (let count = keys.fill(); count > 0; count = keys.fill()) {
      this.#offerBlock(query, nearest, keys.block, count);
      if (meter.shouldYield(count * this.#rows.operationsARow)) yield;
    }
  }

  #offerBlock(query: QueryVector, nearest: NearestKeys, keys: Uint32Array, count: number): void {
    const cosines = this.#rows.cosinesOf(query, keys, count);
    for (let i = 0; i < count; i++) nearest.offerNear(keys[i] as number, cosines[i] as number);
  }
}

/** The keys of ranges, block by block. */
class KeysOfRanges {
  readonly block = new Uint32Array(BLOCK_ROWS);
  readonly #ranges: KeyRanges;
  /** What is left of the current range. */
  #next = 0;
  #end = 0;

  constructor(ranges: KeyRanges) {
    this.#ranges = ranges;
  }

  /** Fills the block from its beginning, and returns the number of keys: less than a whole block only at the end. */
  fill(): number {
    const { block } = this;
    const ranges = this.#ranges;
    let count = 0;
    while (count < block.length) {
      if (this.#next >= this.#end) {
        if (!ranges.next()) break;
        this.#next = ranges.first;
        this.#end = ranges.end;
      }
      const to = Math.min(this.#end, this.#next + block.length - count);
      for (let key = this.#next; key < to; key++) block[count++] = key;
      this.#next = to;
    }
    return count;
  }
}

/** If a search allows a larger share of the rows than this, all rows are scanned: scattered rows take longer than rows in sequence. */
const LISTED_SHARE_MAX = 0.5;

/** Number of rows in sequence that are compared in the time of a search among these keys. */
export function rowsOfScan(allowed: AllowedKeys | undefined, rows: number): number {
  return allowed === undefined ? rows : Math.min(rows, Math.ceil(allowed.keyCount / LISTED_SHARE_MAX));
}
