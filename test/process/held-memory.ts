/** What bots take in memory, and what they are estimated to take: a line of JSON for each shape of what they hold. Started with `--expose-gc` and a directory. */

import { setTimeout as sleep } from "node:timers/promises";
import { type Bot, type DocumentInput, Engine } from "@loredex/core";
import { HELD_SHAPES, type HeldShape } from "./held-shapes.ts";

const [directory = ""] = process.argv.slice(2);
const PLENTY = 1_000_000_000;
const AT_ONCE = 32;
const LIMITS = {
  quotaCharacters: PLENTY,
  rateCharactersPerMinute: PLENTY,
  quotaBytes: PLENTY,
  rateBytesPerMinute: PLENTY,
};

const engine = await Engine.open({ directory, embedders: {} });

/** As a server is given it. */
function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value));
}

async function fill(bot: Bot, { make }: HeldShape, from: number, count: number): Promise<void> {
  for (let at = from; at < from + count; at += AT_ONCE) {
    const rounds = Array.from({ length: Math.min(AT_ONCE, from + count - at) }, (_, i) => at + i);
    await Promise.all(
      rounds.map(async (round) => {
        const { article, document } = make(round);
        if (article !== undefined) await bot.createArticle(sent(article));
        if (document !== undefined) await bot.importDocument(sent(document) as DocumentInput);
      }),
    );
  }
  await bot.whenSearchable();
  await bot.search("anything at all");
  // Looks for the language of the documents, which the process keeps tens of megabytes for.
  await bot.stats();
}

/** Readings that must find nothing left to be collected. */
const READINGS = 10;

/** Bytes in use when nothing is left to be collected. On a busy machine a snapshot may still be on its way to the disk, and hold what it writes. */
async function usedBytes(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let readings = 0; readings < READINGS; readings += 1) {
    await sleep(50);
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external < least * 0.999) readings = 0;
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

/** The bot that is open: the others have been removed. */
function estimatedBytes(id: string): number {
  return engine.figures().openBots.find((bot) => bot.id === id)?.memoryBytes ?? 0;
}

async function measured(shape: HeldShape): Promise<object> {
  const { bot: info } = await engine.createBot({ name: shape.what, ...LIMITS });
  const bot = await engine.bot(info.id);
  // What is made once, whatever comes, is there before.
  const first = Math.ceil(shape.count / 10);
  await fill(bot, shape, 0, first);
  const [used, estimated] = [await usedBytes(), estimatedBytes(bot.id)];
  await fill(bot, shape, first, shape.count);
  const bytes = ((await usedBytes()) - used) / shape.count;
  const estimate = (estimatedBytes(bot.id) - estimated) / shape.count;
  await engine.removeBot(bot.id);
  return { what: shape.what, bytes, estimate };
}

for (const shape of HELD_SHAPES) process.stdout.write(`${JSON.stringify(await measured(shape))}\n`);
await engine.close();
