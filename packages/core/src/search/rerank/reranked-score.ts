import type { TokenCalibration } from "../../embedding/token-codes.ts";
import { SIMILARITY_INEXACT_MAX } from "../../model/limits.ts";

/** What a `maxSim` is worth, in [0, `SIMILARITY_INEXACT_MAX`]: nothing up to the low level, and no more above the high one. */
export function closenessOf(similarity: number, { low, high }: TokenCalibration): number {
  return SIMILARITY_INEXACT_MAX * Math.min(1, Math.max(0, (similarity - low) / (high - low)));
}

/**
 * A score of two looks and what the third has found, in [0, `SIMILARITY_INEXACT_MAX`], never falling as either rises. Equality stays 1, and what was not
 * found stays 0.
 */
export function rerankedScore(score: number, closeness: number, weight: number): number {
  if (score <= 0 || score >= 1) return score;
  return Math.min(SIMILARITY_INEXACT_MAX, (score + weight * closeness) / (1 + weight));
}

/** What is taken for the closeness of texts that were not looked at, by that of those that were. */
export interface AssumedCloseness {
  /** Of one among them, whose token codes are not kept: it neither gains nor loses by that. */
  readonly usual: number;
  /** Of all behind them: their scores were no better, so they stay behind in the order that they had. */
  readonly least: number;
}

/** Undefined where none was looked at: there is no reranking then, and the scores stay. */
export function assumedCloseness(looked: readonly number[]): AssumedCloseness | undefined {
  if (looked.length === 0) return undefined;
  const least = Math.min(...looked);
  let sum = 0;
  for (const closeness of looked) sum += closeness;
  // Rounding must not take the mean below the least.
  return { usual: Math.max(least, sum / looked.length), least };
}
