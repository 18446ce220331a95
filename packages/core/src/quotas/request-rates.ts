import { RATE_WINDOW_MS } from "../model/limits.ts";
import type { Clock } from "../platform/clock.ts";
import { SlidingWindow } from "./window.ts";

/**
 * How many requests came with each key within the last 60 seconds. Kept in memory alone. A window has an entry for each millisecond in which a
 * request came, 60,000 at most, and one in which none came for a minute is forgotten.
 */
export class RequestRates {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #windows = new Map<string, SlidingWindow>();
  #nextLookMs = 0;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /**
   * Counts a request, if it would be one of at most `limit` (1 or more) in any 60 seconds: 0. Else it is not counted, and the answer is in how many
   * milliseconds the next one can be.
   */
  admit(key: string, limit: number): number {
    const nowMs = Math.floor(this.#clock.monotonicMs());
    this.#forgetIdle(nowMs);
    const window = this.#windows.get(key) ?? new SlidingWindow();
    const waitMs = window.waitMs(1, limit, nowMs) ?? RATE_WINDOW_MS;
    if (waitMs > 0) return waitMs;
    window.add(1, nowMs);
    this.#windows.set(key, window);
    return 0;
  }

  /** Windows that are kept just now. */
  get size(): number {
    return this.#windows.size;
  }

  #forgetIdle(nowMs: number): void {
    if (nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + RATE_WINDOW_MS;
    for (const [key, window] of this.#windows) if (window.used(nowMs) === 0) this.#windows.delete(key);
  }
}
