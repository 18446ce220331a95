import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Clock, Random } from "./clock.ts";

/**
 * The real clock. Only `engine.ts` passes it and {@link systemRandom} on. The exception is `word-table.ts`: it makes hash keys, on which no answer
 * depends.
 */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** The system's cryptographic randomness. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
};

/** Resolves after `ms` milliseconds, or at once when the signal is aborted. */
export async function systemSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

/** The same, but the timer keeps no process alive. */
export async function idleSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
}
