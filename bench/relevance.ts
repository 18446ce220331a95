import { type Bot, type DocumentInput, type Embedder, Engine, type SearchResult } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { CachedEmbedder } from "./cached-embedder.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet, type LineSet, squadLines } from "./judged-sets.ts";
import type { BenchOptions } from "./main.ts";
import { mean, median, normalizedDiscountedGain, recall, reciprocalRank } from "./measures.ts";
import { printTable } from "./table.ts";

/** How well questions find the documents and lines that answer them: the whole product through its public API. */

interface Row {
  readonly set: string;
  readonly by: By;
  readonly questions: number;
  readonly "nDCG@10"?: number;
  readonly "MRR@10"?: number;
  readonly "recall@100"?: number;
  /** Share of questions whose answer's line is in the first part of the first document. */
  readonly "line first"?: number;
  /** Share of questions whose answer's line is in any part of the first ten documents. */
  readonly "line any"?: number;
  /** Of a search, the question's vector being known already. */
  readonly "median µs": number;
}

/** What a bot finds by. */
const BY = ["words", "vectors", "both"] as const;
type By = (typeof BY)[number];

export async function relevance({ short, json, only }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const table: Row[] = [];
  const embedder = new CachedEmbedder(await openMiniLm());
  const measured = async (documents: readonly DocumentInput[], measure: (bot: Bot) => Promise<Measures>) => {
    const some = short ? documents.slice(0, SHORT_DOCUMENTS) : documents;
    for (const by of BY) table.push({ by, ...(await withBot(some, by, embedder, measure)) });
  };
  try {
    for (const [name, load] of Object.entries(JUDGED_SETS)) {
      if (only !== undefined && only !== name) continue;
      const set = load();
      await measured(set.documents, (bot) => documentMeasures(bot, set, short));
    }
    if (only === undefined || only === "squad-lines") {
      const lines = squadLines();
      await measured(lines.documents, (bot) => lineMeasures(bot, lines, short));
    }
  } finally {
    await embedder.close();
  }
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

type Measures = Omit<Row, "by">;

/** Every so-manieth question of a short run, and its first documents: encoding all would take minutes. */
const SHORT_STEP = 100;
const SHORT_DOCUMENTS = 20;

async function documentMeasures(
  bot: Bot,
  { name, questions, judgements }: JudgedSet,
  short: boolean,
): Promise<Measures> {
  const gains: number[] = [];
  const ranks: number[] = [];
  const recalls: number[] = [];
  const times: number[] = [];
  const asked = questions.filter((_, i) => !short || i % SHORT_STEP === 0);
  for (const { id, text } of asked) {
    const judged = judgements.get(id) ?? new Map<string, number>();
    const ranking = (await bot.search(text, { topK: 100 })).map((result) => result.resourceDocId);
    const before = performance.now();
    await bot.search(text);
    times.push((performance.now() - before) * 1_000);
    gains.push(normalizedDiscountedGain(ranking, judged));
    ranks.push(reciprocalRank(ranking, judged));
    recalls.push(recall(ranking, judged, 100));
  }
  return {
    set: name,
    questions: asked.length,
    "nDCG@10": mean(gains),
    "MRR@10": mean(ranks),
    "recall@100": mean(recalls),
    "median µs": median(times),
  };
}

async function lineMeasures(bot: Bot, { name, questions }: LineSet, short: boolean): Promise<Measures> {
  const first: number[] = [];
  const any: number[] = [];
  const times: number[] = [];
  const asked = questions.filter((_, i) => !short || i % SHORT_STEP === 0);
  for (const { text, answer } of asked) {
    const before = performance.now();
    const results = await bot.search(text);
    times.push((performance.now() - before) * 1_000);
    const holds = (result: SearchResult, parts = result.similarTextParts): boolean =>
      result.resourceDocId === answer.documentId &&
      parts.some(({ start, stop }) => start <= answer.line && answer.line <= stop);
    const [best] = results;
    first.push(best !== undefined && holds(best, best.similarTextParts.slice(0, 1)) ? 1 : 0);
    any.push(results.some((result) => holds(result)) ? 1 : 0);
  }
  return {
    set: name,
    questions: asked.length,
    "line first": mean(first),
    "line any": mean(any),
    "median µs": median(times),
  };
}

/** Makes a bot of the documents, waits until all is found by whatever it is found by, and measures. */
async function withBot(
  documents: readonly DocumentInput[],
  by: By,
  embedder: Embedder,
  measure: (bot: Bot) => Promise<Measures>,
): Promise<Measures> {
  const engine = await Engine.open({
    embedders: { measured: { languages: ["en"], open: async () => asked(embedder, by) } },
  });
  try {
    const { bot: info } = await engine.createBot({ name: "relevance", embedder: by === "words" ? "none" : "measured" });
    const bot = await engine.bot(info.id);
    for (const document of documents) await bot.importDocument(document);
    await bot.whenUpgraded();
    return await measure(bot);
  } finally {
    await engine.close();
  }
}

/** The embedder with the weight that it is measured with; closing it is for whoever opened it. */
function asked(embedder: Embedder, by: By): Embedder {
  return {
    id: embedder.id,
    version: embedder.version,
    dimensions: embedder.dimensions,
    cost: embedder.cost,
    weight: by === "vectors" ? 1 : embedder.weight,
    calibrate: (cosine) => embedder.calibrate(cosine),
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal),
    embedQuery: (text, signal) => embedder.embedQuery(text, signal),
    close: async () => undefined,
  };
}
