/**
 * The token codes of a text: the sign bits of its token vectors, after a constant mean was subtracted. The similarity of two tokens is
 * 1 − 2 · (bits that differ) / bits.
 */
export interface TokenCodes {
  /**
   * The codes of the tokens one after the other, `TokenSpace.bytes` each. Bit i of byte b is dimension 8b + i; it is 1 where the dimension is not below
   * the mean. The special tokens for the ends and for the kind of text are left out.
   */
  readonly tokenCodes: Uint8Array;
}

/** The token codes of a question, with a weight and the word piece of each token. */
export interface QuestionTokens extends TokenCodes {
  /** One weight a token, 0 to 1: how rare its word piece is in the language, by a table of the model. 0 for the unknown word piece. */
  readonly weights: Float32Array;
  /** One word piece a token, as the model spells it, without the marks for the beginning or the middle of a word. */
  readonly wordPieces: readonly string[];
}

/** The space in which token codes can be compared. It has a version of its own, as another mean gives other token codes of the same vectors. */
export interface TokenSpace {
  /** Changes whenever token codes change. */
  readonly version: string;
  /** Bytes of the token codes of one token: 48 for 384 dimensions. From 1. */
  readonly bytes: number;
}

/** The token codes of a question, with their space and calibration, as a search needs them. */
export interface AskedTokens {
  readonly space: TokenSpace;
  readonly calibration: TokenCalibration;
  readonly of: QuestionTokens;
}

/** The vectors and the token codes of passages: one of each a text, in order. */
export interface PassagesWithTokens {
  readonly vectors: Float32Array[];
  readonly tokens: TokenCodes[];
}

/** The vector and the token codes of a question. */
export interface QuestionWithTokens {
  readonly vector: Float32Array;
  readonly tokens: QuestionTokens;
  /**
   * Whether the encoder's vocabulary has no word piece of the question. Then its vector means nothing, and the question is answered by BM25 alone.
   * Default false.
   */
  readonly isUnknown?: boolean;
}

/** Calibration of reranking: maps the MaxSim of a text and a question (how well the text matches the question's tokens) to a score. */
export interface TokenCalibration {
  /** MaxSim of texts that are unrelated to the question; at least 0. */
  readonly low: number;
  /** MaxSim of passages that answer the question; above `low`, at most 1. */
  readonly high: number;
  /** Rerank weight: how much reranking counts beside the hybrid score, which counts 1; at least 0. */
  readonly weight: number;
}

/**
 * The port for encoders that compute a vector for every token. The obligations are those of an `Embedder`, and:
 * - its vectors equal those of the embedder's own methods to the last bit;
 * - vectors and token codes come from the same call of the model;
 * - the same text has the same token codes, for as long as the version of the space stays the same. A text without tokens has no token codes.
 */
export interface TokenEncoder {
  readonly space: TokenSpace;
  readonly calibration: TokenCalibration;
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<PassagesWithTokens>;
  embedQuery(text: string, signal?: AbortSignal): Promise<QuestionWithTokens>;
}

/**
 * Names the maker of token codes, and the version of the texts that it has read; undefined if the embedder makes none. Token codes come from the call that
 * makes the vector: they are valid for one version of both.
 */
export function tokenCodesLabel(
  { id, version, tokens }: { readonly id: string; readonly version: string; readonly tokens?: TokenEncoder },
  textsVersion: number,
): string | undefined {
  if (tokens === undefined) return undefined;
  return JSON.stringify([id, version, tokens.space.version, tokens.space.bytes, textsVersion]);
}
