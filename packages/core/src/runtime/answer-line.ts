import type { SharedTurns } from "./shared-turns.ts";
import { finished, type Steps } from "./steps.ts";

/** Work that is read from something that may change between two of its turns. */
export interface Answering<Result> {
  /** Begins it, also anew. */
  readonly begin: () => Steps<Result>;
  /** Asked at each beginning; tells later whether all that the work reads is still the same. Without it nothing is begun anew. */
  readonly watch?: () => () => boolean;
  /** Called before the work and after every rest: what it throws ends the work. */
  readonly check?: () => void;
  /** Aborted, it ends the work at its next rest, and the waiting for it at once, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Work whose ground changed so often between its turns is then done at once. */
const BEGINNINGS_MAX = 3;

/**
 * One bot's answers, one after the other in the order in which they were asked for: they share memory, and a bot that is asked a lot takes one
 * place among all bots. Each is worked out in turns, and read from one state of what it reads: where that has changed meanwhile it is begun anew.
 */
export class AnswerLine {
  readonly #turns: SharedTurns;
  readonly #waiting = new Set<() => void>();
  #isTaken = false;

  constructor(turns: SharedTurns) {
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
    for (let beginnings = 1; beginnings < BEGINNINGS_MAX; beginnings++) {
      const isSame = work.watch?.();
      const steps = work.begin();
      let isDone = false;
      try {
        for (;;) {
          const step = steps.next();
          if (step.done === true) {
            isDone = true;
            return step.value;
          }
          if (!this.#turns.isOver) continue;
          await this.#rest(work);
          if (isSame?.() === false) break;
        }
      } finally {
        // Boundary: what is given back for work that is not done is nobody's result.
        if (!isDone) steps.return(undefined as never);
      }
    }
    return finished(work.begin());
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
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(take);
        reject(signal?.reason);
      };
      this.#waiting.add(take);
      signal?.addEventListener("abort", leave, { once: true });
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
