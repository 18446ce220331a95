import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bot, Engine, type NewBot } from "@loredex/core";
import { NO_LIMITS } from "../bots/unlimited-bot.ts";
import { InventedText } from "../corpora/invented-text.ts";
import { median } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";

/**
 * Acknowledged article writes a second for 1, 16 and 64 writers, beside the bare write and fdatasync of the same bytes, one
 * after the other, on the same disk in the same run. "bare" calls the system directly; "bare async" as a server has to,
 * without standing still meanwhile.
 */

const WRITERS = [1, 16, 64];
const ARTICLE_BYTES = 256;

export async function writes({ short, json }: { short: boolean; json: boolean }): Promise<void> {
  const [rounds, roundMs] = short ? [1, 50] : [5, 2_000];
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  const rates = new Map<string, number[]>();
  const note = (name: string, rate: number): void => void rates.set(name, [...(rates.get(name) ?? []), rate]);
  try {
    const engine = await Engine.open({ directory, embedders: {} });
    const limits = NO_LIMITS;
    const recordBytes = await recordBytesOf(engine, limits);
    for (let round = 0; round < rounds; round += 1) {
      for (const writers of WRITERS) {
        const { bot: info } = await engine.createBot({ name: `${round} ${writers}`, ...limits });
        const bot = await engine.bot(info.id);
        note(String(writers), await writeArticles(bot, writers, roundMs));
        await engine.removeBot(info.id);
      }
      note("bare", bareRate(join(directory, "bare"), recordBytes, roundMs));
      note("bare async", await bareAsyncRate(join(directory, "bare-async"), recordBytes, roundMs));
    }
    await engine.close();
    const [bare, bareAsync] = [median(rates.get("bare") ?? []), median(rates.get("bare async") ?? [])];
    const rows = WRITERS.map((writers) => {
      const rate = median(rates.get(String(writers)) ?? []);
      return {
        writers,
        "writes/s": Math.round(rate),
        "× bare": rate / bare,
        "× bare async": rate / bareAsync,
        "bare/s": Math.round(bare),
        "bare async/s": Math.round(bareAsync),
        "bytes a record": recordBytes,
      };
    });
    if (json) console.log(JSON.stringify(rows));
    else printTable(rows);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Creates articles, each writer one after the other; what is indexed behind them counts as far as it slows them down. */
async function writeArticles(bot: Bot, writers: number, ms: number): Promise<number> {
  const text = new InventedText(writers);
  const bodies = Array.from({ length: 500 }, () => text.words(60).slice(0, ARTICLE_BYTES));
  let written = 0;
  const start = performance.now();
  const write = async (): Promise<void> => {
    while (performance.now() - start < ms) {
      await bot.createArticle({ title: "Written", body: bodies[written % bodies.length] ?? "" });
      written += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return written / ((performance.now() - start) / 1_000);
}

/** Bytes that such an article takes in the log, where no snapshot is due yet. */
async function recordBytesOf(engine: Engine, limits: Partial<NewBot>): Promise<number> {
  const { bot: info } = await engine.createBot({ name: "record", ...limits });
  const bot = await engine.bot(info.id);
  const before = (await bot.stats()).diskBytes;
  await bot.createArticle({ title: "Written", body: new InventedText(1).words(60).slice(0, ARTICLE_BYTES) });
  return (await bot.stats()).diskBytes - before;
}

function bareRate(path: string, bytes: number, ms: number): number {
  const file = openSync(path, "w");
  const fragment = Buffer.alloc(bytes, 7);
  let written = 0;
  const start = performance.now();
  while (performance.now() - start < ms) {
    writeSync(file, fragment, 0, bytes, written * bytes);
    fdatasyncSync(file);
    written += 1;
  }
  return written / ((performance.now() - start) / 1_000);
}

async function bareAsyncRate(path: string, bytes: number, ms: number): Promise<number> {
  const file = await open(path, "w");
  const fragment = Buffer.alloc(bytes, 7);
  let written = 0;
  const start = performance.now();
  while (performance.now() - start < ms) {
    await file.write(fragment, 0, bytes, written * bytes);
    await file.datasync();
    written += 1;
  }
  const rate = written / ((performance.now() - start) / 1_000);
  await file.close();
  return rate;
}
