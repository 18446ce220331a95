import { unlessStopped } from "../stopping.ts";
import type { Time } from "./time.ts";

/** Paces requests: one at a time to a host, with a pause between the starts of two. */
export class Pace {
  readonly #time: Time;
  readonly #next = new Map<string, number>();

  constructor(time: Time) {
    this.#time = time;
  }

  /**
   * Waits until the host may be asked again. `pauseMs` is the time from this start to the next one.
   * @throws the reason of the signal
   */
  async turn(host: string, pauseMs: number, signal?: AbortSignal): Promise<void> {
    const now = this.#time.nowMs();
    const due = this.#next.get(host) ?? now;
    // A clock that was set back must not stop everything.
    const waitMs = Math.min(Math.max(0, due - now), pauseMs);
    this.#next.set(host, now + waitMs + pauseMs);
    if (waitMs > 0) await unlessStopped(this.#time.wait(waitMs, signal), signal);
  }
}
