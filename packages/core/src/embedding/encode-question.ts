import type { Embedder } from "./embedder.ts";
import type { EncodedQuestion } from "./question-vectors.ts";
import { requireQuestionTokens } from "./token-checks.ts";
import type { AskedTokens } from "./token-codes.ts";
import { requireLength, requireNumbers } from "./vector-checks.ts";

/**
 * Embeds a question, with its token codes if the embedder gives them, and checks the result.
 * @throws RangeError for a result that contradicts the embedder's own description, EmbedderError `EMBEDDER_FAILED` for numbers that are not
 * finite or weights out of range; and the error that the embedder rejects with
 */
export async function encodeQuestion(embedder: Embedder, text: string, signal: AbortSignal): Promise<EncodedQuestion> {
  const { tokens: encoder, dimensions } = embedder;
  const encoded =
    encoder === undefined
      ? { vector: await embedder.embedQuery(text, signal) }
      : await encoder.embedQuery(text, signal);
  requireLength(encoded.vector, dimensions);
  requireNumbers(encoded.vector);
  if (encoder !== undefined && "tokens" in encoded) requireQuestionTokens(encoded.tokens, encoder.space);
  return encoded;
}

/** The token codes of a question in the form that a search needs; an empty object if there are none. */
export function askedTokens(
  { tokens: encoder }: Embedder,
  { tokens: of }: EncodedQuestion,
): { readonly tokens?: AskedTokens } {
  if (encoder === undefined || of === undefined) return {};
  const { space, calibration } = encoder;
  return { tokens: { space, calibration, of } };
}
