import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import type { Bot } from "@loredex/core";

const MEGABYTE = 1_000_000;
const SEARCH_EVERY_MS = 25;

/** For what comes over the API. */
const API_BAR_MS = 20;
const IMPORT_BAR_MS = 100;
const IMPORTS = ["import", "removal"];

export interface TurnRow {
  readonly what: string;
  readonly megabytes: number;
  readonly "longest ms": number;
  /** No turn may take longer. */
  readonly "bar ms": number;
  readonly "p99 ms": number;
  readonly "slowest search ms": number;
  readonly "all s": number;
}

/** How long anything stands still while work goes on, and how long a bot that is searched meanwhile waits at most. */
export async function measuredTurn(
  what: string,
  bytes: number,
  bot: Bot | undefined,
  work: () => Promise<unknown>,
): Promise<TurnRow> {
  globalThis.gc?.();
  await setTimeout(50);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  let slowest = 0;
  let isOver = false;
  const searching = (async () => {
    while (!isOver && bot !== undefined) {
      const start = performance.now();
      await bot.search("harbour bater limon");
      slowest = Math.max(slowest, performance.now() - start);
      await setTimeout(SEARCH_EVERY_MS);
    }
  })();
  delays.enable();
  // Nothing is recorded before its first tick: the first turn of the work would not count.
  await setTimeout(20);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1_000;
  // What is left to be done behind it belongs to it.
  await setTimeout(50);
  delays.disable();
  isOver = true;
  await searching;
  return {
    what,
    megabytes: bytes / MEGABYTE,
    "longest ms": delays.max / 1e6,
    "bar ms": IMPORTS.some((kind) => what.startsWith(kind)) ? IMPORT_BAR_MS : API_BAR_MS,
    "p99 ms": delays.percentile(99) / 1e6,
    "slowest search ms": slowest,
    "all s": seconds,
  };
}
