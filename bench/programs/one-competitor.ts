import { fill, questionsIn, secondsToFill } from "../corpora/corpus-files.ts";
import { median, percentile } from "../measuring/measures.ts";
import { type Competitor, isCompetitor, openCompetitor } from "../peers/competitors.ts";

/**
 * `one-competitor.ts NAME DIRECTORY WHAT`: one engine in a process of its own, with nothing else in it. WHAT is `index`, `memory` or `search`. Prints what it measured
 * as JSON.
 */

const [, , name = "", directory = "", what = "search"] = process.argv;
if (!isCompetitor(name)) throw new Error(`There is no engine ${name}`);

/** A question's time is the least of so many, if they do not take too long. */
const ROUNDS = 5;
const SEARCHING_MS_MAX = 4_000;
/** Enough for a median and a p99. */
const QUESTIONS_MAX = 300;
/** Who takes longer for them is asked no more than these. */
const QUESTIONS_MIN = 100;

interface Held {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/** What JavaScript holds with its buffers, and what the system has given, when nothing more can be given back. */
async function held(): Promise<Held> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc?.();
    await new Promise((go) => setTimeout(go, 200));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { heapBytes: heapUsed + external, residentBytes: rss };
}

async function memory(engine: Competitor, before: Held): Promise<object> {
  await fill(engine, directory);
  await engine.search("what is it about");
  const after = await held();
  return {
    heapBytes: after.heapBytes - before.heapBytes,
    residentBytes: after.residentBytes - before.residentBytes,
  };
}

async function searching(engine: Competitor): Promise<object> {
  const questions = (await questionsIn(directory)).slice(0, QUESTIONS_MAX);
  await fill(engine, directory);
  globalThis.gc?.();
  const least: number[] = [];
  const start = performance.now();
  const isOver = (): boolean => performance.now() - start > SEARCHING_MS_MAX;
  for (let round = 0; round < ROUNDS && !(round > 0 && isOver()); round++) {
    for (const [i, question] of questions.entries()) {
      if (round === 0 && i >= QUESTIONS_MIN && isOver()) break;
      const from = performance.now();
      const answered = engine.search(question);
      if (answered instanceof Promise) await answered;
      least[i] = Math.min(least[i] ?? Number.POSITIVE_INFINITY, performance.now() - from);
    }
  }
  return { medianMs: median(least), p99Ms: percentile(least, 0.99) };
}

async function measured(engine: Competitor, before: Held): Promise<object> {
  if (what === "index") return await secondsToFill(engine, directory);
  return await (what === "memory" ? memory(engine, before) : searching(engine));
}

const before = await held();
const engine = await openCompetitor(name);
process.stdout.write(JSON.stringify(await measured(engine, before)));
await engine.close();
