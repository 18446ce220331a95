import type { Clock } from "../platform/clock.ts";

/**
 * The time of the rate window, in whole milliseconds: wall time when the bot was opened, or the last admission on
 * record if that is later, and from there on the steady clock. So it never runs backwards and never stands still, whatever
 * is done to the wall clock.
 */
export class WindowClock {
  readonly #clock: Clock;
  readonly #anchorMs: number;
  readonly #startMs: number;

  constructor(clock: Clock, lastAdmissionMs: number) {
    this.#clock = clock;
    this.#anchorMs = Math.max(clock.wallMs(), lastAdmissionMs);
    this.#startMs = clock.monotonicMs();
  }

  nowMs(): number {
    return Math.floor(this.#anchorMs + Math.max(0, this.#clock.monotonicMs() - this.#startMs));
  }
}
