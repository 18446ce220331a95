import type { PassagesWithTokens, QuestionWithTokens } from "@loredex/core";
import type { EncodedText } from "./task.ts";

const NONE = new Uint8Array();

/** Converts encoded passages to the result of an embedder. */
export function passagesWithTokens(encoded: readonly EncodedText[]): PassagesWithTokens {
  return {
    vectors: encoded.map(({ vector }) => vector),
    tokens: encoded.map(({ tokenCodes = NONE }) => ({ tokenCodes })),
  };
}

/** Converts an encoded question to the result of an embedder. */
export function questionWithTokens(encoded: EncodedText): QuestionWithTokens {
  const { vector, tokenCodes = NONE, weights = new Float32Array(), pieces = [], isUnknown = false } = encoded;
  return { vector, tokens: { tokenCodes, weights, wordPieces: pieces }, ...(isUnknown ? { isUnknown } : {}) };
}
