import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Clock, Random } from "./clock.ts";

/** The real clock and randomness. Only `engine.ts` passes them on; keys of hash tables, on which no answer depends, are taken by `word-table.ts`. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
};

/** Resolves after that many milliseconds, or at once when the signal is aborted. */
export async function systemSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}

/** The same for what nobody waits for: it keeps no process alive. */
export async function idleSleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => undefined);
}
