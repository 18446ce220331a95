import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Corpus } from "../corpora/corpus-shape.ts";
import type { CompetitorName } from "../peers/competitors.ts";
import { median, spreadOf } from "./measures.ts";

const run = promisify(execFile);

/** Runs a program of this folder with V8's collector at hand, and reads the JSON that it prints. `placed` may change its command, to say where it runs. */
export async function freshProcess(
  program: string,
  args: readonly string[],
  placed: (command: readonly string[]) => readonly string[] = (command) => command,
): Promise<unknown> {
  const path = fileURLToPath(new URL(`../programs/${program}`, import.meta.url));
  const command = [process.execPath, "--expose-gc", ...HEAP, "--import", "tsx", path, ...args];
  const [file = "", ...rest] = placed(command);
  const { stdout } = await run(file, rest);
  return JSON.parse(stdout);
}

/** More than Node's default, which some peers need for what others hold in a tenth of it. */
const HEAP = ["--max-old-space-size=12000"];

/** What one engine did in each round, by the names of its figures. */
export type Rounds = ReadonlyMap<string, readonly number[]>;

/** `beside scan` is a search in turns with the bare exhaustive scan. */
export type What = "index" | "memory" | "search" | "beside scan";

/** Each engine in a fresh process once a round; the next round has them in reversed order. */
export async function inRounds(
  names: readonly CompetitorName[],
  { directory }: Corpus,
  what: What,
  rounds: number,
): Promise<ReadonlyMap<CompetitorName, Rounds>> {
  const all = new Map<CompetitorName, Map<string, number[]>>();
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const figures = all.get(name) ?? new Map<string, number[]>();
      all.set(name, figures);
      const program = what === "beside scan" ? "beside-scan.ts" : "one-competitor.ts";
      const measured = (await freshProcess(program, [name, directory, what])) as Record<string, number>;
      for (const [figure, value] of Object.entries(measured))
        figures.set(figure, [...(figures.get(figure) ?? []), value]);
    }
  }
  return all;
}

/** The median of a figure over the rounds. */
export function middle(rounds: Rounds | undefined, figure: string): number {
  return median(rounds?.get(figure) ?? []);
}

/** How far the rounds lie apart, as a share of their median. */
export function spread(rounds: Rounds | undefined, figure: string): number {
  return spreadOf(rounds?.get(figure) ?? []);
}
