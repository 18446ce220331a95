import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bot, Engine, openEnglishStatic, type SearchOptions } from "@loredex/core";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import { InventedText } from "../corpora/invented-text.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { median, spreadOf } from "../measuring/measures.ts";
import { type Aim, report } from "../measuring/report.ts";

/**
 * How long a filtered question takes, beside the same question without a filter in the same run: by words, and by words and the static embedder's
 * vectors. `first` is a filter that was not asked before, so that it is checked on each document.
 */

const PASSAGES = 50_000;
const QUESTIONS = 200;
/** Questions before those that count. */
const WARM_UP = 40;
const ROUNDS = 5;
/** How far apart the questions of two searches in a row are. */
const DISTANCE = 7;
/** One of this number of questions is asked with a filter that was not asked before. */
const FIRST_EVERY = 5;
/** Percents of the documents that a filter allows. */
const SHARES = [1, 10, 50, 90] as const;
const DOCUMENTS_AT_A_TIME = 100;

type Filters = NonNullable<SearchOptions["filters"]>;

interface Row {
  readonly asked: string;
  readonly "allowed %": number;
  readonly passages: number;
  readonly "median µs": number;
  readonly "× unfiltered": number;
  readonly "first, median µs": number;
  readonly spread: number;
}

export async function filters({ short, json, sizes }: BenchOptions): Promise<void> {
  const passages = short ? 1_000 : (sizes?.[0] ?? PASSAGES);
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  const rows: Row[] = [];
  try {
    const embedders = { static: { languages: [], static: openEnglishStatic } };
    const engine = await Engine.open({ directory, embedders });
    for (const [asked, embedder] of [
      ["by words", "none"],
      ["by words and vectors", "static"],
    ] as const) {
      const { bot } = await unlimitedBot(engine, asked, embedder);
      await fill(bot, passages);
      rows.push(
        ...(await measured(bot, { asked, passages, questions: short ? 10 : QUESTIONS, rounds: short ? 1 : ROUNDS })),
      );
    }
    await engine.close();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  report({ json }, rows, aims(rows));
}

async function fill(bot: Bot, passages: number): Promise<void> {
  const text = new InventedText(11);
  for (let i = 0; i < passages; i += DOCUMENTS_AT_A_TIME) {
    const documents = Array.from({ length: DOCUMENTS_AT_A_TIME }, (_, n) => ({
      resourceDocId: `d${i + n}`,
      type: "DOCUMENT" as const,
      metaData: { percent: n % 100, tags: ["all", `t${n}`] },
      content: [{ md: text.words(60) }],
    }));
    await Promise.all(documents.map((document) => bot.importDocument(document)));
  }
  await bot.whenSearchable();
  await whenGraphIsReady(bot);
}

interface Measuring {
  readonly asked: string;
  readonly passages: number;
  readonly questions: number;
  readonly rounds: number;
}

/**
 * Each question is asked without a filter and with each, in turns. Two searches in a row ask different questions: what is kept of a question, such as its
 * cosines, would help the second.
 */
async function measured(bot: Bot, { asked, passages, questions, rounds }: Measuring): Promise<Row[]> {
  const text = new InventedText(12);
  const all = Array.from({ length: questions }, () => text.words(6));
  const medians = new Map<string, number[]>();
  const medianOf = (name: string): number => median(medians.get(name) ?? []);
  const within = (share: number): Filters => ({ "metaData.percent": { lt: share } });
  const kept: readonly (readonly [string, Filters])[] = [
    ["none", {}],
    ...SHARES.map((share) => [`${share}`, within(share)] as const),
  ];
  let number = 0;
  const unasked = (share: number): Filters => ({ ...within(share), "metaData.number": { ne: number++ } });
  for (let round = 0; round < rounds; round++) {
    const times = new Map<string, number[]>();
    const time = async (name: string, query: string, filter: Filters): Promise<void> => {
      const begin = performance.now();
      await bot.search(query, { filters: filter });
      const us = (performance.now() - begin) * 1_000;
      times.set(name, [...(times.get(name) ?? []), us]);
    };
    for (let i = round === 0 ? -WARM_UP : 0; i < questions; i++) {
      if (i === 0) times.clear();
      for (const [n, [name, filter]] of kept.entries()) {
        await time(name, all[(i + WARM_UP + n * DISTANCE) % questions] ?? "", filter);
      }
    }
    for (const [i, query] of all.entries()) {
      for (const share of i % FIRST_EVERY === 0 ? SHARES : []) await time(`first ${share}`, query, unasked(share));
    }
    for (const [name, values] of times) medians.set(name, [...(medians.get(name) ?? []), median(values)]);
  }
  const row = (name: string, share: number): Row => ({
    asked,
    "allowed %": share,
    passages,
    "median µs": medianOf(name),
    "× unfiltered": medianOf(name) / medianOf("none"),
    "first, median µs": medianOf(share === 100 ? name : `first ${share}`),
    spread: spreadOf(medians.get(name) ?? []),
  });
  return [row("none", 100), ...SHARES.map((share) => row(`${share}`, share))];
}

function aims(rows: readonly Row[]): Aim[] {
  return rows
    .filter((row) => row["allowed %"] < 100)
    .map((row) => ({
      what: `${row.asked}, ${row["allowed %"]} % allowed, × unfiltered`,
      measured: row["× unfiltered"],
      aim: 1.3,
      is: "at most",
    }));
}
