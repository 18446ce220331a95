import type { Bot, DocumentInput, Quality } from "@loredex/core";
import { EmbeddersInUse } from "../bots/cached-embedder.ts";
import { type JudgedEmbedder, withJudgedBot } from "../bots/judged-bot.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet, questionsFor, type Use } from "../corpora/judged-sets.ts";
import { type Draw, drawBy, inventedWords, ODD_KINDS, shuffled, typedAtRandom } from "../corpora/noise-text.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { median } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";

/**
 * What becomes of questions that nothing here answers, in English, in German, and in German where the articles are English: of the questions on
 * Wikipedia those on articles that the bot does not have, and noise of several kinds. A similarity is worth something if they stay below what answerable
 * questions reach.
 */
export async function nonsense({ short, json, use, only }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const embedders = new EmbeddersInUse();
  const table: object[] = [];
  try {
    for (const name of Object.keys(STEPS)) {
      if (only === undefined || only === name) await measureSet(name, { short, use, table, embedders });
    }
  } finally {
    await embedders.close();
  }
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

/** The sets, and every so-manieth question of them that is asked: SQuAD has nine times as many. */
const STEPS: Readonly<Record<string, number>> = {
  "squad-paragraphs": 5,
  "xquad-en": 1,
  "xquad-de": 1,
  "xquad-de-en": 1,
};
const SHORT_STEPS = 80;

interface Measuring {
  readonly short: boolean;
  readonly use: Use | undefined;
  readonly table: object[];
  readonly embedders: EmbeddersInUse;
}

async function measureSet(name: string, { short, use, table, embedders }: Measuring): Promise<void> {
  const set = JUDGED_SETS[name]?.();
  if (set === undefined) return;
  const embedder = await embedders.of(set.language);
  const step = (STEPS[name] ?? 1) * (short ? SHORT_STEPS : 1);
  for (const half of use === undefined ? (["tune", "report"] as const) : [use]) {
    const some = <Item>(items: readonly Item[]): Item[] => items.filter((_, i) => i % step === 0);
    const texts = (which: Use): string[] => some(questionsFor(set, which)).map(({ text }) => text);
    const [answerable, unanswerable] = [texts(half), texts(half === "tune" ? "report" : "tune")];
    const documents = short ? documentsOf(set, half).slice(0, 20) : documentsOf(set, half);
    for (const [by, embedderName, quality] of set.language === "en" ? WAYS : WAYS_OF_OTHERS) {
      const measure = async (bot: Bot): Promise<void> => {
        const level = median(await bestScores(bot, answerable, quality));
        const row = (asked: string, scores: readonly number[]): object => ({
          set: set.name,
          by,
          use: half,
          asked,
          "median best": median(scores),
          "above the median of answerable": shareAbove(scores, level),
          "with an answer": shareAbove(scores, 0),
        });
        table.push({ set: set.name, by, use: half, asked: "answerable", "median best": level });
        table.push(row("unanswerable", await bestScores(bot, unanswerable, quality)));
        for (const [kind, questions] of Object.entries(noiseAfter(unanswerable, short ? 5 : NOISE_COUNT))) {
          table.push(row(kind, await bestScores(bot, questions, quality)));
        }
      };
      await withJudgedBot(documents, embedderName, embedder, measure, set.language);
    }
  }
}

type NonsenseWay = readonly [by: string, embedder: JudgedEmbedder, quality: Quality];

const WAYS: readonly NonsenseWay[] = [
  ["words", "none", "best"],
  ["static", "static", "fast"],
  ["static embedder asks", "minilm", "fast"],
  ["best", "minilm", "best"],
];

const WAYS_OF_OTHERS: readonly NonsenseWay[] = [
  ["words", "none", "best"],
  ["best", "multilingual", "best"],
];

/** The paragraphs that questions of one use are asked about. */
export function documentsOf(set: JudgedSet, use: Use): DocumentInput[] {
  const ids = new Set(questionsFor(set, use).flatMap(({ id }) => [...(set.judgements.get(id)?.keys() ?? [])]));
  return set.documents.filter(({ resourceDocId }) => ids.has(resourceDocId));
}

/** What the best answer to each question is worth; 0 where there is none. */
export async function bestScores(bot: Bot, questions: readonly string[], quality: Quality): Promise<number[]> {
  const scores: number[] = [];
  for (const question of questions) {
    scores.push((await bot.search(question, { topK: 1, quality }))[0]?.bestMatchScore ?? 0);
  }
  return scores;
}

const NOISE_COUNT = 300;
const WORDS_MAX = 6;
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Questions that mean nothing, a limited number of each kind: letters typed at random, the letters of these questions in another order, keys held down and other odd token codes, and words like theirs that no language has. */
export function noiseAfter(questions: readonly string[], count: number): Readonly<Record<string, string[]>> {
  const draw = drawBy(1);
  const words = inventedWords(questions, count * WORDS_MAX, draw);
  const odd = Object.values(ODD_KINDS);
  return {
    "typed at random": Array.from({ length: count }, () => typedAtRandom(LETTERS, wordCount(draw), draw)),
    shuffled: questions.slice(0, count).map((question) => shuffled(question, draw)),
    "odd token codes": Array.from({ length: count }, (_, i) => odd[i % odd.length]?.(draw) ?? ""),
    "invented words": Array.from({ length: count }, () => words.splice(0, wordCount(draw)).join(" ")),
  };
}

function wordCount(draw: Draw): number {
  return 1 + draw.below(WORDS_MAX);
}

/** The share of scores above this one. */
export function shareAbove(scores: readonly number[], level: number): number {
  return scores.filter((score) => score > level).length / scores.length;
}
