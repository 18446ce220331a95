import type { PassagesWithTokens, QuestionWithTokens } from "@loredex/core";
import type { EncodedText } from "./task.ts";

const NONE = new Uint8Array();

/** What processes made of passages, as an embedder gives it. */
export function passagesWithTokens(encoded: readonly EncodedText[]): PassagesWithTokens {
  return {
    vectors: encoded.map(({ vector }) => vector),
    tokens: encoded.map(({ tokenCodes = NONE }) => ({ tokenCodes })),
  };
}

/** What a process made of a question, as an embedder gives it. */
export function questionWithTokens(encoded: EncodedText): QuestionWithTokens {
  const { vector, tokenCodes = NONE, weights = new Float32Array(), pieces = [], isUnknown = false } = encoded;
  return { vector, tokens: { tokenCodes, weights, wordPieces: pieces }, ...(isUnknown ? { isUnknown } : {}) };
}
