import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import type { Scoring } from "./scoring.ts";

/** Scores compared in a slice. */
export const SLICE_LOOKS = 16_384;

/**
 * Number of passages with at least this score so far.
 * @param mayBe tells which passages count; undefined if all do
 */
export function* countAtLeast(scoring: Scoring, least: number, mayBe?: (ordinal: number) => boolean): Sliced<number> {
  let count = 0;
  yield* inPortions(scoring.touchedCount, SLICE_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) {
      const ordinal = scoring.ordinalAt(i);
      if (scoring.partial(ordinal) >= least && (mayBe === undefined || mayBe(ordinal))) count++;
    }
  });
  return count;
}

/** Number of shares that the range of scores is divided into, where not all passages can be completed. */
const SHARES = 4_096;

/**
 * A score so far that about the best `count` passages have, of those with at least `floor`. Accurate to one share of the range; the passages of the
 * highest share are always included.
 * @param mayBe tells which passages count; undefined if all do
 */
export function* leastOfBest(
  scoring: Scoring,
  floor: number,
  count: number,
  mayBe?: (ordinal: number) => boolean,
): Sliced<number> {
  let highest = 0;
  yield* inPortions(scoring.touchedCount, SLICE_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) highest = Math.max(highest, scoring.partial(scoring.ordinalAt(i)));
  });
  const lowest = Math.max(0, floor);
  const share = (highest - lowest) / SHARES;
  if (!(share > 0)) return floor;
  const counts = new Uint32Array(SHARES + 1);
  yield* inPortions(scoring.touchedCount, SLICE_LOOKS, (from, to) => {
    for (let i = from; i < to; i++) {
      const ordinal = scoring.ordinalAt(i);
      const above = Math.min(SHARES, Math.floor((scoring.partial(ordinal) - lowest) / share));
      if (above >= 0 && (mayBe === undefined || mayBe(ordinal))) counts[above] = (counts[above] as number) + 1;
    }
  });
  let [at, best] = [SHARES, counts[SHARES] as number];
  while (at > 0 && best + (counts[at - 1] as number) <= count) best += counts[--at] as number;
  return lowest + at * share;
}
