import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const LARGE = { name: "bot", quotaCharacters: 10_000_000, rateCharactersPerMinute: 10_000_000 };

/** Any turn is over as soon as somebody looks at it. */
function hastyClock(): Clock {
  let ms = 0;
  return { wallMs: () => 1_800_000_000_000, monotonicMs: () => (ms += 100) };
}

/** Fills a bot, in its log or in a snapshot, and returns how often others have their turn while it is opened again. */
async function turnsWhileOpening(documents: number, isSnapshot: boolean): Promise<number> {
  const storage = new KeptStorage();
  const engine = await Engine.open({ storage, embedders: {} });
  await engine.createBot(LARGE);
  const bot = await engine.bot("bot");
  for (let i = 0; i < documents; i++) {
    await bot.createArticle({ title: `Article ${i}`, body: `A text about thing${i}.` });
  }
  await bot.whenSearchable();
  if (isSnapshot) await bot.snapshot();
  await engine.close();
  const again = await Engine.open({ storage, clock: hastyClock(), embedders: {} });
  let isOpen = false;
  const opening = again.bot("bot").then((opened) => {
    isOpen = true;
    return opened;
  });
  let turns = 0;
  for (; !isOpen; turns++) await setImmediate();
  expect((await (await opening).listArticles()).length).toBe(documents);
  expect((await (await opening).search("thing7")).length).toBe(1);
  await again.close();
  return turns;
}

it.each([
  ["a snapshot", true],
  ["a log", false],
])("others have their turn between any two documents of a bot that is opened from %s", async (_, isSnapshot) => {
  const once = await turnsWhileOpening(100, isSnapshot);
  const twice = await turnsWhileOpening(200, isSnapshot);
  // Each is read, its hashes and itself are entered, and what the index lacks is looked for; what the log alone has is cut and analysed as well.
  expect(twice - once).toBeGreaterThan(isSnapshot ? 350 : 950);
});
