import type { Clock } from "../platform/clock.ts";
import type { SharedStorage } from "../storage/store.ts";

/**
 * The clock of what is written. On a storage that nodes share, its wall time is the storage's: nodes whose own clocks differ agree on when an article was
 * made, and on how old an idempotency key is.
 */
export function clockOfNodes(shared: Pick<SharedStorage, "nowMs"> | undefined, clock: Clock): Clock {
  if (shared === undefined) return clock;
  return { wallMs: () => shared.nowMs(), monotonicMs: () => clock.monotonicMs() };
}
