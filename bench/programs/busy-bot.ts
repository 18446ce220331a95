import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type DocumentInput, Engine } from "@loredex/core";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import { documentsIn, questionsIn } from "../corpora/corpus-files.ts";
import { median, percentile } from "../measuring/measures.ts";
import { RESULTS } from "../peers/competitors.ts";

/** `busy-bot.ts DIRECTORY`: see `meanwhile.ts`. Prints what it measured as JSON. */

const [, , corpus = ""] = process.argv;

const IMPORTS_AT_ONCE = 32;
const IDLE_QUESTIONS = 2_000;
const LOOK_MS = 5;

const documents: DocumentInput[] = [];
for await (const document of documentsIn(corpus)) documents.push(document);
const questions = await questionsIn(corpus);

const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
const engine = await Engine.open({ directory });
const { bot } = await unlimitedBot(engine, "busy", "static");

async function bring(brought: readonly DocumentInput[]): Promise<void> {
  for (let from = 0; from < brought.length; from += IMPORTS_AT_ONCE) {
    await Promise.all(brought.slice(from, from + IMPORTS_AT_ONCE).map((document) => bot.importDocument(document)));
  }
  await bot.whenSearchable();
}

/** What each phase's questions waited. */
const waitedMs = { "while it imports": [], "while its graph is built": [], idle: [] } as Record<Phase, number[]>;
type Phase = "while it imports" | "while its graph is built" | "idle";
let phase: Phase = "while it imports";

// There is something to search before anybody asks.
const half = Math.ceil(documents.length / 2);
await bring(documents.slice(0, half));
const thread = new Worker(new URL("asking-thread.mjs", import.meta.url), { workerData: questions.length });
let asked: Phase = phase;
let answer: Promise<unknown> = Promise.resolve();
thread.on("message", ({ question, waitedMs: ms }: { readonly question?: number; readonly waitedMs?: number }) => {
  if (ms !== undefined) waitedMs[asked].push(ms);
  if (question === undefined) return;
  asked = phase;
  answer = bot.search(questions[question] ?? "", { topK: RESULTS }).then(() => thread.postMessage("answered"));
});
await bring(documents.slice(half));
phase = "while its graph is built";
await whenGraphIsReady(bot);
phase = "idle";
while (waitedMs.idle.length < Math.min(IDLE_QUESTIONS, questions.length * 2)) {
  await new Promise((go) => setTimeout(go, LOOK_MS));
}
await thread.terminate();
await answer;
await engine.close();
await rm(directory, { recursive: true, force: true });

const measured = Object.entries(waitedMs)
  .filter(([, each]) => each.length > 0)
  .map(([name, each]) => [name, { questions: each.length, medianMs: median(each), p99Ms: percentile(each, 0.99) }]);
process.stdout.write(JSON.stringify(Object.fromEntries(measured)));
