import type { Rounds } from "./rounds.ts";

/** Each takes a fraction of a millisecond to answer. Who has come in one burst is refused in one, and others are heard in between. */
export const REFUSALS_IN_ROUND_MAX = 16;

/**
 * The turns of strangers: whoever has no key takes no place of a bot's, and is refused at once. However many come together, a round of the event loop
 * refuses no more than so many, in the order in which they came: others are heard in between.
 */
export class RefusalTurns {
  readonly #rounds: Rounds;
  #waiting: (() => void)[] = [];
  #inRound = 0;

  constructor(rounds: Rounds) {
    this.#rounds = rounds;
  }

  /** Resolves when it is this one's turn to be refused. */
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
