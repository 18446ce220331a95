import { freshProcess } from "../../measuring/in-rounds.ts";
import { median, spreadOf } from "../../measuring/measures.ts";
import type { FilledBots } from "./filled-bots.ts";
import type { Lengths, Measured } from "./measured.ts";

/** How long a bot takes on a node that did not have it, from the call to the answer of its first search. Each round has a process of its own. */

export async function measureCold(url: string, filled: FilledBots, { rounds }: Lengths): Promise<Measured> {
  const measured: Record<string, number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ids = filled.bots.map(({ id }) => id);
    const args = [url, filled.questions[round % filled.questions.length] ?? "", ...ids];
    // Boundary: a program of this folder, which answers with figures.
    measured.push((await freshProcess("cluster-cold.ts", args)) as Record<string, number>);
  }
  const each = (figure: string): number[] => measured.flatMap((round) => round[figure] ?? []);
  const rows = Object.keys(measured[0] ?? {}).map((figure) => ({
    what: figure,
    passages: filled.passages,
    "ms, median of the rounds": median(each(figure)),
    "ms, most": Math.max(...each(figure)),
    spread: spreadOf(each(figure)),
  }));
  const first = median(each("first bot of a new node"));
  return { rows, aims: [{ what: "first bot of a new node, ms", measured: first, aim: 250, is: "at most" }] };
}
