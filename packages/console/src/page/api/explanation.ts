import type { ExplainedPassage, Explanation } from "./types.ts";

/** How much of a passage's score comes from words, meaning and reranking. It is split in proportion to their weighted powers, so the three add up to it. */
export interface ScoreShares {
  readonly words: number;
  readonly meaning: number;
  readonly reranking: number;
  readonly score: number;
}

/** The exponent of the power mean that joins scores: `power-mean.ts` in the core. */
const POWER = 1.5;

export function scoreParts(passage: ExplainedPassage, { dense, rerank }: Explanation["question"]): ScoreShares {
  const share = dense === undefined || passage.calibrated === undefined ? 0 : dense.weight;
  const words = (1 - share) * passage.lexical ** POWER;
  const meaning = share * ((passage.calibrated ?? 0) * (passage.meaningCounts ?? 1)) ** POWER;
  const weight = passage.rerank === undefined ? 0 : (rerank?.weight ?? 0);
  const reranking = weight * (passage.rerank?.closeness ?? 0) ** POWER;
  const score = passage.rerank?.similarity ?? passage.similarity;
  const sum = words + meaning + reranking;
  const scale = sum === 0 ? 0 : score / sum;
  return { words: words * scale, meaning: meaning * scale, reranking: reranking * scale, score };
}
