import type { Clock } from "../platform/clock.ts";
import { type Lane, scheduler } from "./scheduler.ts";

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

/** The length of a time slice, in milliseconds: then others get the thread. */
const SLICE_MS = 4;
/** After this time without a slice its owner is quiet, in milliseconds. */
const QUIET_MS = 1_000;

/** Something that can be pinned. Work that changes it waits meanwhile. */
interface Pinnable {
  readonly isPinned: boolean;
  whenFree(): Promise<void>;
}

/** The options of {@link TimeSlices}: the length of a slice, whether it is shared, and the lane between two slices. */
export interface SliceOptions {
  /** Default: the background lane. */
  readonly lane?: Lane;
  /** The pin of the index that the work changes. The work waits while the index is pinned. */
  readonly pin?: Pinnable;
  /** The length of a slice, in milliseconds; default {@link SLICE_MS}. */
  readonly sliceMs?: number;
  /** See {@link TimeSlices}; default false. */
  readonly isShared?: boolean;
}

/**
 * Runs sliced work in time slices. Between two slices it waits in a lane, so that all others get the thread.
 *
 *     isShared  slices belong to                  the first slice      a slice ends
 *     false     one job                           is a single step     after 4 ms
 *     true      all works that use this object    is whole             after 4 ms, or with the round of the event loop
 *
 * So a new job, which may be one of many, begins behind the others of its lane. All searches share one slice per round: a search that arrives
 * while it lasts begins without a wait.
 */
export class TimeSlices {
  readonly #clock: Clock;
  readonly #lane: Lane;
  readonly #pin: Pinnable | undefined;
  readonly #sliceMs: number;
  readonly #isShared: boolean;
  #begunMs = Number.NEGATIVE_INFINITY;
  /** Whether the next step belongs to the slice that was begun last. */
  #isBegun: boolean;

  constructor(
    clock: Clock,
    { lane = scheduler.background, pin, sliceMs = SLICE_MS, isShared = false }: SliceOptions = {},
  ) {
    this.#clock = clock;
    this.#lane = lane;
    this.#pin = pin;
    this.#sliceMs = sliceMs;
    this.#isShared = isShared;
    this.#isBegun = !isShared;
  }

  /** The slices of all searches: they share them, in the search lane. */
  static ofSearches(clock: Clock, lane: Lane = scheduler.searches): TimeSlices {
    return new TimeSlices(clock, { lane, isShared: true });
  }

  /** Whether no slice has begun for a second. */
  get isQuiet(): boolean {
    return this.#clock.monotonicMs() - this.#begunMs >= QUIET_MS;
  }

  /** Whether the slice is over. Begins a shared one if there is none in this round. */
  get isOver(): boolean {
    if (!this.#isBegun) this.#begin();
    return this.#clock.monotonicMs() - this.#begunMs >= this.#sliceMs;
  }

  /** Yields to all others, waits until the index that the work changes is not pinned, and begins a new slice. */
  async yield(): Promise<void> {
    await this.#lane();
    if (this.#pin?.isPinned === true) await this.#pin.whenFree();
    this.#begin();
  }

  /** Yields to all others if the slice is over. */
  async yieldIfOver(): Promise<void> {
    if (this.isOver) await this.yield();
  }

  /**
   * The runner of all sliced work. Resolves with the result of the work; with undefined if it is no longer wanted. Unfinished work is closed (`return`).
   * @param isWanted called after each yield. An error that it throws ends the work, and rejects
   */
  run<Result>(work: Sliced<Result>): Promise<Result>;
  run<Result>(work: Sliced<Result>, isWanted: () => boolean): Promise<Result | undefined>;
  async run<Result>(work: Sliced<Result>, isWanted?: () => boolean): Promise<Result | undefined> {
    let isDone = false;
    try {
      for (;;) {
        if (this.#pin?.isPinned !== true) {
          const step = work.next();
          if (step.done === true) {
            isDone = true;
            return step.value;
          }
          if (!this.isOver) continue;
        }
        await this.yield();
        if (isWanted?.() === false) return undefined;
      }
    } finally {
      // Boundary: nobody reads the return value of unfinished work.
      if (!isDone) work.return(undefined as never);
    }
  }

  #begin(): void {
    const begunMs = this.#clock.monotonicMs();
    this.#begunMs = begunMs;
    this.#isBegun = true;
    if (!this.#isShared) return;
    setImmediate(() => {
      // A yield meanwhile has begun another slice.
      if (this.#begunMs === begunMs) this.#isBegun = false;
    });
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
