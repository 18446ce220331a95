import type { Bot, DocumentInput, Quality } from "@loredex/core";
import { EmbeddersInUse } from "../bots/cached-embedder.ts";
import { type JudgedEmbedder, withJudgedBot } from "../bots/judged-bot.ts";
import {
  dataIsThere,
  JUDGED_SETS,
  type JudgedSet,
  type LineSet,
  type Question,
  questionsFor,
  squadLines,
  type Use,
} from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import {
  lineInAnyPart,
  lineInFirstPart,
  mean,
  median,
  normalizedDiscountedGain,
  recall,
  reciprocalRank,
} from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";
import { PEERS } from "../peers/peers.ts";
import { smallBotRelevance } from "./small-bots.ts";

/**
 * How well questions find the documents and lines that answer them: the whole product through its public API, beside other libraries.
 * Settings are chosen on questions of the use `tune`; what is claimed are the others.
 */

interface Measures {
  readonly questions: number;
  readonly "nDCG@10"?: number;
  readonly "MRR@10"?: number;
  readonly "recall@100"?: number;
  /** Share of questions whose answer's line is in the first part of the first document. */
  readonly "line first"?: number;
  /** Share of questions whose answer's line is in any part of the first ten documents. */
  readonly "line any"?: number;
  /** Of a search, the embedder's vector of the question being known already. */
  readonly "median µs": number;
}

interface Row extends Measures {
  readonly set: string;
  readonly by: string;
  readonly use: Use;
}

/** How a bot is asked. */
interface Way {
  readonly by: string;
  readonly embedder: JudgedEmbedder;
  readonly quality: Quality;
  /** Default true. */
  readonly rerank?: boolean;
}

const WAYS: readonly Way[] = [
  { by: "words", embedder: "none", quality: "best" },
  { by: "static", embedder: "static", quality: "fast" },
  { by: "static embedder asks", embedder: "minilm", quality: "fast" },
  { by: "two looks", embedder: "minilm", quality: "best", rerank: false },
  { by: "best", embedder: "minilm", quality: "best" },
  { by: "vectors alone", embedder: "vectors", quality: "best", rerank: false },
];

/** Other languages have another encoder, and no static embedder. */
const WAYS_OF_OTHERS: readonly Way[] = [
  { by: "words", embedder: "none", quality: "best" },
  { by: "two looks", embedder: "multilingual", quality: "best", rerank: false },
  { by: "best", embedder: "multilingual", quality: "best" },
  { by: "vectors alone", embedder: "vectors", quality: "best", rerank: false },
];

export async function relevance(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  if (options.small) return smallBotRelevance(options);
  const { short, json, only, use } = options;
  const table: Row[] = [];
  const embedders = new EmbeddersInUse();
  const uses: readonly Use[] = use === undefined ? ["tune", "report"] : [use];
  const asked = <Asked extends Question>(set: Parameters<typeof questionsFor<Asked>>[0], which: Use): Asked[] =>
    questionsFor(set, which).filter((_, i) => !short || i % SHORT_STEP === 0);
  try {
    for (const [name, load] of Object.entries(JUDGED_SETS)) {
      if (only !== undefined && only !== name) continue;
      const set = load();
      const documents = short ? set.documents.slice(0, SHORT_DOCUMENTS) : set.documents;
      const halves = uses.map((which) => ({ which, questions: asked(set, which) })).filter(hasQuestions);
      if (halves.length === 0) continue;
      for (const [by, open] of Object.entries(PEERS)) {
        const peer = open(documents);
        const search = async (text: string, count: number): Promise<string[]> => peer.search(text, count);
        for (const { which: half, questions } of halves) {
          table.push({ set: set.name, by, use: half, ...(await rankingMeasures(search, set, questions)) });
        }
        peer.close();
      }
      await inEveryWay(documents, set.language, embedders, async (bot, { by, quality }) => {
        const search = async (text: string, count: number): Promise<string[]> =>
          (await bot.search(text, { topK: count, quality })).map(({ resourceDocId }) => resourceDocId);
        for (const { which: half, questions } of halves) {
          table.push({ set: set.name, by, use: half, ...(await rankingMeasures(search, set, questions)) });
        }
      });
    }
    if (only === undefined || only === "squad-lines") {
      const set = squadLines();
      const documents = short ? set.documents.slice(0, SHORT_DOCUMENTS) : set.documents;
      await inEveryWay(documents, "en", embedders, async (bot, { by, quality }) => {
        for (const half of uses) {
          const questions = asked(set, half);
          table.push({ set: set.name, by, use: half, ...(await lineMeasures(bot, quality, questions)) });
        }
      });
    }
  } finally {
    await embedders.close();
  }
  if (json) console.log(JSON.stringify(table));
  else printTable(table);
}

/** A short run asks one question in this many, of the first documents: encoding all would take minutes. */
const SHORT_STEP = 100;
const SHORT_DOCUMENTS = 20;

function hasQuestions({ questions }: { readonly questions: readonly Question[] }): boolean {
  return questions.length > 0;
}

async function rankingMeasures(
  search: (text: string, count: number) => Promise<string[]>,
  { judgements }: JudgedSet,
  questions: readonly Question[],
): Promise<Measures> {
  const gains: number[] = [];
  const ranks: number[] = [];
  const recalls: number[] = [];
  const times: number[] = [];
  for (const { id, text } of questions) {
    const judged = judgements.get(id) ?? new Map<string, number>();
    // More than 20 results are reranked more deeply than the ten that most users ask for.
    const found = await search(text, 100);
    const before = performance.now();
    const ranking = await search(text, 10);
    times.push((performance.now() - before) * 1_000);
    gains.push(normalizedDiscountedGain(ranking, judged));
    ranks.push(reciprocalRank(ranking, judged));
    recalls.push(recall(found, judged, 100));
  }
  return {
    questions: questions.length,
    "nDCG@10": mean(gains),
    "MRR@10": mean(ranks),
    "recall@100": mean(recalls),
    "median µs": median(times),
  };
}

async function lineMeasures(bot: Bot, quality: Quality, questions: LineSet["questions"]): Promise<Measures> {
  const first: number[] = [];
  const any: number[] = [];
  const times: number[] = [];
  for (const { text, answer } of questions) {
    const before = performance.now();
    const results = await bot.search(text, { quality });
    times.push((performance.now() - before) * 1_000);
    const lines = new Map([[answer.documentId, [[answer.line, answer.line] as const]]]);
    first.push(lineInFirstPart(results, lines));
    any.push(lineInAnyPart(results, lines));
  }
  return { questions: questions.length, "line first": mean(first), "line any": mean(any), "median µs": median(times) };
}

/** Makes bots of the documents, waits until all is found by whatever it is found by, and measures. */
async function inEveryWay(
  documents: readonly DocumentInput[],
  language: string,
  embedders: EmbeddersInUse,
  measure: (bot: Bot, way: Way) => Promise<void>,
): Promise<void> {
  const encoder = await embedders.of(language);
  for (const way of language === "en" ? WAYS : WAYS_OF_OTHERS) {
    await withJudgedBot(documents, way.embedder, encoder, (bot) => measure(bot, way), language, way.rerank);
  }
}
