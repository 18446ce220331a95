import type { QuestionTokens } from "../../embedding/token-codes.ts";

/** Each of a question's tokens is compared with all of every passage: of a longer one the lightest are left out. */
export const QUESTION_TOKENS_MAX = 64;

/** The tokens of a question that are looked for, in order: of equal weight the first ones. `bytes` are those of a token. */
export function heaviestTokens(question: QuestionTokens, bytes: number): QuestionTokens {
  const { tokenCodes, weights, wordPieces: fragments } = question;
  if (weights.length <= QUESTION_TOKENS_MAX) return question;
  const kept = Array.from(weights.keys())
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
    .slice(0, QUESTION_TOKENS_MAX)
    .sort((a, b) => a - b);
  const heaviest = new Uint8Array(kept.length * bytes);
  for (const [i, token] of kept.entries())
    heaviest.set(tokenCodes.subarray(token * bytes, (token + 1) * bytes), i * bytes);
  return {
    tokenCodes: heaviest,
    weights: Float32Array.from(kept, (token) => weights[token] ?? 0),
    wordPieces: kept.map((token) => fragments[token] ?? ""),
  };
}
