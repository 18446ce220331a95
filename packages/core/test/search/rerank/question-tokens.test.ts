import { expect, it } from "vitest";
import { heaviestTokens, QUESTION_TOKENS_MAX } from "../../../src/search/rerank/question-tokens.ts";

const question = (weights: readonly number[]) => ({
  tokenCodes: Uint8Array.from(weights.flatMap((_, token) => [token, 255 - token])),
  weights: Float32Array.from(weights),
  wordPieces: weights.map((_, token) => `t${token}`),
});

it("a question of no more tokens than are compared is taken whole", () => {
  const whole = question(new Array<number>(QUESTION_TOKENS_MAX).fill(0.5));
  expect(heaviestTokens(whole, 2)).toEqual(whole);
});

it("of a longer one the lightest tokens are left out, of equal ones the last, and the others stay in order", () => {
  const weights = Array.from({ length: QUESTION_TOKENS_MAX + 6 }, (_, token) => (token < 5 ? 0.25 : 0.75));
  const { tokenCodes, weights: kept, wordPieces } = heaviestTokens(question(weights), 2);
  const expected = Array.from({ length: QUESTION_TOKENS_MAX }, (_, i) => i + 5);
  expect(wordPieces).toEqual(expected.map((token) => `t${token}`));
  expect([...kept]).toEqual(expected.map((token) => weights[token]));
  expect([...tokenCodes]).toEqual(expected.flatMap((token) => [token, 255 - token]));
});
