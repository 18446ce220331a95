import { onAbort } from "../platform/abort.ts";
import type { IndexPin } from "./index-pin.ts";
import type { SearchSlices } from "./search-slices.ts";
import type { Sliced } from "./time-slices.ts";

/** The index as searches see it: it may change between two of their time slices. */
export interface Ground {
  /** Returns a function that tells later whether the index is still unchanged. */
  watch(): () => boolean;
  readonly pin: IndexPin;
}

/** One search of a queue. */
export interface Answering<Result> {
  /** Begins the work; called again for a restart. */
  readonly begin: () => Sliced<Result>;
  /** What the work reads. If it changed between two slices, the work restarts. */
  readonly ground?: Ground;
  /** Called before the work and after every rest; an error that it throws ends the work. */
  readonly check?: () => void;
  /** Ends the work at its next rest, and the wait for it at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** After this number of restarts the work pins the index. */
const BEGUN_ANEW_MAX = 2;

/**
 * The search queue of one bot: answers one question at a time, in order of arrival. Its searches share memory, and a busy bot takes one place among
 * all bots.
 * A search runs in time slices on one version of the index. It restarts if the version changed between slices; after two restarts it pins the
 * version.
 */
export class SearchQueue {
  readonly #turns: SearchSlices;
  readonly #waiting = new Set<() => void>();
  #isTaken = false;

  constructor(turns: SearchSlices) {
    this.#turns = turns;
  }

  /** Answers one question. @throws the error of the work, or its signal's reason */
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
        if (begunAnew === BEGUN_ANEW_MAX) evict = work.ground?.pin.keep();
        const answered = await this.#begun(work);
        if (answered !== undefined) return answered.result;
      }
    } finally {
      // The next search sees the changes that were deferred for this one.
      if (evict !== undefined) await this.#madeUpFor(evict());
    }
  }

  /** Runs the work once; undefined if the index has changed meanwhile. */
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
      // Boundary: nobody reads the return value of unfinished work.
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

  /** Resolves when all earlier questions are answered; the place is this caller's then. */
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
