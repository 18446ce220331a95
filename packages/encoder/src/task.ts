/** Questions go before passages: someone waits for them. */
export type TaskKind = "question" | "passage";

/** One text on its way to its vector. Whoever made it may reject it at any time, wherever it is by then. */
export class Task {
  readonly vector: Promise<Float32Array>;
  /** Workers that crashed on it. */
  crashes = 0;
  #settled = false;
  #resolve: (vector: Float32Array) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(
    readonly text: string,
    readonly kind: TaskKind,
  ) {
    this.vector = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Whether its promise is settled: then there is nothing left to do for it. */
  get settled(): boolean {
    return this.#settled;
  }

  resolve(vector: Float32Array): void {
    this.#settled = true;
    this.#resolve(vector);
  }

  reject(error: Error): void {
    this.#settled = true;
    this.#reject(error);
  }
}
