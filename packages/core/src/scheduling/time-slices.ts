import type { Clock } from "../platform/clock.ts";
import { backgroundLane } from "./lanes.ts";

/** Sliced work: a generator whose steps take well below a millisecond each. Wherever it yields, others may use the thread. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Counts the operations of a computation, and tells when it should yield. */
export interface OperationMeter {
  /** Counts operations. Returns true if the work should yield now. */
  shouldYield(operations: number): boolean;
}

/** A meter that counts nothing: all of the work is one step. */
export const UNCOUNTED: OperationMeter = { shouldYield: () => false };

/** Runs all of the work at once, without yielding. */
export function finished<Result>(steps: Sliced<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs the work for about `ms` milliseconds. Returns whether all of it is done. */
export function isDoneWithin(ms: number, steps: Sliced<unknown>, clock: Clock): boolean {
  const end = clock.monotonicMs() + ms;
  while (steps.next().done !== true) if (clock.monotonicMs() >= end) return false;
  return true;
}

/** The length of a time slice: then others get the thread. */
export const SLICE_MS = 4;

/** Something that can be pinned. Work that changes it rests meanwhile. */
export interface Keepable {
  readonly isKept: boolean;
  whenFree(): Promise<void>;
}

/** Runs sliced work in slices of {@link SLICE_MS}. Between two slices, a round of the event loop lets all others run. */
export class TimeSlices {
  readonly #clock: Clock;
  readonly #rest: () => Promise<unknown>;
  readonly #ground: Keepable | undefined;
  #end = 0;

  /** @param ground what the work changes: the work rests while it is pinned */
  constructor(clock: Clock, rest: () => Promise<unknown> = backgroundLane, ground?: Keepable) {
    this.#clock = clock;
    this.#rest = rest;
    this.#ground = ground;
  }

  /** Runs the work and returns its result; undefined if after a rest it was no longer wanted. Then the generator is closed (`return`). */
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
      // Boundary: nobody reads the return value of unfinished work.
      steps.return(undefined as never);
      return undefined;
    }
  }

  /** Yields to all others if the slice is over. */
  async restIfOver(): Promise<void> {
    if (this.isOver) await this.rest();
  }

  /** Yields to all others, waits until what the work changes is not pinned, and begins a new slice. */
  async rest(): Promise<void> {
    await this.#rest();
    if (this.#ground?.isKept === true) await this.#ground.whenFree();
    this.#end = this.#clock.monotonicMs() + SLICE_MS;
  }

  /** Whether the slice is over. */
  get isOver(): boolean {
    return this.#clock.monotonicMs() >= this.#end;
  }
}

/** Calls `work(from, to)` for successive ranges of the numbers below `count`, `portion` numbers per step. */
export function* inPortions(count: number, portion: number, work: (from: number, to: number) => void): Sliced<void> {
  for (let from = 0; from < count; from += portion) {
    if (from > 0) yield;
    work(from, Math.min(count, from + portion));
  }
}

/** The same, and counts `each` operations for each number: it yields when the meter says so. */
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

/** The size and cost of the ranges of {@link inCountedPortions}. */
export interface CountedPortions {
  /** Numbers per range. */
  readonly portion: number;
  /** Operations per number. */
  readonly each: number;
  readonly meter: OperationMeter;
}
