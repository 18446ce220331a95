import type { QuestionTokens } from "../../embedding/token-codes.ts";
import { must } from "../../model/must.ts";

/**
 * The maximum number of question tokens that are compared, as each is compared with all tokens of every passage.
 * Of a longer question the lightest tokens are dropped.
 */
export const QUESTION_TOKENS_MAX = 64;

/** The heaviest tokens of a question, in order; of equal weight the first ones. `bytes` is the length of a token's code. */
export function heaviestTokens(question: QuestionTokens, bytes: number): QuestionTokens {
  const { tokenCodes, weights, wordPieces } = question;
  const weightOf = (token: number): number => must(weights[token], "the weight of a token");
  if (weights.length <= QUESTION_TOKENS_MAX) return question;
  const kept = Array.from(weights.keys())
    .sort((a, b) => weightOf(b) - weightOf(a) || a - b)
    .slice(0, QUESTION_TOKENS_MAX)
    .sort((a, b) => a - b);
  const heaviest = new Uint8Array(kept.length * bytes);
  for (const [i, token] of kept.entries())
    heaviest.set(tokenCodes.subarray(token * bytes, (token + 1) * bytes), i * bytes);
  return {
    tokenCodes: heaviest,
    weights: Float32Array.from(kept, weightOf),
    wordPieces: kept.map((token) => must(wordPieces[token], "the word piece of a token")),
  };
}
