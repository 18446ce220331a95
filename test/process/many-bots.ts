/**
 * A program with more bots than files that it may open: makes them, asks each and writes to each, and says what it saw. Run as
 * `many-bots.ts DIRECTORY BOTS ARTICLES` under a limit of open files.
 */

import { readdirSync } from "node:fs";
import { Engine } from "@loredex/core";

const [, , directory, botCount, articleCount] = process.argv;
if (directory === undefined) throw new Error("three arguments are needed");
const [BOTS, ARTICLES] = [Number(botCount), Number(articleCount)];

/** How many bots are asked at the same time. */
const LANES = 64;

const engine = await Engine.open({ directory, embedders: {} });
let descriptors = 0;
let openBots = 0;

function look(): void {
  descriptors = Math.max(descriptors, readdirSync("/proc/self/fd").length);
  openBots = Math.max(openBots, engine.openBots);
}

/** Works on every bot, some at the same time, in an order in which none comes soon again. */
async function each(work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < BOTS) {
      const number = next++;
      await work(number);
      if (number % 50 === 0) look();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

await each(async (number) => {
  await engine.createBot({ name: `bot ${number}`, embedder: "none", rateCharactersPerMinute: 1_000_000 });
  const bot = await engine.bot(`bot ${number}`);
  const articles = Array.from({ length: ARTICLES }, (_, i) => ({
    title: `Article ${i}`,
    body: `Word${number}x${i} is what only this article says. Returns are free for thirty days, and parcels to the north take five.`,
  }));
  await Promise.all(articles.map((article) => bot.createArticle(article)));
});
const held = await engine.bot("bot 0");
let [answers, writes] = [0, 0];
await each(async (number) => {
  const bot = await engine.bot(`bot ${number}`);
  const [first, ...others] = await bot.search(`Word${number}x${ARTICLES - 1}`);
  if (first?.metaData.title === `Article ${ARTICLES - 1}` && others.length === 0) answers += 1;
  await bot.createArticle({ title: "One more", body: `late${number}` });
  writes += 1;
});
let kept = 0;
await each(async (number) => {
  const { articles } = await (await engine.bot(`bot ${number}`)).stats();
  if (articles === ARTICLES + 1) kept += 1;
});
const isHeldUsable = (await held.search("late0")).length === 1;
look();
await engine.close();
process.stdout.write(`${JSON.stringify({ answers, writes, kept, descriptors, openBots, isHeldUsable })}\n`);
