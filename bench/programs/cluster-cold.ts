import { Engine } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { median } from "../measuring/measures.ts";

/** `cluster-cold.ts URL QUESTION ID...`: a new node that is asked one question of each bot. Prints what it measured, in milliseconds, as JSON. */

const [, , url = "", question = "", ...ids] = process.argv;

const before = performance.now();
const engine = await Engine.open({ storage: await openPostgres(url) });
const startMs = performance.now() - before;
const times: number[] = [];
for (const id of ids) {
  const from = performance.now();
  await (await engine.bot(id)).search(question);
  times.push(performance.now() - from);
}
await engine.close();
process.stdout.write(
  JSON.stringify({
    "start of a node": startMs,
    "first bot of a new node": times[0] ?? 0,
    "further bots, median": median(times.slice(1)),
  }),
);
