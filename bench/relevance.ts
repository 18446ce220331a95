import { type Bot, type DocumentInput, Engine, type SearchResult } from "@loredex/core";
import { dataIsThere, JUDGED_SETS, type JudgedSet, type LineSet, squadLines } from "./judged-sets.ts";
import { mean, median, normalizedDiscountedGain, recall, reciprocalRank } from "./measures.ts";
import { printTable } from "./table.ts";

/** How well questions find the documents and lines that answer them: the whole product through its public API. */

interface Row {
  readonly set: string;
  readonly questions: number;
  readonly "nDCG@10"?: number;
  readonly "MRR@10"?: number;
  readonly "recall@100"?: number;
  /** Share of questions whose answer's line is in the first part of the first document. */
  readonly "line first"?: number;
  /** Share of questions whose answer's line is in any part of the first ten documents. */
  readonly "line any"?: number;
  readonly "median µs": number;
}

export async function relevance({ short, json }: { short: boolean; json: boolean }): Promise<void> {
  if (!dataIsThere()) return;
  const table: Row[] = [];
  for (const load of Object.values(JUDGED_SETS)) {
    const set = load();
    table.push(await withBot(set.documents, (bot) => documentMeasures(bot, set, short)));
  }
  const lines = squadLines();
  table.push(await withBot(lines.documents, (bot) => lineMeasures(bot, lines, short)));
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

/** Every so-manieth question of a short run. */
const SHORT_STEP = 20;

async function documentMeasures(bot: Bot, { name, questions, judgements }: JudgedSet, short: boolean): Promise<Row> {
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

async function lineMeasures(bot: Bot, { name, questions }: LineSet, short: boolean): Promise<Row> {
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

async function withBot(documents: readonly DocumentInput[], measure: (bot: Bot) => Promise<Row>): Promise<Row> {
  const engine = await Engine.open();
  try {
    const { bot: info } = await engine.createBot({ name: "relevance" });
    const bot = await engine.bot(info.id);
    for (const document of documents) await bot.importDocument(document);
    await bot.whenSearchable();
    return await measure(bot);
  } finally {
    await engine.close();
  }
}
