import { onAbort } from "../platform/abort.ts";
import type { IndexPin } from "./index-pin.ts";
import type { SearchSlices } from "./search-slices.ts";
import type { Sliced } from "./time-slices.ts";

/** What answers are read from, and what may change between two of their turns. */
export interface Ground {
  /** Tells later whether all that is read of it is still the same. */
  watch(): () => boolean;
  readonly still: IndexPin;
}

export interface Answering<Result> {
  /** Begins the work, also anew. */
  readonly begin: () => Sliced<Result>;
  /** What the work is read from: where that has changed it is begun anew. */
  readonly ground?: Ground;
  /** Called before the work and after every rest: what it throws ends the work. */
  readonly check?: () => void;
  /** Aborted, it ends the work at its next rest, and the waiting for it at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Work that was begun anew so often keeps its ground as it is from then on. */
const BEGUN_ANEW_MAX = 2;

/**
 * One bot's answers, one after the other in the order in which they were asked for: they share memory, and a bot that is asked a lot takes one
 * place among all bots. Each is worked out in turns, and read from one state of what it reads: where that has changed meanwhile it is begun anew, and where
 * it changes all the time it is kept still until the work is done.
 */
export class SearchQueue {
  readonly #turns: SearchSlices;
  readonly #waiting = new Set<() => void>();
  #isTaken = false;

  constructor(turns: SearchSlices) {
    this.#turns = turns;
  }

  /** @throws whatever the work throws, or its signal's reason */
  async answer<Result>(work: Answering<Result>): Promise<Result> {
    work.signal?.throwIfAborted();
    if (this.#isTaken) await this.#place(work.signal);
    else this.#isTaken = true;
    try {
      work.check?.();
      if (this.#turns.isOver) await this.#rest(work);
      return await this.#inTurns(work);
    } finally {
      this.#handOver();
    }
  }

  async #inTurns<Result>(work: Answering<Result>): Promise<Result> {
    let evict: (() => Sliced<void>) | undefined;
    try {
      for (let begunAnew = 0; ; begunAnew++) {
        if (begunAnew === BEGUN_ANEW_MAX) evict = work.ground?.still.keep();
        const answered = await this.#begun(work);
        if (answered !== undefined) return answered.result;
      }
    } finally {
      // Whoever asks next sees what was put off for this one.
      if (evict !== undefined) await this.#madeUpFor(evict());
    }
  }

  /** Undefined if what it read has changed. */
  async #begun<Result>(work: Answering<Result>): Promise<{ readonly result: Result } | undefined> {
    const isSame = work.ground?.watch();
    const steps = work.begin();
    let isDone = false;
    try {
      for (;;) {
        const step = steps.next();
        if (step.done === true) {
          isDone = true;
          return { result: step.value };
        }
        if (!this.#turns.isOver) continue;
        await this.#rest(work);
        if (isSame?.() === false) return undefined;
      }
    } finally {
      // Boundary: what is given back for work that is not done is nobody's result.
      if (!isDone) steps.return(undefined as never);
    }
  }

  async #madeUpFor(steps: Sliced<void>): Promise<void> {
    while (steps.next().done !== true) if (this.#turns.isOver) await this.#turns.rest();
  }

  async #rest({ signal, check }: Answering<unknown>): Promise<void> {
    await this.#turns.rest();
    signal?.throwIfAborted();
    check?.();
  }

  /** Resolves when all who came before are done; the place is this one's then. */
  #place(signal: AbortSignal | undefined): Promise<void> {
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

  #handOver(): void {
    const [next] = this.#waiting;
    this.#isTaken = next !== undefined;
    if (next === undefined) return;
    this.#waiting.delete(next);
    next();
  }
}
