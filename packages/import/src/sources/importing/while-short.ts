import { setTimeout as sleep } from "node:timers/promises";
import { isShortOfMemory } from "@loredex/core";
import type { ImportTarget } from "./import-target.ts";

/** Milliseconds until a service that is short of memory is asked again. */
const PAUSE_MS = 5_000;
/** Maximum pauses: a minute in total. */
const TRIES_MAX = 12;

export interface PatienceOptions {
  /** Aborts the waiting with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the waiting begins, with the service's message. */
  readonly onWait?: ((reason: string) => void) | undefined;
  readonly pause?: (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** Wraps a bot: its calls wait while its process is short of memory, see {@link Patience}. */
export function patientTarget(bot: ImportTarget, options: PatienceOptions): ImportTarget {
  const patience = new Patience(options);
  return {
    listSources: () => patience.ask(() => bot.listSources()),
    ownedDocuments: (...given) => patience.ask(() => bot.ownedDocuments(...given)),
    putSourceArgument: (...given) => patience.ask(() => bot.putSourceArgument(...given)),
    importDocument: (...given) => patience.ask(() => bot.importDocument(...given)),
    removeDocument: (...given) => patience.ask(() => bot.removeDocument(...given)),
  };
}

/** Repeats one call in this way. */
export function whileShort<Result>(call: () => Promise<Result>, options: PatienceOptions): Promise<Result> {
  return new Patience(options).ask(call);
}

/** Repeats calls while a process is short of memory, up to a minute after the last success. All calls wait together. */
export class Patience {
  readonly #options: PatienceOptions;
  /** Pauses since the last success. */
  #pauses = 0;
  #pausing: Promise<unknown> | undefined;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** @throws LoredexError `OUT_OF_MEMORY` if the shortage lasts for a minute; the signal's reason as soon as it aborts; any other error at once */
  async ask<Result>(call: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        const result = await call();
        this.#pauses = 0;
        return result;
      } catch (error) {
        if (!isShortOfMemory(error) || (this.#pausing === undefined && this.#pauses >= TRIES_MAX)) throw error;
        this.#pausing ??= this.#pause(error.message);
        await this.#pausing;
      }
    }
  }

  async #pause(reason: string): Promise<void> {
    const { signal, onWait, pause = pauseFor } = this.#options;
    if (this.#pauses === 0) onWait?.(reason);
    this.#pauses += 1;
    try {
      await pause(PAUSE_MS, signal);
      signal?.throwIfAborted();
    } finally {
      this.#pausing = undefined;
    }
  }
}

async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
