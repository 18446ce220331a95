import { type Bot, Engine, openEnglishStatic, type Quality } from "@loredex/core";
import { EmbeddersInUse, sharedEmbedder } from "../bots/cached-embedder.ts";
import { SMALL_BOT_SOURCES, type SmallBot, type SmallBotSource, smallBots } from "../corpora/small-bots.ts";
import { smallTalk } from "../corpora/small-talk.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { areaUnderCurve, mean, normalizedDiscountedGain, percentile } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";

/**
 * How well bots of few articles answer, and how well a threshold tells questions that they answer from those that they do not: samples of judged sets, asked
 * questions to their articles, questions to other articles, and small talk.
 */

const BOTS = 200;
const SHORT_BOTS = 3;
const SIZES = [5, 10, 20, 40];
/** Lines of small talk that each bot is told, in turn. */
const TALK = 5;

interface SmallBotRow {
  readonly source: string;
  readonly use: string;
  readonly articles: number;
  readonly by: string;
  readonly "nDCG@10": number;
  /** Share of questions whose first document answers them. */
  readonly "right first": number;
  /** Probability that a question with an answer has a higher best score than an unanswerable one. */
  readonly AUC: number;
  /** Share of questions whose first document answers them, with a score above that of .95 of unanswerable ones. */
  readonly "above unanswerable": number;
  /** Share of small talk whose best score is .2 or more. */
  readonly "small talk": number;
  /** Share of questions with an answer whose first document answers them with a score below .2. */
  readonly "lost at .2": number;
}

const WAYS = [
  { by: "words", embedder: "none", quality: "best" },
  { by: "fast", embedder: "fast", quality: "fast" },
  { by: "best", embedder: "best", quality: "best" },
] as const;

export async function smallBotRelevance(options: BenchOptions): Promise<void> {
  const { json, only, use } = options;
  const rows: SmallBotRow[] = [];
  const embedders = new EmbeddersInUse();
  try {
    for (const [name, load] of Object.entries(SMALL_BOT_SOURCES)) {
      if (only !== undefined && only !== name) continue;
      for (const source of load()) {
        if (use === undefined || source.use === use) rows.push(...(await measured(source, options, embedders)));
      }
    }
  } finally {
    await embedders.close();
  }
  if (json) console.log(JSON.stringify(rows));
  else printTable(rows);
}

async function measured(
  source: SmallBotSource,
  { short, bots = short ? SHORT_BOTS : BOTS }: BenchOptions,
  embedders: EmbeddersInUse,
): Promise<SmallBotRow[]> {
  const encoder = await embedders.of(source.language);
  const engine = await Engine.open({
    embedders: {
      best: {
        languages: [],
        open: async () => sharedEmbedder(encoder),
        ...(source.language === "en" ? { static: openEnglishStatic } : {}),
      },
      fast: { languages: [], static: openEnglishStatic },
    },
  });
  const rows: SmallBotRow[] = [];
  const lines = smallTalk(source.language, source.use);
  try {
    for (const size of short ? SIZES.slice(0, 1) : SIZES) {
      for (const { by, embedder, quality } of WAYS) {
        // The static embedder is English.
        if (by === "fast" && source.language !== "en") continue;
        console.error(`${source.name}, ${source.use}: bots of ${size} articles, ${by}`);
        const figures = new Figures();
        for (const [i, small] of [...smallBots(source, size, bots, size)].entries()) {
          const { bot: info } = await engine.createBot({
            name: `${by}-${size}-${i}`,
            embedder,
            language: source.language,
          });
          const bot = await engine.bot(info.id);
          for (const document of small.documents) await bot.importDocument(document);
          await bot.whenUpgraded();
          const talk = Array.from({ length: TALK }, (_, at) => lines[(i * TALK + at) % lines.length] ?? "");
          await ask(bot, quality, small, talk, figures);
          await engine.removeBot(info.id);
        }
        rows.push({ source: source.name, use: source.use, articles: size, by, ...figures.measures() });
      }
    }
  } finally {
    await engine.close();
  }
  return rows;
}

const THRESHOLD = 0.2;

class Figures {
  readonly gains: number[] = [];
  readonly answered: { readonly score: number; readonly isRight: boolean }[] = [];
  readonly unanswerable: number[] = [];
  readonly talk: number[] = [];

  measures(): Omit<SmallBotRow, "source" | "use" | "articles" | "by"> {
    const level = percentile(this.unanswerable, 0.95);
    const share = (isCounted: (each: { readonly score: number; readonly isRight: boolean }) => boolean): number =>
      this.answered.filter(isCounted).length / this.answered.length;
    return {
      "nDCG@10": mean(this.gains),
      "right first": share(({ isRight }) => isRight),
      AUC: areaUnderCurve(
        this.answered.map(({ score }) => score),
        this.unanswerable,
      ),
      "above unanswerable": share(({ score, isRight }) => isRight && score > level),
      "small talk": this.talk.filter((score) => score >= THRESHOLD).length / this.talk.length,
      "lost at .2": share(({ score, isRight }) => isRight && score < THRESHOLD),
    };
  }
}

async function ask(
  bot: Bot,
  quality: Quality,
  { documents, answerable, unanswerable }: SmallBot,
  talk: readonly string[],
  figures: Figures,
): Promise<void> {
  const bestScore = async (question: string): Promise<number> =>
    (await bot.search(question, { topK: 1, quality }))[0]?.bestMatchScore ?? 0;
  const own = new Set(documents.map(({ resourceDocId }) => resourceDocId));
  for (const { text, judgements: all } of answerable) {
    const judgements = new Map([...all].filter(([id]) => own.has(id)));
    const results = await bot.search(text, { topK: 10, quality });
    const ranking = results.map(({ resourceDocId }) => resourceDocId);
    figures.gains.push(normalizedDiscountedGain(ranking, judgements));
    figures.answered.push({
      score: results[0]?.bestMatchScore ?? 0,
      isRight: (judgements.get(ranking[0] ?? "") ?? 0) > 0,
    });
  }
  for (const { text } of unanswerable) figures.unanswerable.push(await bestScore(text));
  for (const text of talk) figures.talk.push(await bestScore(text));
}
