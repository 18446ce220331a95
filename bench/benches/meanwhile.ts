import { withCorpus } from "../corpora/corpus.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { freshProcess } from "../measuring/in-rounds.ts";
import { median, spreadOf } from "../measuring/measures.ts";
import { report } from "../measuring/report.ts";

/**
 * How long a question waits for its answer while the bot that is asked takes documents in, while the rest of its graph is built, and when nothing else is
 * done: by words and the small encoder, asked one after the other from another thread.
 */

const PASSAGES = 28_000;
const QUESTIONS = 1_000;
const ROUNDS = 2;
const PHASES = ["while it imports", "while its graph is built", "idle"] as const;

interface Waited {
  readonly questions: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

export async function meanwhile({ short, json, sizes }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const size = short ? 300 : (sizes?.[0] ?? PASSAGES);
  await withCorpus(size, short ? 20 : QUESTIONS, async ({ directory, passages }) => {
    const rounds: Partial<Record<string, Waited>>[] = [];
    for (let round = 0; round < (short ? 1 : ROUNDS); round++) {
      // Boundary: a program of this folder, which answers by phase.
      rounds.push((await freshProcess("busy-bot.ts", [directory])) as Record<string, Waited>);
    }
    const each = (phase: string, figure: keyof Waited): number[] =>
      rounds.flatMap((round) => round[phase]?.[figure] ?? []);
    const middle = (phase: string, figure: keyof Waited): number => median(each(phase, figure));
    const rows = PHASES.filter((phase) => rounds.some((round) => round[phase] !== undefined)).map((phase) => ({
      asked: phase,
      passages,
      questions: middle(phase, "questions"),
      "median ms": middle(phase, "medianMs"),
      "p99 ms": middle(phase, "p99Ms"),
      "p99 × idle": middle(phase, "p99Ms") / middle("idle", "p99Ms"),
      spread: spreadOf(each(phase, "p99Ms")),
    }));
    const graph = rows.find(({ asked }) => asked === "while its graph is built");
    report({ json }, rows, [
      { what: "p99 × idle while the graph is built", measured: graph?.["p99 × idle"], aim: 2, is: "at most" },
    ]);
  });
}
