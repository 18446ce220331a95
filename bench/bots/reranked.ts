import type { TokenCalibration } from "@loredex/core";
import { assumedCloseness, closenessOf, rerankedScore } from "../../packages/core/src/search/rerank/reranked-score.ts";

/** A document that hybrid search has found, with its hybrid score. */
export interface FoundScore {
  readonly id: string;
  /** A similarity: above 0, and 1 only for a text that equals the question. */
  readonly score: number;
}

/**
 * The compared documents in their order after reranking, ties by id; then the others, by hybrid score. A search has the same order if each document is one
 * passage without a title.
 * @param found best first, ties by id
 * @param similarities `maxSim` of the first ones, in the same order; undefined for what equals the question. None at all: no reranking, the scores stay
 */
export function reranked(
  found: readonly FoundScore[],
  similarities: readonly (number | undefined)[],
  calibration: TokenCalibration,
): FoundScore[] {
  const known = similarities.flatMap((similarity) =>
    similarity === undefined ? [] : [closenessOf(similarity, calibration)],
  );
  const assumed = assumedCloseness(known);
  if (assumed === undefined) return [...found];
  const scoreOf = (score: number, i: number): number => {
    const similarity = similarities[i];
    const closeness = similarity === undefined ? assumed : closenessOf(similarity, calibration);
    return rerankedScore(score, closeness, calibration.weight);
  };
  const compared = found.slice(0, similarities.length).map(({ id, score }, i) => ({ id, score: scoreOf(score, i) }));
  return [...compared.sort(byScoreThenId), ...found.slice(similarities.length)];
}

function byScoreThenId(a: FoundScore, b: FoundScore): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : 1;
}
