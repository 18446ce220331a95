import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import type { OpenBot } from "../../src/open-bot.ts";
import { bareBot } from "../support/bare-bot.ts";
import { CAR, QUESTION } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const shared = (embedder: FakeEmbedder): SharedEmbedder =>
  new SharedEmbedder(
    "fake",
    { languages: [], open: async () => embedder },
    () => undefined,
    () => new Promise(() => undefined),
  );

async function botWith(embedder: SharedEmbedder, storage: KeptStorage): Promise<OpenBot> {
  if (!(await storage.exists("bot"))) await storage.create("bot");
  return bareBot(await storage.open("bot"), { embedder });
}

it("vectors of an embedder that was replaced never come behind those of the next, however quickly it is changed back", async () => {
  const storage = new KeptStorage();
  const first = shared(new FakeEmbedder({ version: "1" }));
  const bot = await botWith(first, storage);
  await bot.articles.create(CAR);
  await bot.whenUpgraded();
  const found = await bot.questions.search({ query: QUESTION });
  expect(found).toHaveLength(1);
  let letThrough = (): void => undefined;
  storage.gate = new Promise((resolve) => {
    letThrough = resolve;
  });
  await bot.useEmbedder(shared(new FakeEmbedder({ version: "2" })));
  await expect.poll(() => storage.waiting).toBe(1);
  const changes = [bot.useEmbedder(undefined), bot.useEmbedder(first), bot.questions.search({ query: QUESTION })];
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  letThrough();
  await Promise.all(changes);
  await bot.whenUpgraded();
  expect(bot.stats().vectors).toMatchObject({ vectors: 2, documentsWaiting: 0 });
  expect(await bot.questions.search({ query: QUESTION })).toEqual(found);
  await bot.close();
  const embedder = new FakeEmbedder({ version: "1" });
  const again = await botWith(shared(embedder), storage);
  await again.whenUpgraded();
  expect(await again.questions.search({ query: QUESTION })).toEqual(found);
  expect(embedder.passages).toEqual([]);
  await again.close();
});
