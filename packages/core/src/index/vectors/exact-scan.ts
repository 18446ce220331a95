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

/** Exact search: compares the query with every vector. It misses nothing, and is the fastest way while there are few vectors. O(rows × dimensions). */
export class ExactScan {
  readonly #rows: VectorRows;
  #compared: Compared | undefined;

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
    if (allowed === undefined || allowed.keyCount > this.#rows.count * LISTED_SHARE_MAX)
      yield* this.#scan(query, nearest, meter, allowed);
    else yield* this.#compare(query, nearest, meter, allowed);
    return yield* nearest.neighboursInSlices(meter);
  }

  /** Compares all vectors, and offers the allowed ones. Most are too far to be asked for. */
  *#scan(query: QueryVector, nearest: NearestKeys, meter: OperationMeter, allowed?: AllowedKeys): Sliced<void> {
    const cosines = yield* this.#rows.scanInSlices(query, meter);
    for (let from = 0; from < cosines.length; from += BLOCK_ROWS) {
      const to = Math.min(cosines.length, from + BLOCK_ROWS);
      for (let key = from; key < to; key++) {
        const cosine = cosines[key] as number;
        if (cosine >= nearest.worst && (allowed === undefined || allowed.hasKey(key))) nearest.offer(key, cosine);
      }
      if (meter.shouldYield(to - from)) yield;
    }
  }

  /** Compares only the allowed vectors. */
  *#compare(query: QueryVector, nearest: NearestKeys, meter: OperationMeter, allowed: AllowedKeys): Sliced<void> {
    const { keys, cosines } = yield* this.#comparedWith(query, meter, allowed);
    for (let from = 0; from < keys.length; from += BLOCK_ROWS) {
      const to = Math.min(keys.length, from + BLOCK_ROWS);
      for (let i = from; i < to; i++) nearest.offerNear(keys[i] as number, cosines[i] as number);
      if (meter.shouldYield(to - from)) yield;
    }
  }

  /** The allowed keys with their cosines. Those of the last query are kept: a search asks for more and more of the nearest. */
  *#comparedWith(query: QueryVector, meter: OperationMeter, allowed: AllowedKeys): Sliced<Compared> {
    const { changes, operationsARow } = this.#rows;
    const kept = this.#compared;
    if (kept?.query === query && kept.allowed === allowed && kept.changes === changes) return kept;
    this.#compared = undefined;
    const blocks = new KeysOfRanges(allowed.keyRanges());
    const [keys, cosines] = [new Uint32Array(allowed.keyCount), new Float32Array(allowed.keyCount)];
    let count = 0;
    for (let length = blocks.fill(); length > 0; length = blocks.fill()) {
      keys.set(blocks.block.subarray(0, length), count);
      cosines.set(this.#rows.cosinesOf(query, blocks.block, length).subarray(0, length), count);
      count += length;
      if (meter.shouldYield(length * operationsARow)) yield;
    }
    const compared = { query, allowed, changes, keys: keys.subarray(0, count), cosines: cosines.subarray(0, count) };
    if (count <= COMPARED_KEPT_MAX) this.#compared = compared;
    return compared;
  }
}

/** The allowed keys of a search, with the cosine of each to the query. */
interface Compared {
  readonly query: QueryVector;
  readonly allowed: AllowedKeys;
  /** Of the rows, when they were compared. */
  readonly changes: number;
  readonly keys: Uint32Array;
  readonly cosines: Float32Array;
}

/** More keys than this are compared again each time. These take 512 KiB. */
const COMPARED_KEPT_MAX = 65_536;

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
const LISTED_SHARE_MAX = 0.25;

/** Number of rows in sequence that are compared in the time of a search among these keys. */
export function rowsOfScan(allowed: AllowedKeys | undefined, rows: number): number {
  return allowed === undefined ? rows : Math.min(rows, Math.ceil(allowed.keyCount / LISTED_SHARE_MAX));
}
