import type { TokenCalibration } from "../../embedding/token-codes.ts";
import { SIMILARITY_INEXACT_MAX } from "../../model/limits.ts";
import { fromPower, toPower } from "../power-mean.ts";

/** Closeness: a MaxSim calibrated to [0, `SIMILARITY_INEXACT_MAX`]. It is 0 up to the low level, and the maximum from the high level on. */
export function closenessOf(similarity: number, { low, high }: TokenCalibration): number {
  return SIMILARITY_INEXACT_MAX * Math.min(1, Math.max(0, (similarity - low) / (high - low)));
}

/**
 * Combines a hybrid score, which has weight 1, with a closeness: their power mean, in [0, `SIMILARITY_INEXACT_MAX`]. It is monotonic in both.
 * A score of 1 (equality) and of 0 (not found) stays as it is, and so does every score with a weight of 0.
 */
export function rerankedScore(score: number, closeness: number, weight: number): number {
  if (score <= 0 || score >= 1 || weight === 0) return score;
  const mean = (toPower(score) + weight * toPower(closeness)) / (1 + weight);
  return Math.min(SIMILARITY_INEXACT_MAX, fromPower(mean));
}

/** The closeness assumed for a document whose token codes are not stored: the mean of the compared ones, so that it neither gains nor loses. Undefined for none. */
export function assumedCloseness(compared: readonly number[]): number | undefined {
  if (compared.length === 0) return undefined;
  let sum = 0;
  for (const closeness of compared) sum += closeness;
  return sum / compared.length;
}
