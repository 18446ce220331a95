import { type Bot, type DocumentInput, Engine } from "@loredex/core";
import MiniSearch from "minisearch";
import { Bench } from "tinybench";
import type { BenchOptions } from "./bench-options.ts";
import { dataIsThere, JUDGED_SETS } from "./judged-sets.ts";
import { printTable } from "./table.ts";

/** How fast words are indexed and searched, beside MiniSearch in the same run. */
export async function speed({ short, json }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const set = JUDGED_SETS["scifact-train"]?.();
  if (set === undefined) return;
  const documents = short ? set.documents.slice(0, 500) : set.documents;
  const questions = set.questions.slice(0, short ? 20 : 200).map(({ text }) => text);
  const megabytes = documents.reduce((sum, document) => sum + bytesOf(document), 0) / 1e6;

  const engine = await Engine.open({ embedders: {} });
  const { bot: info } = await engine.createBot({ name: "searched" });
  const searched = await filled(await engine.bot(info.id), documents);
  const peer = await filledPeer(documents);

  const indexing = new Bench({
    time: 0,
    iterations: short ? 1 : 5,
    warmup: !short,
    warmupIterations: 1,
    warmupTime: 0,
  });
  let made = 0;
  indexing
    .add("Loredex", async () => {
      const { bot } = await engine.createBot({ name: `indexed ${made++}` });
      await filled(await engine.bot(bot.id), documents);
      await engine.removeBot(bot.id);
    })
    .add("MiniSearch", () => void filledPeer(documents));
  await indexing.run();

  const searching = new Bench({
    time: 0,
    iterations: short ? 1 : 5,
    warmup: !short,
    warmupIterations: 1,
    warmupTime: 0,
  });
  searching
    .add("Loredex", async () => {
      for (const question of questions) await searched.search(question);
    })
    .add("MiniSearch", () => {
      for (const question of questions) peer.search(question).slice(0, 10);
    });
  await searching.run();
  await engine.close();

  const [indexSeconds, searchSeconds] = [secondsOf(indexing), secondsOf(searching)];
  const rows = ["Loredex", "MiniSearch"].map((name) => {
    const microseconds = ((searchSeconds.get(name) ?? 0) / questions.length) * 1e6;
    return {
      engine: name,
      "index MB/s": megabytes / (indexSeconds.get(name) ?? 0),
      "index ×": (indexSeconds.get("MiniSearch") ?? 0) / (indexSeconds.get(name) ?? 1),
      "µs a question": microseconds,
      "search ×": (searchSeconds.get("MiniSearch") ?? 0) / (searchSeconds.get(name) ?? 1),
    };
  });
  if (json) console.log(JSON.stringify(rows));
  else printTable(rows);
}

async function filled(bot: Bot, documents: readonly DocumentInput[]): Promise<Bot> {
  for (const document of documents) await bot.importDocument(document);
  await bot.whenSearchable();
  return bot;
}

async function filledPeer(documents: readonly DocumentInput[]): Promise<MiniSearch> {
  const peer = new MiniSearch({ fields: ["title", "text"], idField: "id" });
  peer.addAll(documents.map((document) => ({ id: document.resourceDocId, ...textsOf(document) })));
  return peer;
}

function textsOf(document: DocumentInput): { title: string; text: string } {
  if (document.type === "QNA") return { title: document.question, text: document.answer };
  return { title: String(document.metaData?.title ?? ""), text: document.content.map(({ md }) => md).join("\n") };
}

function bytesOf(document: DocumentInput): number {
  const { title, text } = textsOf(document);
  return Buffer.byteLength(title) + Buffer.byteLength(text);
}

/** Median seconds of each task. */
function secondsOf(bench: Bench): Map<string, number> {
  return new Map(
    bench.tasks.map((task) => {
      const { result } = task;
      if (!("latency" in result)) throw new Error(`${task.name} was not measured`);
      return [task.name, result.latency.p50 / 1_000];
    }),
  );
}
