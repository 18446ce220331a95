import { inCountedPortions, type OperationMeter, type Sliced } from "../../scheduling/time-slices.ts";
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
  /** Allowed keys as lists. Making one reads each allowed document, which takes longer than comparing its vectors. A list leaves memory with its set. */
  readonly #lists = new WeakMap<AllowedKeys, Listed>();

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
    yield* inCountedPortions(cosines.length, { portion: BLOCK_ROWS, each: 1, meter }, (from, to) => {
      for (let key = from; key < to; key++) {
        const cosine = cosines[key] as number;
        if (cosine >= nearest.worst && (allowed === undefined || allowed.hasKey(key))) nearest.offer(key, cosine);
      }
    });
  }

  /** Compares only the allowed vectors. */
  *#compare(query: QueryVector, nearest: NearestKeys, meter: OperationMeter, allowed: AllowedKeys): Sliced<void> {
    const { keys, cosines } = yield* this.#comparedWith(query, meter, allowed);
    yield* inCountedPortions(keys.length, { portion: BLOCK_ROWS, each: 1, meter }, (from, to) => {
      for (let i = from; i < to; i++) nearest.offerNear(keys[i] as number, cosines[i] as number);
    });
  }

  /** The allowed keys with their cosines. Those of the last query are kept: a search asks for more and more of the nearest. */
  *#comparedWith(query: QueryVector, meter: OperationMeter, allowed: AllowedKeys): Sliced<Compared> {
    const rows = this.#rows;
    const { changes, operationsARow: each } = rows;
    const kept = this.#compared;
    if (kept?.query === query && kept.allowed === allowed && kept.changes === changes) return kept;
    this.#compared = undefined;
    const keys = yield* this.#listOf(allowed, meter);
    const cosines = new Float32Array(keys.length);
    yield* inCountedPortions(keys.length, { portion: BLOCK_ROWS, each, meter }, (from, to) => {
      cosines.set(rows.cosinesOf(query, keys.subarray(from, to), to - from).subarray(0, to - from), from);
    });
    const compared = { query, allowed, changes, keys, cosines };
    if (keys.length <= COMPARED_KEPT_MAX) this.#compared = compared;
    return compared;
  }

  *#listOf(allowed: AllowedKeys, meter: OperationMeter): Sliced<Uint32Array> {
    const { changes } = this.#rows;
    const known = this.#lists.get(allowed);
    if (known?.changes === changes) return known.keys;
    const keys = yield* keysOf(allowed, meter);
    if (keys.length <= COMPARED_KEPT_MAX) this.#lists.set(allowed, { changes, keys });
    return keys;
  }
}

function* keysOf(allowed: AllowedKeys, meter: OperationMeter): Sliced<Uint32Array> {
  const keys = new Uint32Array(allowed.keyCount);
  const ranges = allowed.keyRanges();
  let count = 0;
  while (ranges.next()) {
    for (let key = ranges.first; key < ranges.end; key++) keys[count++] = key;
    if (meter.shouldYield(ranges.end - ranges.first)) yield;
  }
  return keys.subarray(0, count);
}

/** Allowed keys, in force until a row changes: it may have been moved to another key. */
interface Listed {
  readonly changes: number;
  readonly keys: Uint32Array;
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

/** More keys than this are listed and compared again each time. With their cosines, these take 512 KiB. */
const COMPARED_KEPT_MAX = 65_536;

/** If a search allows a larger share of the rows than this, all rows are scanned: scattered rows take longer than rows in sequence. */
const LISTED_SHARE_MAX = 0.25;

/** Number of rows in sequence that are compared in the time of a search among these keys. */
export function rowsOfScan(allowed: AllowedKeys | undefined, rows: number): number {
  return allowed === undefined ? rows : Math.min(rows, Math.ceil(allowed.keyCount / LISTED_SHARE_MAX));
}
