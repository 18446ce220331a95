import type { Clock } from "../platform/clock.ts";
import { afterThisRound, searchLane } from "./lanes.ts";
import { SLICE_MS } from "./time-slices.ts";

/** Nobody asks anything where nobody has for so long. */
const QUIET_MS = 1_000;

/**
 * The turns of all who answer questions: together they work for one turn in a round of the event loop, however many they are. Who comes
 * while there is time left in it begins at once.
 */
export class SearchSlices {
  readonly #clock: Clock;
  readonly #rest: () => Promise<unknown>;
  /** Undefined until somebody works in this round. */
  #turn: { readonly end: number } | undefined;
  #lastBegunMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, rest: () => Promise<unknown> = searchLane) {
    this.#clock = clock;
    this.#rest = rest;
  }

  /** Whether nobody has asked anything for a while. */
  get isQuiet(): boolean {
    return this.#clock.monotonicMs() - this.#lastBegunMs >= QUIET_MS;
  }

  /** Whether others are to get their turn. */
  get isOver(): boolean {
    const { end } = this.#turn ?? this.#begin();
    return this.#clock.monotonicMs() >= end;
  }

  /** All others get theirs; then a turn begins. */
  async rest(): Promise<void> {
    await this.#rest();
    this.#begin();
  }

  #begin(): { readonly end: number } {
    this.#lastBegunMs = this.#clock.monotonicMs();
    const turn = { end: this.#lastBegunMs + SLICE_MS };
    this.#turn = turn;
    afterThisRound(() => {
      if (this.#turn === turn) this.#turn = undefined;
    });
    return turn;
  }
}
