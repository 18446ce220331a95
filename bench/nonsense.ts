import type { Bot, DocumentInput, Quality } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import type { BenchOptions } from "./bench-options.ts";
import { CachedEmbedder } from "./cached-embedder.ts";
import { type JudgedEmbedder, withJudgedBot } from "./judged-bot.ts";
import { dataIsThere, JUDGED_SETS, type JudgedSet, questionsFor, type Use } from "./judged-sets.ts";
import { median } from "./measures.ts";
import { seededRandom } from "./seeded-random.ts";
import { printTable } from "./table.ts";

/**
 * What becomes of questions that nothing here answers: of SQuAD's questions those on articles that the bot does not have, and keyboard noise.
 * A similarity is worth something if they stay below what answerable questions reach.
 */
export async function nonsense({ short, json, use }: BenchOptions): Promise<void> {
  const set = dataIsThere() ? JUDGED_SETS["squad-paragraphs"]?.() : undefined;
  if (set === undefined) return;
  const embedder = new CachedEmbedder(await openMiniLm());
  const table: object[] = [];
  try {
    for (const half of use === undefined ? (["tune", "report"] as const) : [use]) {
      const some = <Item>(items: readonly Item[]): Item[] => items.filter((_, i) => i % (short ? 400 : 5) === 0);
      const texts = (which: Use): string[] => some(questionsFor(set, which)).map(({ text }) => text);
      const [answerable, foreign] = [texts(half), texts(half === "tune" ? "report" : "tune")];
      const documents = short ? documentsOf(set, half).slice(0, 20) : documentsOf(set, half);
      for (const [by, name, quality] of WAYS) {
        await withJudgedBot(documents, name, embedder, async (bot) => {
          const level = median(await bestScores(bot, answerable, quality));
          const [others, noise] = [
            await bestScores(bot, foreign, quality),
            await bestScores(bot, keyboardNoise(short ? 5 : 500), quality),
          ];
          const share = (scores: readonly number[], from: number): number =>
            scores.filter((score) => score > from).length / scores.length;
          table.push({
            by,
            use: half,
            "median best, answerable": level,
            "foreign: median best": median(others),
            "above that median": share(others, level),
            "noise: median best": median(noise),
            "noise above that median": share(noise, level),
            "noise with an answer": share(noise, 0),
          });
        });
      }
    }
  } finally {
    await embedder.close();
  }
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

const WAYS: readonly (readonly [by: string, embedder: JudgedEmbedder, quality: Quality])[] = [
  ["words", "none", "best"],
  ["student", "student", "fast"],
  ["student asks", "minilm", "fast"],
  ["best", "minilm", "best"],
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
