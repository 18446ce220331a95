import { RATE_WINDOW_MS } from "../model/limits.ts";
import { must } from "../model/must.ts";
import type { Clock } from "../platform/clock.ts";
import { SlidingWindow } from "./window.ts";

/**
 * Counts the requests of each key in the last 60 seconds, in memory only.
 * A window has an entry per millisecond in which a request came, at most 60,000. A window without a request for a minute is dropped.
 */
export class RequestRates {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #windows = new Map<string, SlidingWindow>();
  #nextSweepMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /**
   * Admits a request if at most `limit` (1 or more) come in any 60 seconds. An admitted request is counted.
   * @returns 0 if admitted; else the milliseconds until the next request can be
   */
  admit(key: string, limit: number): number {
    const nowMs = Math.floor(this.#clock.monotonicMs());
    this.#forgetIdle(nowMs);
    const window = this.#windows.get(key) ?? new SlidingWindow();
    const waitMs = must(window.waitMs(1, limit, nowMs), "the wait of one request below its limit");
    if (waitMs > 0) return waitMs;
    window.add(1, nowMs);
    this.#windows.set(key, window);
    return 0;
  }

  /** Number of windows that are held now. */
  get size(): number {
    return this.#windows.size;
  }

  #forgetIdle(nowMs: number): void {
    if (nowMs < this.#nextSweepMs) return;
    this.#nextSweepMs = nowMs + RATE_WINDOW_MS;
    for (const [key, window] of this.#windows) if (window.used(nowMs) === 0) this.#windows.delete(key);
  }
}
