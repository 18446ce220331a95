import { Engine } from "@loredex/core";
import { InventedText } from "../corpora/invented-text.ts";

/** `size-of-bot.ts DIRECTORY fill PASSAGES`, or `open`: see `sizes.ts`. Prints what it measured as JSON. */

const PARAGRAPHS = 10;
const WORDS_A_PARAGRAPH = 60;
const AT_ONCE = 16;

const [, , directory = "", what = "open", size = "0"] = process.argv;

const MEGABYTE = 1e6;

async function fill(passages: number): Promise<object> {
  const engine = await Engine.open({ directory });
  const { bot: info } = await engine.createBot({ name: "measured" });
  const bot = await engine.bot(info.id);
  const text = new InventedText(passages);
  for (let from = 0; from * PARAGRAPHS < passages; from += AT_ONCE) {
    const count = Math.min(AT_ONCE, Math.ceil(passages / PARAGRAPHS) - from);
    const documents = Array.from({ length: count }, (_, i) => ({
      resourceDocId: `page ${from + i}`,
      type: "DOCUMENT",
      metaData: { title: text.words(4) },
      content: [{ md: Array.from({ length: PARAGRAPHS }, () => `${text.words(WORDS_A_PARAGRAPH)}.`).join("\n\n") }],
    }));
    await Promise.all(documents.map((document) => bot.importDocument(document)));
  }
  await bot.whenUpgraded();
  await bot.snapshot();
  await engine.close();
  return {};
}

/** Resident memory when nothing more can be given back. */
function residentBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}

async function open(): Promise<object> {
  const engine = await Engine.open({ directory });
  const beforeBytes = residentBytes();
  const start = performance.now();
  const bot = await engine.bot("measured");
  await bot.search("anything at all");
  const openMs = performance.now() - start;
  await bot.whenUpgraded();
  const stats = await bot.stats();
  const passages = Object.values(stats.passages).reduce((sum, count) => sum + count, 0);
  const measured = {
    passages,
    "memory MB": (residentBytes() - beforeBytes) / MEGABYTE,
    "estimated MB": stats.memoryBytes / MEGABYTE,
    "process MB": residentBytes() / MEGABYTE,
    "disk MB": stats.diskBytes / MEGABYTE,
    graph: stats.vectors.graph,
    "to first answer ms": openMs,
  };
  await engine.close();
  return measured;
}

process.stdout.write(JSON.stringify(what === "fill" ? await fill(Number(size)) : await open()));
