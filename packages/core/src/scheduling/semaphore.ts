import { onAbort } from "../platform/abort.ts";

/** A counting semaphore: a number of permits. A caller that finds none free waits for one, in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param permits 1 or more */
  constructor(permits: number) {
    this.#free = permits;
  }

  /**
   * Takes a permit. Its holder must give it back with {@link release}.
   * @param signal ends a wait, with its reason
   * @returns undefined if a permit was free; else a promise that resolves when the caller has its permit
   */
  acquire(signal?: AbortSignal): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const take = (): void => {
        forget();
        resolve();
      };
      this.#waiting.add(take);
      const forget = onAbort(signal, () => {
        this.#waiting.delete(take);
        reject(signal?.reason);
      });
    });
  }

  /** Gives a permit back: to the caller that has waited longest, if any does. */
  release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }

  /** Runs work that holds a permit. @throws the error of the work */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const wait = this.acquire();
    if (wait !== undefined) await wait;
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
