import { VECTOR_DIMENSIONS_MAX } from "../model/limits.ts";
import { EMBEDDER_FAILED } from "./embedder.ts";
import { EmbedderError } from "./embedder-error.ts";
import type { PassagesWithTokens, QuestionTokens, TokenCodes, TokenEncoder, TokenSpace } from "./token-codes.ts";

/** Most tokens of a text. An encoder reads some hundreds. */
const TOKENS_MAX = 4_096;

/** @throws RangeError if the token space or the calibration is invalid */
export function requireUsableTokens({ space: { version, bytes }, calibration }: TokenEncoder): void {
  if (typeof version !== "string" || version === "") throw new RangeError("The version of its token codes is empty.");
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > VECTOR_DIMENSIONS_MAX / 8) {
    throw new RangeError(
      `It says that the token codes of a token have ${bytes} bytes; 1 to ${VECTOR_DIMENSIONS_MAX / 8} can be used.`,
    );
  }
  const { low, high, weight } = calibration;
  if (!(low >= 0 && low < high && high <= 1 && weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
    throw new RangeError("The calibration of its tokens must have 0 ≤ low < high ≤ 1, and a weight from 0.");
  }
}

/** @throws RangeError for token codes that are missing, are not whole tokens, or are too many */
function requireTokenCodes(tokens: TokenCodes | undefined, { bytes }: TokenSpace): void {
  const tokenCodes = tokens?.tokenCodes;
  if (!(tokenCodes instanceof Uint8Array)) throw new RangeError("It gave no token codes for a text.");
  if (tokenCodes.length % bytes !== 0) {
    throw new RangeError(`It gave ${tokenCodes.length} bytes of token codes where a token has ${bytes}.`);
  }
  if (tokenCodes.length > bytes * TOKENS_MAX) {
    throw new RangeError(`It gave ${tokenCodes.length / bytes} tokens for a text; at most ${TOKENS_MAX} can be used.`);
  }
}

/** @throws RangeError unless there is a vector and a valid entry of token codes for each of the `texts` texts */
export function requireEntries({ vectors, tokens }: PassagesWithTokens, texts: number, space: TokenSpace): void {
  if (vectors.length !== texts) throw new RangeError(`It gave ${vectors.length} vectors for ${texts} texts.`);
  if (tokens.length !== texts) throw new RangeError(`It gave the token codes of ${tokens.length} texts for ${texts}.`);
  for (const entry of tokens) requireTokenCodes(entry, space);
}

/**
 * @throws RangeError unless there are a weight and a word piece for each token, EmbedderError `EMBEDDER_FAILED` for a weight that is not from
 * 0 to 1: another text may have valid ones
 */
export function requireQuestionTokens(tokens: QuestionTokens, space: TokenSpace): void {
  requireTokenCodes(tokens, space);
  const count = tokens.tokenCodes.length / space.bytes;
  const { weights, wordPieces } = tokens;
  if (weights.length !== count || wordPieces.length !== count) {
    throw new RangeError(`It gave ${weights.length} weights and ${wordPieces.length} word pieces for ${count} tokens.`);
  }
  for (const weight of weights) {
    if (!(weight >= 0 && weight <= 1))
      throw new EmbedderError(EMBEDDER_FAILED, `It gave a token the weight ${weight}.`);
  }
}
