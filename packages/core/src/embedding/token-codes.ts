/** The token codes of a text's token vectors, less a constant mean. 1 − 2 · (bits that differ) / bits tells how close two tokens are. */
export interface TokenCodes {
  /**
   * Tokens one after the other, `TokenSpace.bytes` each; bit i of byte b is dimension 8b + i, and 1 where that is not below the mean. The marks of the
   * ends and of the kind of text are not among them.
   */
  readonly tokenCodes: Uint8Array;
}

/** Those of a question, and what each of its pieces weighs. */
export interface QuestionTokens extends TokenCodes {
  /** One a token, 0 to 1: how rare its piece is in the language, by a table of the model's. 0 for a piece that stands for what the vocabulary lacks. */
  readonly weights: Float32Array;
  /** One a token: its piece as the model spells it, without what marks the beginning or the midst of a word. */
  readonly wordPieces: readonly string[];
}

/** Where token codes can be compared. Another mean makes other token codes of the same vectors, so it has a version of its own. */
export interface TokenSpace {
  /** Changes whenever token codes would. */
  readonly version: string;
  /** Of the token codes of one token: 48 for 384 dimensions. From 1. */
  readonly bytes: number;
}

/** The tokens of a question that was asked, and what comparing them is worth. */
export interface AskedTokens {
  readonly space: TokenSpace;
  readonly calibration: TokenCalibration;
  readonly of: QuestionTokens;
}

/** The vectors of some passages and the token codes, one a text, in order. */
export interface PassagesWithTokens {
  readonly vectors: Float32Array[];
  readonly tokens: TokenCodes[];
}

/** The vector of a question and the token codes. */
export interface QuestionWithTokens {
  readonly vector: Float32Array;
  readonly tokens: QuestionTokens;
  /** Whether the encoder's vocabulary has no piece of the question: its vector says nothing, and the question is answered by its words. Default false. */
  readonly isUnknown?: boolean;
}

/** What it is worth how well a text holds the tokens of a question (`maxSim`). */
export interface TokenCalibration {
  /** Texts that have nothing to do with the question reach this; at least 0. */
  readonly low: number;
  /** Passages that answer it reach this; above `low`, at most 1. */
  readonly high: number;
  /** What reranking weighs beside the two before it, which weigh 1; at least 0. */
  readonly weight: number;
}

/**
 * What an embedder has that computes a vector for every token. The obligations are those of an `Embedder`, and:
 * - the vectors are those that its own methods give, to the last bit, and come from the same call of the model as the token codes;
 * - the same text has the same token codes, for as long as the space's version stays the same; a text of no tokens has none.
 */
export interface TokenEncoder {
  readonly space: TokenSpace;
  readonly calibration: TokenCalibration;
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<PassagesWithTokens>;
  embedQuery(text: string, signal?: AbortSignal): Promise<QuestionWithTokens>;
}
