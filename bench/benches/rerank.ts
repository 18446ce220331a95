import type { Embedder, TokenCalibration } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { leastDistances } from "../../packages/core/src/search/rerank/max-sim.ts";
import { plainLeastDistances } from "../../packages/core/src/search/rerank/plain-distances.ts";
import { closenessOf, rerankedScore } from "../../packages/core/src/search/rerank/reranked-score.ts";
import { CachedEmbedder } from "../bots/cached-embedder.ts";
import { CachedTokenCodes, type TokenCodesEncoder } from "../bots/cached-token-codes.ts";
import { type LookedAt, Looker } from "../bots/compared.ts";
import { withJudgedBot } from "../bots/judged-bot.ts";
import { reranked } from "../bots/reranked.ts";
import {
  dataIsThere,
  JUDGED_SETS,
  type JudgedSet,
  type Judgements,
  questionsFor,
  type Use,
} from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { mean, median, normalizedDiscountedGain, percentile } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";
import { noiseAfter } from "./nonsense.ts";

/**
 * Does reranking pay? The product's own answers of best quality, put in another order by late interaction on the token codes of its own
 * parts: for several weights, numbers of documents, levels and widths. And what the comparing takes. Settings are chosen on questions of the use `tune`.
 */
export async function rerank(
  { short, json, only, use = "tune" }: BenchOptions,
  open: (language: string) => Promise<TellingEncoder> = openEncoder,
): Promise<void> {
  if (!dataIsThere()) return;
  const choices: object[] = [];
  const levels: object[] = [];
  for (const name of only === undefined ? SETS : [only]) {
    const set = JUDGED_SETS[name]?.();
    if (set === undefined || questionsFor(set, use).length === 0) continue;
    const measured = await measuredSet(set, use, short, await open(set.language));
    if (measured === undefined) continue;
    choices.push(...measured.choices);
    levels.push(...measured.levels);
  }
  const costs = costRows(short);
  if (json) console.log(JSON.stringify({ choices, levels, costs }));
  else {
    for (const table of [choices, levels, costs]) {
      printTable(table);
      console.log("");
    }
  }
}

/** Without `--only`: those whose passages the encoders read within minutes. */
const SETS = ["squad-paragraphs", "cranfield", "stackfaq-doc", "stackfaq-qna", "xquad-de"];

/** How reranking is taken. */
export interface Setting {
  /** Token codes of a token. */
  readonly bits: number;
  /** So many of the best documents are looked at. */
  readonly documents: number;
  /** What a similarity of tokens weighs beside a score, between the two levels. */
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

const BASE: Setting = { bits: 384, documents: 20, slope: 1, low: 0, high: 1 };
const WIDTHS = [384, 256, 128];
const DOCUMENTS_MAX = 30;

/** One thing changed at a time. */
function settingsAround(levels: Levels): Setting[] {
  const { usual, low, high, highest } = levels;
  return [
    ...[0.25, 0.5, 0.75, 1, 1.5, 2.5].map((slope) => ({ ...BASE, slope })),
    ...[10, 30].map((documents) => ({ ...BASE, documents })),
    ...[256, 128].map((bits) => ({ ...BASE, bits })),
    { ...BASE, high },
    { ...BASE, high: highest },
    { ...BASE, low: usual, high: highest },
    { ...BASE, low, high: highest },
    { ...BASE, low: usual, high: highest, slope: 1.5 },
  ];
}

export function calibrationOf({ slope, low, high }: Setting): TokenCalibration {
  return { low, high, weight: slope * (high - low) };
}

/** What similarities of tokens reach. */
interface Levels {
  /** The median of the best that documents reach which other questions have found. */
  readonly usual: number;
  /** The same, which one question in a hundred exceeds. */
  readonly low: number;
  /** The median of what documents reach that are judged to answer. */
  readonly high: number;
  /** What one in twenty of these exceeds. */
  readonly highest: number;
}

interface Asked {
  readonly judged: Judgements;
  readonly looked: LookedAt;
}

const SHORT_STEP = 100;
const SHORT_DOCUMENTS = 20;
const NOISE_COUNT = 150;

async function measuredSet(
  set: JudgedSet,
  use: Use,
  short: boolean,
  encoder: TellingEncoder,
): Promise<{ readonly choices: object[]; readonly levels: object[] } | undefined> {
  const { tokens } = encoder;
  if (tokens === undefined) {
    console.error(`Not measured: ${encoder.id} tells no tokens`);
    await encoder.close();
    return undefined;
  }
  const tokenCodes = new CachedTokenCodes(encoder.id, tokens);
  const embedder = new CachedEmbedder(tokenCodes.keeping(encoder));
  try {
    const documents = short ? set.documents.slice(0, SHORT_DOCUMENTS) : set.documents;
    const questions = questionsFor(set, use).filter((_, i) => !short || i % SHORT_STEP === 0);
    const looker = new Looker(tokenCodes, documents);
    const name = set.language === "en" ? "minilm" : "multilingual";
    return await withJudgedBot(
      documents,
      name,
      embedder,
      async (bot) => {
        const ask = (text: string): Promise<LookedAt> => looker.ask(bot, text, DOCUMENTS_MAX, WIDTHS);
        const asked: Asked[] = [];
        for (const { id, text } of questions) {
          asked.push({ judged: set.judgements.get(id) ?? new Map(), looked: await ask(text) });
        }
        const others: LookedAt[] = [];
        for (const [i, { text }] of questions.entries()) {
          // Far away in the set: its neighbours ask about the same article.
          const found = asked[(i + (asked.length >> 1)) % asked.length]?.looked.found ?? [];
          others.push({ found, similarities: await looker.similarities(text, found, WIDTHS) });
        }
        const noise: LookedAt[] = [];
        const odd = Object.values(
          noiseAfter(
            questions.map(({ text }) => text),
            short ? 5 : NOISE_COUNT,
          ),
        ).flat();
        for (const text of odd) noise.push(await ask(text));
        const known = levelsOf(asked, others, BASE.bits);
        const about = { set: set.name, use, questions: asked.length };
        return {
          choices: settingsAround(known).map((setting) => ({ ...about, ...choiceRow(asked, noise, setting) })),
          levels: WIDTHS.map((bits) => ({ ...about, bits, ...levelRow(asked, others, noise, bits) })),
        };
      },
      set.language,
    );
  } finally {
    tokenCodes.close();
    await embedder.close();
  }
}

/** An encoder that may tell the token codes. */
type TellingEncoder = Embedder & { readonly tokens?: TokenCodesEncoder };

function openEncoder(language: string): Promise<TellingEncoder> {
  return language === "en" ? openMiniLm() : openMultilingual();
}

/** The documents that a question finds by all three looks, best first. */
export function rankedBy({ found, similarities }: LookedAt, setting: Setting): string[] {
  const looked = similarities.get(setting.bits)?.slice(0, setting.documents) ?? [];
  const known = looked.map((similarity, i) => (found[i]?.score === 1 ? undefined : similarity));
  return reranked(found, known, calibrationOf(setting)).map(({ id }) => id);
}

/** What a setting makes of the order, and of how noise stands beside questions: rankings judged before and after. */
export function choiceRow(asked: readonly Asked[], noise: readonly LookedAt[], setting: Setting): object {
  const before = asked.map(({ judged, looked }) =>
    judgedRanking(
      looked.found.map(({ id }) => id),
      judged,
    ),
  );
  const after = asked.map(({ judged, looked }) => judgedRanking(rankedBy(looked, setting), judged));
  const differences = after.map(({ gain }, i) => gain - (before[i]?.gain ?? 0));
  const best = (looked: LookedAt): number => bestAfter(looked, setting);
  return {
    ...setting,
    "nDCG@10": mean(after.map(({ gain }) => gain)),
    "was nDCG": mean(before.map(({ gain }) => gain)),
    first: mean(after.map(({ first }) => first)),
    "was first": mean(before.map(({ first }) => first)),
    z: standardScore(differences),
    "noise above": shareAboveMedian(
      noise.map(best),
      asked.map(({ looked }) => best(looked)),
    ),
    "was above": shareAboveMedian(
      noise.map(({ found }) => found[0]?.score ?? 0),
      asked.map(({ looked: { found } }) => found[0]?.score ?? 0),
    ),
  };
}

interface JudgedRanking {
  readonly gain: number;
  /** 1 if the first document is relevant, else 0. */
  readonly first: number;
}

function judgedRanking(ranking: readonly string[], judged: Judgements): JudgedRanking {
  return { gain: normalizedDiscountedGain(ranking, judged), first: (judged.get(ranking[0] ?? "") ?? 0) > 0 ? 1 : 0 };
}

/** The best score after reranking; 0 where nothing is found. */
function bestAfter({ found, similarities }: LookedAt, setting: Setting): number {
  const looked = similarities.get(setting.bits)?.slice(0, setting.documents) ?? [];
  const calibration = calibrationOf(setting);
  return Math.max(
    0,
    ...looked.map((similarity, i) =>
      rerankedScore(found[i]?.score ?? 0, closenessOf(similarity, calibration), calibration.weight),
    ),
  );
}

/** By how many of its standard errors a mean lies above 0; 0 where nothing differs. */
export function standardScore(differences: readonly number[]): number {
  const middle = mean(differences);
  const variance = mean(differences.map((each) => (each - middle) ** 2));
  return variance === 0 ? 0 : middle / Math.sqrt(variance / differences.length);
}

function shareAboveMedian(scores: readonly number[], of: readonly number[]): number {
  const level = median(of);
  return scores.filter((score) => score > level).length / scores.length;
}

function levelsOf(asked: readonly Asked[], others: readonly LookedAt[], bits: number): Levels {
  const right = rightSimilarities(asked, bits);
  const unrelated = bestOf(others, bits);
  return {
    usual: median(unrelated),
    low: percentile(unrelated, 0.99),
    high: median(right),
    highest: percentile(right, 0.95),
  };
}

function levelRow(
  asked: readonly Asked[],
  others: readonly LookedAt[],
  noise: readonly LookedAt[],
  bits: number,
): object {
  const right = rightSimilarities(asked, bits);
  return {
    "right 5 %": percentile(right, 0.05),
    "right 50 %": median(right),
    "right 95 %": percentile(right, 0.95),
    "others 50 %": median(bestOf(others, bits)),
    "others 99 %": percentile(bestOf(others, bits), 0.99),
    "noise 50 %": median(bestOf(noise, bits)),
    "noise 99 %": percentile(bestOf(noise, bits), 0.99),
  };
}

/** Of documents that are judged to answer, where they were found. */
function rightSimilarities(asked: readonly Asked[], bits: number): number[] {
  return asked.flatMap(({ judged, looked: { found, similarities } }) =>
    (similarities.get(bits) ?? []).filter((_, i) => (judged.get(found[i]?.id ?? "") ?? 0) > 0),
  );
}

function bestOf(looked: readonly LookedAt[], bits: number): number[] {
  return looked.map(({ similarities }) => Math.max(0, ...(similarities.get(bits) ?? []).slice(0, BASE.documents)));
}

/** What comparing questions of some lengths with twenty passages of 160 tokens takes. */
function costRows(short: boolean): object[] {
  const rounds = short ? 3 : 200;
  const bytes = BASE.bits / 8;
  const bitsOf = (tokens: number): Uint8Array =>
    Uint8Array.from({ length: tokens * bytes }, (_, i) => (i * i * 31) >> 3);
  const passages = bitsOf(160 * BASE.documents);
  return [12, 64].map((tokens) => {
    const question = bitsOf(tokens);
    const out = new Uint16Array(tokens);
    const took = (compare: (start: number, end: number) => void): number => {
      const times = Array.from({ length: rounds }, () => {
        const start = performance.now();
        for (let at = 0; at < BASE.documents; at++) compare(at * 160, (at + 1) * 160);
        return (performance.now() - start) * 1_000;
      });
      return median(times);
    };
    return {
      "question's tokens": tokens,
      "tokens compared": 160 * BASE.documents,
      "kernel µs": took((start, end) => leastDistances(question, passages, start, end, bytes, out)),
      "plain µs": took((start, end) =>
        plainLeastDistances(question, passages.subarray(start * bytes, end * bytes), bytes, out),
      ),
    };
  });
}
