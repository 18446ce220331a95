import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshProcess } from "../../measuring/in-rounds.ts";
import { median, spreadOf } from "../../measuring/measures.ts";
import type { FilledBots } from "./filled-bots.ts";
import type { Lengths, Measured } from "./measured.ts";

/**
 * How long a bot takes on a node that did not have it, from the call to the answer of its first search. Each round has a process of its own. What a new process
 * needs for its first bot, such as compiled code and the static embedder, is apart from what a bot needs on a node that runs. So is the start of the node. Each
 * round is run again with the copies of the node's disk.
 */

const RUNNING = "a bot that a running node did not have";
/** As many as an argument of a program needs. */
const QUESTIONS = 20;

interface Times {
  readonly startMs: number;
  readonly firstMs: number;
  readonly laterMs: number;
}

export async function measureCold(url: string, filled: FilledBots, { rounds }: Lengths): Promise<Measured> {
  const figures = new Map<string, number[]>();
  const note = (what: string, ms: number): void => void figures.set(what, [...(figures.get(what) ?? []), ms]);
  const ids = filled.bots.map(({ id }) => id);
  for (let round = 0; round < rounds; round += 1) {
    const from = (round * QUESTIONS) % filled.questions.length;
    const questions = JSON.stringify(filled.questions.slice(from, from + QUESTIONS));
    const copies = await mkdtemp(join(tmpdir(), "loredex-cold-"));
    try {
      // Boundary: a program of this folder, which answers with figures.
      const run = async (directory: string) =>
        (await freshProcess("cluster-cold.ts", [url, directory, questions, ...ids])) as Times;
      const bare = await run("");
      note("start of a node", bare.startMs);
      note("first bot of a new process", bare.firstMs);
      note(RUNNING, bare.laterMs);
      await run(copies);
      note(`${RUNNING}, with copies`, (await run(copies)).laterMs);
    } finally {
      await rm(copies, { recursive: true, force: true });
    }
  }
  const rows = [...figures].map(([what, all]) => ({
    what,
    passages: filled.passages,
    "ms, median of the rounds": median(all),
    "ms, most": Math.max(...all),
    spread: spreadOf(all),
  }));
  const measured = median(figures.get(RUNNING) ?? []);
  return { rows, aims: [{ what: `${RUNNING}, ms`, measured, aim: 250, is: "at most" }] };
}
