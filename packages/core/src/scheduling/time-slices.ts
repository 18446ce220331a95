import type { Clock } from "../platform/clock.ts";
import { backgroundLane } from "./lanes.ts";

/** Work in steps of well below a millisecond each: wherever it yields, others may get their turn. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Counts what work takes, and tells when it is enough for a step. */
export interface OperationMeter {
  /** Counts operations. True if others may have their turn now: then the work yields. */
  shouldYield(operations: number): boolean;
}

/** For work that nobody counts: all of it is one step. */
export const UNCOUNTED: OperationMeter = { shouldYield: () => false };

/** All of it at once, for whoever has nobody to let pass. */
export function finished<Result>(steps: Sliced<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As much of the work as is done in so many milliseconds; whether that is all of it. */
export function isDoneWithin(ms: number, steps: Sliced<unknown>, clock: Clock): boolean {
  const end = clock.monotonicMs() + ms;
  while (steps.next().done !== true) if (clock.monotonicMs() >= end) return false;
  return true;
}

/** Work goes on for this long before others get their turn. */
export const SLICE_MS = 4;

/** What somebody may keep as it is, so that whoever works on it has to rest. */
export interface Keepable {
  readonly isKept: boolean;
  whenFree(): Promise<void>;
}

/** Does work in turns of {@link SLICE_MS}, with a round of the event loop between them in which all others get theirs. */
export class TimeSlices {
  readonly #clock: Clock;
  readonly #rest: () => Promise<unknown>;
  readonly #ground: Keepable | undefined;
  #end = 0;

  /** @param ground what the work changes: it rests while that is kept as it is */
  constructor(clock: Clock, rest: () => Promise<unknown> = backgroundLane, ground?: Keepable) {
    this.#clock = clock;
    this.#rest = rest;
    this.#ground = ground;
  }

  /** All of the work; undefined if after a rest it was no longer wanted: then it is given back (`return`). */
  take<Result>(steps: Sliced<Result>): Promise<Result>;
  take<Result>(steps: Sliced<Result>, isWanted: () => boolean): Promise<Result | undefined>;
  async take<Result>(steps: Sliced<Result>, isWanted: () => boolean = () => true): Promise<Result | undefined> {
    for (;;) {
      if (this.#ground?.isKept !== true) {
        const step = steps.next();
        if (step.done === true) return step.value;
        if (!this.isOver) continue;
      }
      await this.rest();
      if (isWanted()) continue;
      // Boundary: what is given back for work that is not done is nobody's result.
      steps.return(undefined as never);
      return undefined;
    }
  }

  /** Lets all others pass if the turn is over. */
  async restIfOver(): Promise<void> {
    if (this.isOver) await this.rest();
  }

  async rest(): Promise<void> {
    await this.#rest();
    if (this.#ground?.isKept === true) await this.#ground.whenFree();
    this.#end = this.#clock.monotonicMs() + SLICE_MS;
  }

  /** Whether others are to get their turn. */
  get isOver(): boolean {
    return this.#clock.monotonicMs() >= this.#end;
  }
}

/** Does `work` on the numbers below `count`, so many in a step: each time on those from `from` on, below `to`. */
export function* inPortions(count: number, portion: number, work: (from: number, to: number) => void): Sliced<void> {
  for (let from = 0; from < count; from += portion) {
    if (from > 0) yield;
    work(from, Math.min(count, from + portion));
  }
}

/** The same, and counts its operations: `each` for each number. */
export function* inCountedPortions(
  count: number,
  { portion, each, meter }: CountedPortions,
  work: (from: number, to: number) => void,
): Sliced<void> {
  for (let from = 0; from < count; from += portion) {
    const to = Math.min(count, from + portion);
    work(from, to);
    if (meter.shouldYield((to - from) * each)) yield;
  }
}

export interface CountedPortions {
  /** Numbers that are worked on at a time. */
  readonly portion: number;
  /** Operations for each of them. */
  readonly each: number;
  readonly meter: OperationMeter;
}
