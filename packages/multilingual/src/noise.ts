import { kindAlong } from "@loredex/core";
import { NOISE_AXIS } from "./noise-axis.ts";

/** Position on the noise axis that 99% of meaningful questions do not exceed, and most noise exceeds. */
export const MEANING_MAX = 0.2;
/** Excess of the cosines per unit beyond `MEANING_MAX`. With it, half of the questions a little further along find nothing. */
const SLOPE = 3;

/** From 0 at `MEANING_MAX` to 1 at the end of the axis, where no vector of a question lies. */
const shareOfNoise = kindAlong({ codes: NOISE_AXIS, from: MEANING_MAX, to: 1 });

/**
 * Returns by how much the cosines of a meaningless question are too high: one typed at random, or of words in no language. Vectors of such questions lie in one
 * direction, and near to many texts.
 */
export function bias(question: Float32Array): number {
  return SLOPE * (1 - MEANING_MAX) * shareOfNoise(question);
}
