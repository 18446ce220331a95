import type { TokenCalibration } from "../../embedding/token-codes.ts";
import { SIMILARITY_INEXACT_MAX } from "../../model/limits.ts";

/** Closeness: a MaxSim calibrated to [0, `SIMILARITY_INEXACT_MAX`]. It is 0 up to the low level, and the maximum from the high level on. */
export function closenessOf(similarity: number, { low, high }: TokenCalibration): number {
  return SIMILARITY_INEXACT_MAX * Math.min(1, Math.max(0, (similarity - low) / (high - low)));
}

/**
 * Combines a hybrid score with a closeness: `(score + weight * closeness) / (1 + weight)`, in [0, `SIMILARITY_INEXACT_MAX`].
 * It is monotonic in both. A score of 1 (equality) and of 0 (not found) stays as it is.
 */
export function rerankedScore(score: number, closeness: number, weight: number): number {
  if (score <= 0 || score >= 1) return score;
  return Math.min(SIMILARITY_INEXACT_MAX, (score + weight * closeness) / (1 + weight));
}

/** The closeness assumed for texts that were not compared, by that of the compared ones. */
export interface AssumedCloseness {
  /** The mean: for a document within the rerank depth whose token codes are not stored. It neither gains nor loses. */
  readonly usual: number;
  /** The least: for all documents beyond the rerank depth. Their hybrid scores are no better, so they stay behind in their order. */
  readonly least: number;
}

/** Undefined if no document was compared: there is no reranking then, and the scores stay. */
export function assumedCloseness(comparison: readonly number[]): AssumedCloseness | undefined {
  if (comparison.length === 0) return undefined;
  const least = Math.min(...comparison);
  let sum = 0;
  for (const closeness of comparison) sum += closeness;
  // Rounding must not take the mean below the least.
  return { usual: Math.max(least, sum / comparison.length), least };
}
