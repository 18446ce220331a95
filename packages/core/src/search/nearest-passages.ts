import type { SearchIndex } from "../index/search-index.ts";
import { SEARCH_NEAREST_WINDOWS_MAX } from "../model/limits.ts";
import { inCountedPortions, type Sliced } from "../scheduling/time-slices.ts";
import type { Allowed } from "./filters/allowed-documents.ts";
import { DENSE_FLOOR, type DenseQuery } from "./fusion.ts";

/** Embedding windows that are asked for at first, at least. */
const NEAREST_MIN = 64;

/** Windows for each document that is wanted, and the growth of each further request. */
const NEAREST_FACTOR = 4;

/**
 * The rank, as a share of the answers, whose cosine bounds the passages that the graph missed.
 * A graph misses some neighbors, most of all far ones. A missed passage is taken to be at most as near as the passage at this rank.
 */
const TRUSTED_SHARE = 0.125;

/** Operations to find the passage of a window, and to check whether the window is a shared title. */
const WINDOW_OPERATIONS = 16;

/** Passages near a question, and bounds for all others. */
export interface NearestPassages {
  /** Nearest first, each passage once. */
  readonly passages: readonly NearPassage[];
  /** Upper bound of the cosine of every other passage, except missed ones. */
  readonly cosineMax: number;
  /** Upper bound of the cosine of every other passage, missed ones included. */
  readonly cosineMissed: number;
  /** True if no other passage reaches {@link DENSE_FLOOR}, or if no more windows may be asked for. */
  readonly isAll: boolean;
}

/** A passage with its cosine to the question. */
export interface NearPassage {
  readonly ordinal: number;
  /** The cosine of its nearest embedding window. */
  readonly cosine: number;
}

/** Number of windows to ask for first, to find this number of documents: 4 for each, from 64 up to the maximum. */
export function firstWanted(count: number): number {
  return Math.min(SEARCH_NEAREST_WINDOWS_MAX, Math.max(NEAREST_MIN, count * NEAREST_FACTOR));
}

/** Number of windows to ask for next: 4 times as many, up to the maximum. */
export function moreWanted(wanted: number): number {
  return Math.min(SEARCH_NEAREST_WINDOWS_MAX, wanted * NEAREST_FACTOR);
}

/**
 * Finds the passages of the nearest `wanted` embedding windows of allowed documents, by graph or exact scan.
 * A passage is as near as its nearest window. Title windows that other documents share are skipped.
 */
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
  const mayMiss = vectors.mayMiss(wanted, allowed);
  const trusted = passages[Math.ceil(passages.length * TRUSTED_SHARE) - 1]?.cosine ?? 1;
  return { passages, cosineMax, cosineMissed: mayMiss ? trusted : cosineMax, isAll };
}
