import type { Clock } from "../platform/clock.ts";
import type { SharedStorage } from "../storage/store.ts";

/**
 * The clock of the rate windows, in whole milliseconds. It starts at the wall time of the bot's opening, or at the last recorded admission if that is later.
 * From there it follows the monotonic clock. So it never runs backwards and never stands still, whatever is done to the wall clock.
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

/** The clocks of all bots. A clock continues while its bot is closed. */
export class WindowClocks {
  readonly #clock: Clock;
  readonly #byBot = new Map<string, WindowClock>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The clock of a bot, which is made with the first opening. */
  of(id: string, lastAdmissionMs: number): WindowClock {
    const known = this.#byBot.get(id) ?? new WindowClock(this.#clock, lastAdmissionMs);
    this.#byBot.set(id, known);
    return known;
  }

  /** Forgets a bot that was removed. */
  forget(id: string): void {
    this.#byBot.delete(id);
  }
}

export interface SharedWindowClockDeps {
  readonly storage: { readonly shared?: Pick<SharedStorage, "nowMs"> | undefined };
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * The clock of the rate windows on a shared storage: the storage's, so that all nodes count the same 60 seconds. Undefined for any other storage. If that
 * clock was set back behind the last charge, as a fail-over may do, the clock continues from that charge by this machine's monotonic clock, until the
 * storage's has caught up. It lags then behind the time of the node that charged, so that no node admits too much.
 */
export function sharedWindowClock(
  { storage, clock }: SharedWindowClockDeps,
  last: { readonly lastChargeMs: number },
): Pick<WindowClock, "nowMs"> | undefined {
  const { shared } = storage;
  if (shared === undefined) return undefined;
  /** The last charge, and when it was seen first. */
  let seen = { chargeMs: 0, atMs: 0 };
  const nowMs = (): number => {
    const storedMs = Math.floor(shared.nowMs());
    const { lastChargeMs } = last;
    const isSeen = seen.chargeMs === lastChargeMs;
    if (storedMs >= lastChargeMs && !isSeen) return storedMs;
    if (!isSeen) seen = { chargeMs: lastChargeMs, atMs: clock.monotonicMs() };
    // Also when the storage's clock has passed the charge: this one must not go back to it.
    return Math.max(storedMs, Math.floor(lastChargeMs + clock.monotonicMs() - seen.atMs));
  };
  return { nowMs };
}
