import type { SearchResult } from "../model/types.ts";

/**
 * Measures of one ranking against judgements, each from 0 to 1. Callers average them over questions.
 * A ranking has document ids, best first, each once. Gains are by document id: above 0 is relevant, and a better answer has a higher gain.
 */

/**
 * nDCG@k: Σ gain / log2(rank + 1) over the first k, divided by the same sum of the ideal ranking. 0 if nothing is relevant.
 * The gain is linear (Järvelin, Kekäläinen 2002, "Cumulated Gain-Based Evaluation of IR Techniques", with the discount of trec_eval).
 */
export function normalizedDiscountedGain(
  ranking: readonly string[],
  gains: ReadonlyMap<string, number>,
  k = 10,
): number {
  const ideal = discountedGain(
    [...gains.values()].sort((a, b) => b - a),
    k,
  );
  return ideal === 0
    ? 0
    : discountedGain(
        ranking.map((id) => gains.get(id) ?? 0),
        k,
      ) / ideal;
}

function discountedGain(gains: readonly number[], k: number): number {
  return gains.slice(0, k).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/**
 * Reciprocal rank: 1 / rank of the first relevant document among the first k; 0 if there is none.
 * Its mean is MRR@k (Voorhees 1999, "The TREC-8 Question Answering Track Report").
 */
export function reciprocalRank(ranking: readonly string[], gains: ReadonlyMap<string, number>, k = 10): number {
  const at = ranking.slice(0, k).findIndex((id) => (gains.get(id) ?? 0) > 0);
  return at < 0 ? 0 : 1 / (at + 1);
}

/** recall@k: the share of the relevant documents that are among the first k. 0 if nothing is relevant. */
export function recall(ranking: readonly string[], gains: ReadonlyMap<string, number>, k: number): number {
  const relevant = [...gains].filter(([, gain]) => gain > 0).map(([id]) => id);
  const found = new Set(ranking.slice(0, k));
  return relevant.length === 0 ? 0 : relevant.filter((id) => found.has(id)).length / relevant.length;
}

/** A line range from the first to the last line, inclusive, 1-based. */
export type LineRange = readonly [first: number, last: number];

/** The lines that answer a question, by document id. One line of any range suffices; no ranges: any line. */
export type AnswerLines = ReadonlyMap<string, readonly LineRange[]>;

type Quoted = Pick<SearchResult, "resourceDocId" | "similarTextParts">;

/** 1 if the first text part of the first document shares a line with the answer, else 0. */
export function lineInFirstPart(results: readonly Quoted[], answer: AnswerLines): number {
  const [first] = results;
  return first !== undefined && holdsAnswer(first, answer, 1) ? 1 : 0;
}

/** 1 if any text part of the first k documents shares a line with the answer, else 0. */
export function lineInAnyPart(results: readonly Quoted[], answer: AnswerLines, k = 10): number {
  return results.slice(0, k).some((result) => holdsAnswer(result, answer)) ? 1 : 0;
}

function holdsAnswer({ resourceDocId, similarTextParts }: Quoted, answer: AnswerLines, partsMax?: number): boolean {
  const ranges = answer.get(resourceDocId);
  if (ranges === undefined) return false;
  if (ranges.length === 0) return true;
  const parts = similarTextParts.slice(0, partsMax);
  return parts.some(({ start, stop }) => ranges.some(([first, last]) => start <= last && first <= stop));
}

/** The arithmetic mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
