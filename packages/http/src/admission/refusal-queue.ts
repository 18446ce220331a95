import type { Rounds } from "./rounds.ts";

/** Refusals per round of the event loop. Each takes a fraction of a millisecond. */
export const REFUSALS_IN_ROUND_MAX = 16;

/**
 * The queue of requests without a key. They take no place of a bot, and are refused without waiting for one.
 * A round of the event loop refuses at most {@link REFUSALS_IN_ROUND_MAX}, in order of arrival. So other requests are served in between.
 */
export class RefusalQueue {
  readonly #rounds: Rounds;
  #waiting: (() => void)[] = [];
  #inRound = 0;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  /** Resolves when the caller may refuse its request. */
  next(): Promise<void> {
    if (this.#inRound < REFUSALS_IN_ROUND_MAX) {
      this.#take(1);
      return Promise.resolve();
    }
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #take(count: number): void {
    if (this.#inRound === 0) this.#rounds.next(() => this.#round());
    this.#inRound += count;
  }

  #round(): void {
    this.#inRound = 0;
    const due = this.#waiting.splice(0, REFUSALS_IN_ROUND_MAX);
    if (due.length === 0) return;
    this.#take(due.length);
    for (const go of due) go();
  }
}
