import { setTimeout as sleep } from "node:timers/promises";
import { LoredexError } from "@loredex/core";

/** A service that is short of memory is asked again after this long, in milliseconds. */
const PAUSE_MS = 5_000;
/** How many times: for a minute in total. */
const TRIES_MAX = 12;

/**
 * Gives a document to a bot, and again while the process of the bot is short of memory: idle bots are closed meanwhile.
 * @throws LoredexError `OUT_OF_MEMORY` where that lasts for a minute; the signal's reason as soon as it aborts
 */
export async function whileShort<Result>(
  give: () => Promise<Result>,
  signal: AbortSignal | undefined,
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<unknown> = pauseFor,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await give();
    } catch (error) {
      const isShort = error instanceof LoredexError && error.code === "OUT_OF_MEMORY";
      if (!isShort || tries >= TRIES_MAX) throw error;
    }
    await pause(PAUSE_MS, signal);
    signal?.throwIfAborted();
  }
}

/** The caller checks the signal itself. */
function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<unknown> {
  return sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
