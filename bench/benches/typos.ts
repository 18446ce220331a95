import type { Bot, Embedder } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { CachedEmbedder } from "../bots/cached-embedder.ts";
import { withJudgedBot } from "../bots/judged-bot.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet, questionsFor } from "../corpora/judged-sets.ts";
import { mistyped, unfinished } from "../corpora/mistyping.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { mean, normalizedDiscountedGain } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";

/** What questions still find when they are mistyped or not typed to the end: nDCG@10, by words and by both words and vectors. */

const SEED = 20_261_121;

interface Row {
  readonly set: string;
  readonly by: "words" | "both";
  readonly questions: number;
  /** As they are. */
  readonly clean: number;
  /** One mistake in one word of each. */
  readonly typo: number;
  /** The last word of each begun. */
  readonly unfinished: number;
}

export async function typos({ short, json, only = "stackfaq-qna" }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const set = JUDGED_SETS[only]?.();
  if (set === undefined) return;
  const table: Row[] = [];
  const encoder = new CachedEmbedder(await openMiniLm());
  try {
    for (const by of ["words", "both"] as const) table.push(await measured(set, by, encoder, short));
  } finally {
    await encoder.close();
  }
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

/** Of a short run: every so-manieth question, and the first documents. */
const SHORT_STEP = 100;
const SHORT_DOCUMENTS = 20;

async function measured(set: JudgedSet, by: Row["by"], encoder: Embedder, short: boolean): Promise<Row> {
  const documents = short ? set.documents.slice(0, SHORT_DOCUMENTS) : set.documents;
  return withJudgedBot(documents, by === "words" ? "none" : "minilm", encoder, async (bot) => {
    const asked = questionsFor(set, "report").filter((_, i) => !short || i % SHORT_STEP === 0);
    const gain = async (as: (text: string) => string): Promise<number> => gainOf(bot, set, asked, as);
    return {
      set: set.name,
      by,
      questions: asked.length,
      clean: await gain((text) => text),
      typo: await gain((text) => mistyped(text, SEED)),
      unfinished: await gain((text) => unfinished(text, SEED)),
    };
  });
}

async function gainOf(
  bot: Bot,
  { judgements }: JudgedSet,
  questions: JudgedSet["questions"],
  as: (text: string) => string,
): Promise<number> {
  const gains: number[] = [];
  for (const { id, text } of questions) {
    const ranking = (await bot.search(as(text))).map(({ resourceDocId }) => resourceDocId);
    gains.push(normalizedDiscountedGain(ranking, judgements.get(id) ?? new Map()));
  }
  return mean(gains);
}
