import { NOISE_AXIS } from "./noise-axis.ts";

/** Ninety-nine of a hundred questions that mean something lie no further along the axis than this, and most noise lies further. */
export const MEANING_MAX = 0.2;
/** By how much the cosines are too high for each step beyond: so much that half of what lies a little further finds nothing. */
const SLOPE = 3;

const axis = noiseAxis();

/**
 * By how much the cosines of a question are too high since it means nothing: typed at random, or words that no language has. Such vectors lie in one
 * direction, and near to many texts.
 */
export function bias(question: Float32Array): number {
  let along = 0;
  for (let i = 0; i < axis.length; i++) along += (axis[i] ?? 0) * (question[i] ?? 0);
  return SLOPE * Math.max(0, along - MEANING_MAX);
}

/** Of length one. */
export function noiseAxis(): Float32Array {
  const codes = Int8Array.from(atob(NOISE_AXIS), (sign) => sign.charCodeAt(0));
  const length = Math.hypot(...codes);
  return Float32Array.from(codes, (code) => code / length);
}
