import { type Bot, Engine } from "@loredex/core";
import MiniSearch from "minisearch";
import { unlimitedBot } from "../bots/unlimited-bot.ts";
import { InventedText } from "../corpora/invented-text.ts";
import { mistyped } from "../corpora/mistyping.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { median, percentile, spreadOf } from "../measuring/measures.ts";
import { type Aim, report } from "../measuring/report.ts";

/**
 * How long suggestions of a search box take, beside MiniSearch's `autoSuggest` over the same texts in the same run, in turns, with the same tolerated mistakes: for
 * a letter, a beginning, a word and a half, and the same mistyped. `after a write` replaces a document before each call. `first` collects the texts.
 */

const PASSAGES = 50_000;
const SECTIONS = 5;
const QUESTIONS = 200;
/** Questions before those that count in each round. Meanwhile the memory is collected that the peer has left. */
const WARM_UP = 40;
const ROUNDS = 5;
/** One of this number of questions is asked of the peer too, which may take a second for a letter. */
const PEER_EVERY = 20;
const LIMIT = 8;
const SEED = 20_261_128;
const DOCUMENTS_AT_A_TIME = 100;
const MS_MAX = 5;

interface Row {
  readonly typed: string;
  readonly passages: number;
  readonly "median ms": number;
  readonly "p99 ms": number;
  readonly "MiniSearch, median ms"?: number;
  readonly "MiniSearch, p99 ms"?: number;
  /** Median of the peer through ours. */
  readonly "× MiniSearch"?: number;
  readonly spread: number;
}

interface Corpus {
  readonly documents: readonly { readonly title: string; readonly md: string }[];
  readonly texts: readonly string[];
}

export async function suggest({ short, json, sizes }: BenchOptions): Promise<void> {
  const passages = short ? 1_000 : (sizes?.[0] ?? PASSAGES);
  const corpus = corpusOf(passages / SECTIONS);
  const engine = await Engine.open({ embedders: {} });
  const { bot } = await unlimitedBot(engine, "suggest", "none");
  for (let i = 0; i < corpus.documents.length; i += DOCUMENTS_AT_A_TIME) {
    const some = corpus.documents.slice(i, i + DOCUMENTS_AT_A_TIME);
    await Promise.all(some.map((document, n) => put(bot, i + n, document)));
  }
  await bot.whenSearchable();
  const firstMs = await timeOf(() => bot.suggest("a"));
  const first: Row = { typed: "first call", passages, "median ms": firstMs, "p99 ms": firstMs, spread: 0 };
  const peer = peerOf(corpus.texts);
  const questions = short ? 10 : QUESTIONS;
  const rounds = short ? 1 : ROUNDS;
  const rows: Row[] = [first];
  for (const [typed, prefixes] of typedOf(corpus.texts, questions)) {
    rows.push(await measured({ typed, passages, rounds, prefixes, ask: (prefix) => bot.suggest(prefix), peer }));
  }
  const beginnings = prefixesOf(corpus.texts, questions, (text) => text.slice(0, 3));
  let version = 0;
  const before = async (): Promise<void> => {
    await put(bot, version % corpus.documents.length, { title: `Written ${version++}`, md: "## Heading\n\nText." });
    await bot.whenSearchable();
  };
  const afterWrite = { typed: "after a write", passages, rounds, prefixes: beginnings, before };
  rows.push(await measured({ ...afterWrite, ask: (prefix) => bot.suggest(prefix) }));
  await engine.close();
  report({ json }, rows, aims(rows));
}

function corpusOf(count: number): Corpus {
  const text = new InventedText(11);
  const texts: string[] = [];
  const documents = Array.from({ length: count }, () => {
    const [title, ...headings] = [text.words(6), ...Array.from({ length: SECTIONS }, () => text.words(4))];
    texts.push(title, ...headings);
    return { title, md: headings.map((heading) => `## ${heading}\n\n${text.words(60)}`).join("\n\n") };
  });
  return { documents, texts };
}

async function put(bot: Bot, number: number, { title, md }: Corpus["documents"][number]): Promise<void> {
  await bot.importDocument({ resourceDocId: `d${number}`, type: "DOCUMENT", metaData: { title }, content: [{ md }] });
}

function peerOf(texts: readonly string[]): (prefix: string) => unknown {
  const index = new MiniSearch<{ readonly id: number; readonly text: string }>({ fields: ["text"] });
  index.addAll(texts.map((text, id) => ({ id, text })));
  const fuzzy = (term: string): number | false => (term.length < 4 ? false : term.length < 8 ? 1 : 2);
  return (prefix) => index.autoSuggest(prefix, { fuzzy }).slice(0, LIMIT);
}

/** What is typed, by name: beginnings of texts that are there. */
function typedOf(texts: readonly string[], count: number): readonly (readonly [name: string, prefixes: string[]])[] {
  const half = (text: string): string => text.split(" ").slice(0, 2).join(" ").slice(0, -2);
  return [
    ["a letter", prefixesOf(texts, count, (text) => text.charAt(0))],
    ["three letters", prefixesOf(texts, count, (text) => text.slice(0, 3))],
    ["a word and a half", prefixesOf(texts, count, half)],
    ["the same, mistyped", prefixesOf(texts, count, (text) => mistyped(half(text), SEED))],
    ["a whole text", prefixesOf(texts, count, (text) => text)],
  ];
}

function prefixesOf(texts: readonly string[], count: number, prefix: (text: string) => string): string[] {
  const step = Math.max(1, Math.floor(texts.length / count));
  return Array.from({ length: count }, (_, i) => prefix(texts[(i * step) % texts.length] ?? ""));
}

interface Measuring {
  readonly typed: string;
  readonly passages: number;
  readonly rounds: number;
  readonly prefixes: readonly string[];
  readonly ask: (prefix: string) => unknown;
  /** Asked some of the same, in turns. */
  readonly peer?: (prefix: string) => unknown;
  /** Called before each question, and not timed. */
  readonly before?: () => Promise<void>;
}

async function measured({ typed, passages, rounds, prefixes, ask, peer, before }: Measuring): Promise<Row> {
  const [own, others]: [number[], number[]] = [[], []];
  const medians: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const inRound: number[] = [];
    for (let i = -WARM_UP; i < prefixes.length; i++) {
      const prefix = prefixes[(i + WARM_UP) % prefixes.length] ?? "";
      await before?.();
      const ms = await timeOf(() => ask(prefix));
      if (i >= 0) inRound.push(ms);
    }
    own.push(...inRound);
    for (const [i, prefix] of prefixes.entries()) {
      if (peer !== undefined && i % PEER_EVERY === 0) others.push(await timeOf(() => peer(prefix)));
    }
    medians.push(median(inRound));
  }
  const row = {
    typed,
    passages,
    "median ms": median(own),
    "p99 ms": percentile(own, 0.99),
    spread: spreadOf(medians),
  };
  if (peer === undefined) return row;
  const beside = { "MiniSearch, median ms": median(others), "MiniSearch, p99 ms": percentile(others, 0.99) };
  return { ...row, ...beside, "× MiniSearch": median(others) / median(own) };
}

async function timeOf(work: () => unknown): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

function aims(rows: readonly Row[]): Aim[] {
  return rows.slice(1).map((row) => ({
    what: `${row.typed}, p99 ms`,
    measured: row["p99 ms"],
    aim: MS_MAX,
    is: "at most",
  }));
}
