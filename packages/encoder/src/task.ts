/** Questions precede passages: a person waits for them. */
export type TaskKind = "question" | "passage";

/** The result of encoding a text. */
export interface EncodedText {
  readonly vector: Float32Array;
  /** Codes of its tokens, if requested. */
  readonly tokenCodes?: Uint8Array;
  /** One for each token of a question, as `QuestionTokens.weights`. */
  readonly weights?: Float32Array;
  /** One for each token of a question, as `QuestionTokens.pieces`. */
  readonly pieces?: readonly string[];
  /** As `QuestionWithTokens.isUnknown`. */
  readonly isUnknown?: boolean;
}

/** One text to encode to a vector, and to token codes on request. Its creator may reject it at any time. */
export class Task {
  readonly encoded: Promise<EncodedText>;
  /** Number of workers that crashed on it. */
  crashes = 0;
  #settled = false;
  #resolve: (encoded: EncodedText) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(
    readonly text: string,
    readonly kind: TaskKind,
    readonly withTokens = false,
  ) {
    this.encoded = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True if its promise is settled: then no work is left. */
  get settled(): boolean {
    return this.#settled;
  }

  resolve(encoded: EncodedText): void {
    this.#settled = true;
    this.#resolve(encoded);
  }

  reject(error: Error): void {
    this.#settled = true;
    this.#reject(error);
  }
}
