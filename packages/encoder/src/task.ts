/** Questions go before passages: someone waits for them. */
export type TaskKind = "question" | "passage";

/** What a process makes of a text. */
export interface EncodedText {
  readonly vector: Float32Array;
  /** Those of its tokens, where they were asked for. */
  readonly tokenCodes?: Uint8Array;
  /** One a token of a question, as `QuestionTokens.weights`. */
  readonly weights?: Float32Array;
  /** One a token of a question, as `QuestionTokens.pieces`. */
  readonly pieces?: readonly string[];
  /** As `QuestionWithTokens.isUnknown`. */
  readonly isUnknown?: boolean;
}

/** One text on its way to its vector, and to the token codes where they are wanted. Its maker may reject it at any time. */
export class Task {
  readonly encoded: Promise<EncodedText>;
  /** Workers that crashed on it. */
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

  /** Whether its promise is settled: then there is nothing left to do for it. */
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
