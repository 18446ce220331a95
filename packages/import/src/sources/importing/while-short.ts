import { setTimeout as sleep } from "node:timers/promises";
import { LoredexError } from "@loredex/core";
import type { ImportTarget } from "./import-target.ts";

/** A service that is short of memory is asked again after this long, in milliseconds. */
const PAUSE_MS = 5_000;
/** How many times: for a minute in total. */
const TRIES_MAX = 12;

type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** The same bot, which is asked again while its process is short of memory: see {@link whileShort}. */
export function patientTarget(
  bot: ImportTarget,
  signal: AbortSignal | undefined,
  pause: Pause = pauseFor,
): ImportTarget {
  const patiently = <Result>(ask: () => Promise<Result>) => whileShort(ask, signal, pause);
  return {
    listSources: () => patiently(() => bot.listSources()),
    ownedDocuments: (...given) => patiently(() => bot.ownedDocuments(...given)),
    putSourceArgument: (...given) => patiently(() => bot.putSourceArgument(...given)),
    importDocument: (...given) => patiently(() => bot.importDocument(...given)),
    removeDocument: (...given) => patiently(() => bot.removeDocument(...given)),
  };
}

/**
 * Asks a bot for something, and again while the process of the bot is short of memory: idle bots are closed meanwhile.
 * @throws LoredexError `OUT_OF_MEMORY` where that lasts for a minute; the signal's reason as soon as it aborts
 */
export async function whileShort<Result>(
  ask: () => Promise<Result>,
  signal: AbortSignal | undefined,
  pause: Pause = pauseFor,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
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
