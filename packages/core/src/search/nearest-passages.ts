import type { SearchIndex } from "../index/search-index.ts";
import { SEARCH_NEAREST_WINDOWS_MAX } from "../model/limits.ts";
import { inCountedPortions, type Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./allowed-documents.ts";
import { DENSE_FLOOR, type DenseQuery } from "./fusion.ts";

/** Nearest parts that are looked at first. */
const NEAREST_MIN = 64;

/** So many times as many are looked at where these are not enough. */
const NEAREST_FACTOR = 4;

/**
 * The graph misses some of what it is asked for, most of all the farther ones: a passage that it missed is taken to be at most as near as the one at
 * this share of its answers.
 */
const TRUSTED_SHARE = 0.125;

/** Operations to find the passage of a part, and whether the part tells anything. */
const WINDOW_OPERATIONS = 16;

export interface NearestPassages {
  /** Nearest first. */
  readonly passages: readonly NearPassage[];
  /** The cosine of any other passage, at most, but for those that were missed. */
  readonly cosineMax: number;
  /** Of those as well. */
  readonly cosineMissed: number;
  /** Whether no other passage means anything, or no more may be looked at. */
  readonly isAll: boolean;
}

export interface NearPassage {
  readonly ordinal: number;
  /** Of its nearest part. */
  readonly cosine: number;
}

/** How many parts are to be asked for first by whoever looks for so many documents. */
export function firstWanted(count: number): number {
  return Math.min(SEARCH_NEAREST_WINDOWS_MAX, Math.max(NEAREST_MIN, count * NEAREST_FACTOR));
}

/** How many after that. */
export function moreWanted(wanted: number): number {
  return Math.min(SEARCH_NEAREST_WINDOWS_MAX, wanted * NEAREST_FACTOR);
}

/** The passages of the nearest parts of allowed documents. A passage is as near as its nearest part. */
export function* nearestPassages(
  index: SearchIndex,
  dense: DenseQuery,
  allowed: Allowed,
  wanted: number,
): Sliced<NearestPassages> {
  const { windows, effort } = index;
  const vectors = index.windowVectors.rows;
  if (vectors === undefined) return { passages: [], cosineMax: 1, cosineMissed: 1, isAll: true };
  const near = yield* vectors.nearestInSlices(dense.vector, wanted, effort, allowed);
  const cosines = new Map<number, number>();
  yield* inCountedPortions(
    near.length,
    { portion: NEAREST_MIN, each: WINDOW_OPERATIONS, meter: effort },
    (from, to) => {
      for (const { key, cosine } of near.slice(from, to)) {
        const ordinal = windows.ordinalOf(key);
        if (index.windowVectors.tellsNothing(key)) continue;
        if (!cosines.has(ordinal)) cosines.set(ordinal, cosine);
      }
    },
  );
  const passages = Array.from(cosines, ([ordinal, cosine]) => ({ ordinal, cosine }));
  const last = near.at(-1);
  const cosineMax = last?.cosine ?? 1;
  const isAll =
    last === undefined ||
    near.length < wanted ||
    dense.calibrate(last.cosine) < DENSE_FLOOR ||
    wanted >= SEARCH_NEAREST_WINDOWS_MAX;
  const mayMiss = vectors.mayMiss(wanted, allowed !== undefined);
  const trusted = passages[Math.ceil(passages.length * TRUSTED_SHARE) - 1]?.cosine ?? 1;
  return { passages, cosineMax, cosineMissed: mayMiss ? trusted : cosineMax, isAll };
}
