import { Engine } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { median } from "../measuring/measures.ts";

/**
 * `cluster-cold.ts URL COPIES QUESTIONS ID...`: a new node that is asked questions of bots that it never had. QUESTIONS is a JSON array; COPIES is the folder
 * of `--cache`, or empty. Prints what it measured, in milliseconds, as JSON.
 */

/** Bots after which the code that opens and searches one is compiled, as on a node that runs. */
const BEFORE = 3;

const [, , url = "", cacheDirectory = "", asked = "[]", ...ids] = process.argv;
// Boundary: the bench's own arguments.
const questions = JSON.parse(asked) as string[];

const before = performance.now();
const storage = await openPostgres(url, cacheDirectory === "" ? {} : { cacheDirectory });
const engine = await Engine.open({ storage });
const startMs = performance.now() - before;
const times: number[] = [];
for (const id of ids) {
  const from = performance.now();
  const bot = await engine.bot(id);
  await bot.search(questions[0] ?? "");
  times.push(performance.now() - from);
  // The node serves on.
  for (const question of questions) await bot.search(question);
}
await engine.close();
process.stdout.write(
  JSON.stringify({ startMs, firstMs: times[0] ?? 0, laterMs: median(times.slice(Math.min(BEFORE, ids.length - 1))) }),
);
