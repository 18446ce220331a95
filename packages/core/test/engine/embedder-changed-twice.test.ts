import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { IdMaker } from "../../src/article/identifier.ts";
import type { BotInfo } from "../../src/domain/types.ts";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { OpenBot } from "../../src/open-bot.ts";
import { UnicodeAnalyzer } from "../../src/text/unicode.ts";
import { CAR, QUESTION } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";

const shared = (embedder: FakeEmbedder): SharedEmbedder =>
  new SharedEmbedder(
    "fake",
    { languages: [], open: async () => embedder },
    () => undefined,
    () => new Promise(() => undefined),
  );

const info: BotInfo = {
  id: "bot",
  name: "bot",
  quotaCharacters: 1_000,
  rateCharactersPerMinute: 1_000,
  language: "multi",
  embedder: "fake",
  quality: "best",
  createdAt: new Date(0).toISOString(),
  hasKey: false,
};

async function botWith(embedder: SharedEmbedder, storage: KeptStorage): Promise<OpenBot> {
  const clock = new TestClock();
  if (!(await storage.exists("bot"))) await storage.create("bot");
  return OpenBot.open({
    info: () => info,
    store: await storage.open("bot"),
    analyzer: new UnicodeAnalyzer(),
    clock,
    ids: new IdMaker(clock, seededRandom(1)),
    logger: () => undefined,
    sleep: () => new Promise(() => undefined),
    embedder,
    graphs: async () => ({ unavailable: "not here" }),
    graphVectorsMin: 1_000,
    background: true,
    onUnfinished: () => undefined,
  });
}

it("vectors of an embedder that was replaced never come behind those of the next, however quickly it is changed back", async () => {
  const storage = new KeptStorage();
  const first = shared(new FakeEmbedder({ version: "1" }));
  const bot = await botWith(first, storage);
  await bot.articles.create(CAR);
  await bot.whenUpgraded();
  const found = await bot.search({ query: QUESTION });
  expect(found).toHaveLength(1);
  let letThrough = (): void => undefined;
  storage.gate = new Promise((resolve) => {
    letThrough = resolve;
  });
  await bot.useEmbedder(shared(new FakeEmbedder({ version: "2" })));
  await expect.poll(() => storage.waiting).toBe(1);
  const changes = [bot.useEmbedder(undefined), bot.useEmbedder(first), bot.search({ query: QUESTION })];
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  letThrough();
  await Promise.all(changes);
  await bot.whenUpgraded();
  expect(bot.stats().vectors).toMatchObject({ vectors: 2, documentsWaiting: 0 });
  expect(await bot.search({ query: QUESTION })).toEqual(found);
  await bot.close();
  const embedder = new FakeEmbedder({ version: "1" });
  const again = await botWith(shared(embedder), storage);
  await again.whenUpgraded();
  expect(await again.search({ query: QUESTION })).toEqual(found);
  expect(embedder.passages).toEqual([]);
  await again.close();
});
