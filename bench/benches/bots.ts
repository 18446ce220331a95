import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { freshProcess } from "../measuring/in-rounds.ts";
import { median, spreadOf } from "../measuring/measures.ts";
import { report } from "../measuring/report.ts";

/** How long an engine of many bots takes to start, and a bot that nobody has used since then to answer its first question. Filled by one process, measured in others. */

const BOTS = 10_000;
const ROUNDS = 3;

export async function bots({ short, json, sizes }: BenchOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  try {
    const count = short ? 20 : (sizes?.[0] ?? BOTS);
    await freshProcess("many-bots.ts", [directory, "fill", String(count)]);
    const rounds: Record<string, number>[] = [];
    for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
      // Boundary: a program of this folder, which answers with figures.
      rounds.push((await freshProcess("many-bots.ts", [directory, "start", String(round)])) as Record<string, number>);
    }
    const each = (figure: string): number[] => rounds.flatMap((round) => round[figure] ?? []);
    const rows = Object.keys(rounds[0] ?? {}).map((figure) => ({
      bots: count,
      what: figure,
      "ms, median of the rounds": median(each(figure)),
      "ms, least": Math.min(...each(figure)),
      "ms, most": Math.max(...each(figure)),
      spread: spreadOf(each(figure)),
    }));
    const measured = (what: string): number | undefined =>
      rows.find((row) => row.what === what)?.["ms, median of the rounds"];
    report({ json }, rows, [
      { what: "start in ms", measured: measured("start"), aim: 1_000, is: "at most" },
      { what: "median of cold first questions in ms", measured: measured("cold, median"), aim: 10, is: "at most" },
      { what: "p99 of cold first questions in ms", measured: measured("cold, p99"), aim: 25, is: "at most" },
    ]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
