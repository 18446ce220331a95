import type { Bot, DocumentInput, Quality } from "@loredex/core";
import type { BenchOptions } from "./bench-options.ts";
import { EmbeddersInUse } from "./cached-embedder.ts";
import { type JudgedEmbedder, withJudgedBot } from "./judged-bot.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet, questionsFor, type Use } from "./judged-sets.ts";
import { median } from "./measures.ts";
import { seededRandom } from "./seeded-random.ts";
import { printTable } from "./table.ts";

/**
 * What becomes of questions that nothing here answers, in English and in German: of the questions on Wikipedia those on articles that the bot does not
 * have, and keyboard noise. A similarity is worth something if they stay below what answerable questions reach.
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
const STEPS: Readonly<Record<string, number>> = { "squad-paragraphs": 5, "xquad-de": 1 };
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
    const [answerable, foreign] = [texts(half), texts(half === "tune" ? "report" : "tune")];
    const documents = short ? documentsOf(set, half).slice(0, 20) : documentsOf(set, half);
    for (const [by, embedderName, quality] of set.language === "en" ? WAYS : WAYS_OF_OTHERS) {
      const measure = async (bot: Bot): Promise<void> => {
        const level = median(await bestScores(bot, answerable, quality));
        const [others, noise] = [
          await bestScores(bot, foreign, quality),
          await bestScores(bot, keyboardNoise(short ? 5 : 500), quality),
        ];
        const share = (scores: readonly number[], from: number): number =>
          scores.filter((score) => score > from).length / scores.length;
        table.push({
          set: set.name,
          by,
          use: half,
          "median best, answerable": level,
          "foreign: median best": median(others),
          "above that median": share(others, level),
          "noise: median best": median(noise),
          "noise above that median": share(noise, level),
          "noise with an answer": share(noise, 0),
        });
      };
      await withJudgedBot(documents, embedderName, embedder, measure, set.language);
    }
  }
}

type NonsenseWay = readonly [by: string, embedder: JudgedEmbedder, quality: Quality];

const WAYS: readonly NonsenseWay[] = [
  ["words", "none", "best"],
  ["student", "student", "fast"],
  ["student asks", "minilm", "fast"],
  ["best", "minilm", "best"],
];

const WAYS_OF_OTHERS: readonly NonsenseWay[] = [
  ["words", "none", "best"],
  ["best", "multilingual", "best"],
];

/** The paragraphs that questions of one use are asked about. */
function documentsOf(set: JudgedSet, use: Use): DocumentInput[] {
  const ids = new Set(questionsFor(set, use).flatMap(({ id }) => [...(set.judgements.get(id)?.keys() ?? [])]));
  return set.documents.filter(({ resourceDocId }) => ids.has(resourceDocId));
}

async function bestScores(bot: Bot, questions: readonly string[], quality: Quality): Promise<number[]> {
  const scores: number[] = [];
  for (const question of questions) {
    scores.push((await bot.search(question, { topK: 1, quality }))[0]?.bestMatchScore ?? 0);
  }
  return scores;
}

/** One to six words of three to ten letters, by seed. */
function keyboardNoise(count: number): string[] {
  const random = seededRandom(1);
  const below = (end: number): number => Math.floor(random() * end);
  const word = (): string => Array.from({ length: 3 + below(8) }, () => String.fromCharCode(97 + below(26))).join("");
  return Array.from({ length: count }, () => Array.from({ length: 1 + below(6) }, word).join(" "));
}
