import { mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { type Bot, Engine } from "@loredex/core";
import { InventedText } from "../corpora/invented-text.ts";
import { median } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";

/**
 * How long a bot takes from closed to its first answer, out of its snapshot and out of its log alone, beside reading the same
 * bytes with a CRC; what its directory takes; and what a snapshot costs the searches beside it.
 */

const SIZES = [1_000, 10_000, 50_000];
const SHORT_SIZES = [200];
const PARAGRAPHS = 10;
const READ_BYTES = 4_194_304;
const SEARCHES = 300;
/** Between two questions. */
const PAUSE_MS = 4;

export async function recovery({ short, json }: { short: boolean; json: boolean }): Promise<void> {
  const rows: object[] = [];
  for (const size of short ? SHORT_SIZES : SIZES) rows.push(await measure(size, short ? 1 : 9));
  if (json) console.log(JSON.stringify(rows));
  else printTable(rows);
}

async function measure(size: number, rounds: number): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  const text = new InventedText(size);
  const question = text.words(5);
  try {
    const id = await fill(directory, text, size);
    const store = join(directory, "stores", `bot-${id}`);
    const replayMs = (await hasWholeLog(store)) ? await msToAnswer(directory, id, question) : undefined;
    const engine = await Engine.open({ directory, embedders: {} });
    const bot = await engine.bot(id);
    await bot.snapshot();
    const quiet: number[] = [];
    const beside: number[] = [];
    // Nobody's first questions are measured. Then in turns, since the machine may be busier at one time than at another.
    await searchTimes(bot, text, () => wait(200));
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(percentile(await searchTimes(bot, text, () => wait(200)), 0.99));
      beside.push(percentile(await searchTimes(bot, text, () => bot.snapshot()), 0.99));
    }
    const passages = Object.values((await bot.stats()).passages).reduce((sum, count) => sum + count, 0);
    await engine.close();
    const snapshot = (await readdir(store)).filter((name) => name.startsWith("snapshot-")).sort();
    const newest = snapshot.filter((name) => name.startsWith(snapshot.at(-1)?.slice(0, 19) ?? "-"));
    const reads: number[] = [];
    const loads: number[] = [];
    let bytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now();
      bytes = await readWithChecksum(newest.map((name) => join(store, name)));
      reads.push(performance.now() - start);
      loads.push(await msToAnswer(directory, id, question));
    }
    const [readMs, loadMs] = [median(reads), median(loads)];
    return {
      passages,
      "snapshot MB": bytes / 1e6,
      "directory ÷ snapshot": (await bytesOf(store)) / bytes,
      "read + CRC MB/s": bytes / 1e3 / readMs,
      "to first answer MB/s": bytes / 1e3 / loadMs,
      "to first answer ms": loadMs,
      ...(replayMs === undefined ? {} : { "from the log alone ms": replayMs }),
      "search p99 ms": median(quiet),
      "beside a snapshot": median(beside),
      "× quiet": median(beside.map((p99, round) => p99 / (quiet[round] ?? p99))),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A bot of about so many passages whose log has everything; resolves with its id. */
async function fill(directory: string, text: InventedText, size: number): Promise<string> {
  const engine = await Engine.open({ directory, embedders: {} });
  const { bot: info } = await engine.createBot({ name: "recovered" });
  const bot = await engine.bot(info.id);
  for (let from = 0; from * PARAGRAPHS < size; from += 16) {
    const documents = Array.from({ length: 16 }, (_, i) => ({
      resourceDocId: `page ${from + i}`,
      type: "DOCUMENT",
      metaData: { title: text.words(4) },
      content: [{ md: text.page(PARAGRAPHS) }],
    }));
    await Promise.all(documents.map((document) => bot.importDocument(document)));
  }
  await bot.whenSearchable();
  await engine.close();
  // The log alone shall be read first.
  const store = join(directory, "stores", `bot-${info.id}`);
  if (await hasWholeLog(store)) {
    for (const name of await readdir(store)) if (name.startsWith("snapshot-")) await rm(join(store, name));
  }
  return info.id;
}

/** Whether no snapshot has made a part of the log superfluous yet. */
async function hasWholeLog(store: string): Promise<boolean> {
  return (await readdir(store)).includes("segment-0000000000000001.log");
}

/** From a closed directory to the first answer of a bot. */
async function msToAnswer(directory: string, id: string, question: string): Promise<number> {
  const start = performance.now();
  const engine = await Engine.open({ directory, embedders: {} });
  await (await engine.bot(id)).search(question);
  const ms = performance.now() - start;
  await engine.close();
  return ms;
}

async function readWithChecksum(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) {
    const file = await open(path, "r");
    const { size } = await file.stat();
    const content = Buffer.allocUnsafeSlow(size);
    let checksum = 0;
    for (let at = 0; at < size; at += READ_BYTES) {
      const fragment = content.subarray(at, Math.min(at + READ_BYTES, size));
      await file.read(fragment, 0, fragment.length, at);
      checksum = crc32(fragment, checksum);
    }
    await file.close();
    bytes += size;
  }
  return bytes;
}

/**
 * Milliseconds from when a question was due to its answer, while `beside` runs again and again: a question that has to
 * wait for its turn has waited, as in a server.
 */
async function searchTimes(bot: Bot, text: InventedText, beside: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < SEARCHES) {
    let isRunning = true;
    const running = beside().finally(() => {
      isRunning = false;
    });
    for (let due = performance.now() + PAUSE_MS; isRunning; due += PAUSE_MS) {
      const query = text.words(4);
      await wait(Math.max(0, due - performance.now()));
      await bot.search(query);
      times.push(performance.now() - due);
    }
    await running;
  }
  return times;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

async function bytesOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}
