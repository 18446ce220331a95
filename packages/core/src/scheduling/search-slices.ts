import type { Clock } from "../platform/clock.ts";
import { afterThisRound, searchLane } from "./lanes.ts";
import { SLICE_MS } from "./time-slices.ts";

/** After this time without a search the engine is quiet, in milliseconds. */
const QUIET_MS = 1_000;

/**
 * The time slices of all searches: together they work for one slice of {@link SLICE_MS} per round of the event loop, however many they are.
 * A search that arrives while the slice lasts begins at once.
 */
export class SearchSlices {
  readonly #clock: Clock;
  readonly #rest: () => Promise<unknown>;
  /** The current slice; undefined until a search works in this round. */
  #turn: { readonly end: number } | undefined;
  #lastBegunMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, rest: () => Promise<unknown> = searchLane) {
    this.#clock = clock;
    this.#rest = rest;
  }

  /** Whether no search has worked for a second. */
  get isQuiet(): boolean {
    return this.#clock.monotonicMs() - this.#lastBegunMs >= QUIET_MS;
  }

  /** Whether the slice is over. Begins one if there is none. */
  get isOver(): boolean {
    const { end } = this.#turn ?? this.#begin();
    return this.#clock.monotonicMs() >= end;
  }

  /** Yields to all others; then a new slice begins. */
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
