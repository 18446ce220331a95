import { SIMILARITY_INEXACT_MAX } from "../domain/limits.ts";
import type { TokenCalibration } from "../embedding/token-signs.ts";

/** A document that two looks have found, and what they say of it. */
export interface FoundScore {
  readonly id: string;
  /** A similarity: above 0, and 1 only for a text that equals the question. */
  readonly score: number;
}

/**
 * A score of two looks and the third, in [0, `SIMILARITY_INEXACT_MAX`], never falling as either rises. Equality stays 1, and what was not found
 * stays 0.
 */
export function lookedAtScore(score: number, similarity: number, { low, high, weight }: TokenCalibration): number {
  if (score <= 0 || score >= 1) return score;
  const closeness = SIMILARITY_INEXACT_MAX * Math.min(1, Math.max(0, (similarity - low) / (high - low)));
  return Math.min(SIMILARITY_INEXACT_MAX, (score + weight * closeness) / (1 + weight));
}

/**
 * What was found, in the order of all three looks, ties by id. Those beyond the ones that were looked at get the least similarity of these:
 * their scores were no better, so they stay behind in the order that they had, and how many are asked for changes nothing of the first ones.
 * @param found best first, ties by id
 * @param similarities `maxSim` of the first ones, in the same order; undefined for what equals the question. None at all: no third look, the scores stay
 */
export function rescored<Found extends FoundScore>(
  found: readonly Found[],
  similarities: readonly (number | undefined)[],
  calibration: TokenCalibration,
): Found[] {
  const known = similarities.filter((similarity) => similarity !== undefined);
  if (known.length === 0) return [...found];
  const least = Math.min(...known);
  return found
    .map((each, i) => ({ ...each, score: lookedAtScore(each.score, similarities[i] ?? least, calibration) }))
    .sort(byScoreThenId);
}

function byScoreThenId(a: FoundScore, b: FoundScore): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : 1;
}
