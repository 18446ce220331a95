import type { Embedder } from "./embedder.ts";
import type { EncodedQuestion } from "./question-vectors.ts";
import { requireQuestionTokens } from "./token-checks.ts";
import type { AskedTokens } from "./token-codes.ts";
import { requireLength, requireNumbers } from "./vector-checks.ts";

/**
 * A question's vector, with its tokens where the embedder gives them.
 * @throws RangeError for what is not as the embedder says of itself, EmbedderError `EMBEDDER_FAILED` for numbers that are none; and what the embedder rejects with
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

/** What a search is given of a question's tokens; nothing where there are none. */
export function askedTokens(
  { tokens: encoder }: Embedder,
  { tokens: of }: EncodedQuestion,
): { readonly tokens?: AskedTokens } {
  if (encoder === undefined || of === undefined) return {};
  const { space, calibration } = encoder;
  return { tokens: { space, calibration, of } };
}
