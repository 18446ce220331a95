import { NOISE_AXIS } from "./noise-axis.ts";

/** Position on the noise axis that 99% of meaningful questions do not exceed, and most noise exceeds. */
export const MEANING_MAX = 0.2;
/** Excess of the cosines per unit beyond `MEANING_MAX`. With it, half of the questions a little further along find nothing. */
const SLOPE = 3;

const axis = noiseAxis();

/**
 * Returns by how much the cosines of a meaningless question are too high: one typed at random, or of words in no language. Vectors of such questions lie in one
 * direction, and near to many texts.
 */
export function bias(question: Float32Array): number {
  let along = 0;
  for (let i = 0; i < axis.length; i++) along += (axis[i] ?? 0) * (question[i] ?? 0);
  return SLOPE * Math.max(0, along - MEANING_MAX);
}

/** The axis as a unit vector. */
export function noiseAxis(): Float32Array {
  const codes = Int8Array.from(atob(NOISE_AXIS), (sign) => sign.charCodeAt(0));
  const length = Math.hypot(...codes);
  return Float32Array.from(codes, (code) => code / length);
}
