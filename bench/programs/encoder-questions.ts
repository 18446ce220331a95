import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { openEnglishEncoder } from "../bots/english-encoder.ts";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import { documentsIn, questionsIn } from "../corpora/corpus-files.ts";
import { median, percentile, spreadOf } from "../measuring/measures.ts";
import { RESULTS } from "../peers/competitors.ts";

/** `teacher-questions.ts DIRECTORY`: see `teacher.ts`. Prints its rows as JSON. */

const [, , corpus = ""] = process.argv;
const ROUNDS = 5;
const BLOCK = 25;
const MODEL = fileURLToPath(new URL("../../packages/minilm/model", import.meta.url));

const encoder = await openEnglishEncoder();
const engine = await Engine.open({
  embedders: { minilm: { languages: [], open: async () => encoder } },
});
const { bot } = await unlimitedBot(engine, "asked", "minilm");
for await (const document of documentsIn(corpus)) await bot.importDocument(document);
await whenGraphIsReady(bot);

const bare = fork(fileURLToPath(new URL("bare-encoder.js", import.meta.url)), [MODEL], { execArgv: [] });
await once(bare, "message");

async function bareTimes(texts: readonly string[]): Promise<readonly number[]> {
  bare.send(texts);
  const [times] = await once(bare, "message");
  return Array.isArray(times) ? times.map(Number) : [];
}

function timesOf(work: (text: string) => Promise<unknown>): (texts: readonly string[]) => Promise<readonly number[]> {
  return async (texts) => {
    const times: number[] = [];
    for (const text of texts) {
      const from = performance.now();
      await work(text);
      times.push(performance.now() - from);
    }
    return times;
  };
}

const ask = (text: string): Promise<unknown> => bot.search(text, { topK: RESULTS });
const measured = [
  { what: "the bare call", timesOf: bareTimes },
  { what: "a vector from the process that reads questions", timesOf: timesOf((text) => encoder.embedQuery(text)) },
  { what: "question to answer", timesOf: timesOf(ask) },
  { what: "the same question again", timesOf: timesOf(ask) },
];
const questions = await questionsIn(corpus);
const least = measured.map(() => new Float64Array(questions.length).fill(Number.POSITIVE_INFINITY));
const roundMedians = measured.map((): number[] => []);
globalThis.gc?.();
for (let round = 0; round < ROUNDS; round++) {
  // Read as the same pieces, and not the same question: the vectors of questions are kept.
  const own = measured.map((): number[] => []);
  const texts = questions.map((question) => question + " ".repeat(round));
  for (let from = 0; from < texts.length; from += BLOCK) {
    for (const [i, { timesOf }] of measured.entries()) {
      const times = await timesOf(texts.slice(from, from + BLOCK));
      own[i]?.push(...times);
      for (const [at, ms] of times.entries()) {
        const kept = least[i];
        if (kept !== undefined) kept[from + at] = Math.min(kept[from + at] ?? 0, ms);
      }
    }
  }
  for (const [i, times] of own.entries()) roundMedians[i]?.push(median(times));
}
const [bareLeast = new Float64Array()] = least;
const [bareMedian, bareP99] = [median([...bareLeast]), percentile([...bareLeast], 0.99)];
const rows = measured.map(({ what }, i) => {
  const times = [...(least[i] ?? [])];
  return {
    what,
    "median ms": median(times),
    "p99 ms": percentile(times, 0.99),
    "median × bare": median(times) / bareMedian,
    "p99 × bare": percentile(times, 0.99) / bareP99,
    spread: spreadOf(roundMedians[i] ?? []),
  };
});
process.stdout.write(JSON.stringify(rows));
bare.disconnect();
await engine.close();
