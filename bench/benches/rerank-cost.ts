import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bot, Engine } from "@loredex/core";
import { openHashed } from "../bots/hashed-embedder.ts";
import { unlimitedBot, whenGraphIsReady } from "../bots/unlimited-bot.ts";
import { withCorpus } from "../corpora/corpus.ts";
import { documentsIn, questionsIn } from "../corpora/corpus-files.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { mean, median, percentile } from "../measuring/measures.ts";
import { report } from "../measuring/report.ts";

/**
 * How much longer a question of best quality takes by its reranking: of one bot in a directory, without it, with all token codes in memory, and with none, so that every
 * question reads them from the disk. Vectors are the static embedder's and tokens a hash of each word: what is measured is the search, not an encoder.
 */
export async function rerankCost(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const { short, sizes = [20_000] } = options;
  const rows: LookingRow[] = [];
  for (const size of short ? [300] : sizes) {
    await withCorpus(size, short ? 20 : 1_000, async ({ directory: corpus, passages }) => {
      const directory = await mkdtemp(join(tmpdir(), "loredex-looking-"));
      try {
        for (const [way, more] of WAYS) {
          const engine = await Engine.open({
            directory,
            embedders: { hashed: { languages: ["en"], open: openHashed } },
            ...more,
          });
          if (engine.findBot("asked") === undefined) {
            const { bot } = await unlimitedBot(engine, "asked");
            for await (const document of documentsIn(corpus)) await bot.importDocument(document);
          }
          const bot = await engine.bot("asked");
          await whenGraphIsReady(bot);
          const { tokenCodes } = (await bot.stats()).vectors;
          const times = await asked(bot, await questionsIn(corpus));
          rows.push({
            passages,
            tokenCodes: way,
            "median µs": median(times),
            "mean µs": mean(times),
            "p99 µs": percentile(times, 0.99),
            "token codes MB": (tokenCodes?.diskBytes ?? 0) / 1e6,
          });
          await engine.close();
        }
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    });
  }
  const [without, inMemory, onDisk] = [rows.at(-1), rows.at(-3), rows.at(-2)];
  const more = (row: LookingRow | undefined): number | undefined =>
    row === undefined || without === undefined ? undefined : (row["median µs"] - without["median µs"]) / 1_000;
  report(options, rows, [
    { what: "ms more with token codes in memory", measured: more(inMemory), aim: 1, is: "at most" },
    { what: "ms more with token codes on the disk", measured: more(onDisk), aim: 2, is: "at most" },
  ]);
}

interface LookingRow {
  readonly passages: number;
  readonly tokenCodes: string;
  readonly "median µs": number;
  readonly "mean µs": number;
  readonly "p99 µs": number;
  readonly "token codes MB": number;
}

/** The last one deletes what the others need. */
const WAYS = [
  ["in memory", { rerankMemoryBytes: 4_000_000_000 }],
  ["on the disk", { rerankMemoryBytes: 0 }],
  ["none", { rerank: false }],
] as const;

/** Each question twice: once to warm up, and once for its time. */
async function asked(bot: Bot, questions: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const isTimed of [false, true]) {
    for (const question of questions) {
      const before = performance.now();
      await bot.search(question);
      if (isTimed) times.push((performance.now() - before) * 1_000);
    }
  }
  return times;
}
