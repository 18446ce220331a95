import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { Engine, type EngineOptions } from "../../src/engine.ts";
import { bareBot } from "../support/bare-bot.ts";
import { CAR, offer } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** What a start needs to know of bots that an earlier run left with work. */

const TEXTS = ["The shop", "The shop\nYou can buy a car here."];

const away = {
  languages: [],
  open: async (): Promise<FakeEmbedder> => {
    throw new Error("The model server is away.");
  },
};

/** An engine with two embedders, whose vectors differ. */
async function withTwo(storage: KeptStorage, more: EngineOptions["embedders"] = {}) {
  const two: FakeEmbedder[] = [];
  const embedders = { one: offer([], { version: "1" }), two: offer(two, { version: "2" }), ...more };
  return { engine: await Engine.open({ storage, embedders }), two };
}

it.each(["a stop", "a crash"])(
  "after %s, a start makes the vectors of an embedder that was away when an open bot got it",
  async (end) => {
    const storage = new KeptStorage();
    const before = await withTwo(storage);
    await before.engine.createBot({ name: "bot", embedder: "one" });
    const bot = await before.engine.bot("bot");
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    await before.engine.close();
    const { engine } = await withTwo(storage, { two: away });
    onTestFinished(() => engine.close());
    await engine.bot("bot");
    await engine.updateBot("bot", { embedder: "two" });
    if (end === "a stop") await engine.close();
    const next = await withTwo(storage);
    await expect.poll(() => next.two[0]?.passages).toEqual(TEXTS);
    await next.engine.close();
  },
);

it("the answer to a change of embedder comes after the note, which is one record", async () => {
  const storage = new KeptStorage();
  const before = await withTwo(storage);
  await before.engine.createBot({ name: "bot", embedder: "one" });
  await before.engine.close();
  const embedders = { one: offer([]), two: away };
  const engine = await Engine.open({ storage, embedders, background: false });
  const { appended } = storage;
  await engine.updateBot("bot", { embedder: "two" });
  expect(storage.appended - appended).toBe(2);
  await engine.close();
});

it("an open bot gets the vectors of its next embedder in the background, also if it had none in between", async () => {
  const { engine, two } = await withTwo(new KeptStorage());
  await engine.createBot({ name: "bot", embedder: "one" });
  const bot = await engine.bot("bot");
  await bot.createArticle(CAR);
  await bot.whenUpgraded();
  for (const embedder of ["none", "two"]) await engine.updateBot("bot", { embedder });
  await expect.poll(() => two[0]?.passages).toEqual(TEXTS);
  await engine.close();
});

it("a start opens no empty bot whose embedder was changed, and opens no embedder for it", async () => {
  const storage = new KeptStorage();
  const { engine, two } = await withTwo(storage);
  await engine.createBot({ name: "bot", embedder: "none" });
  await engine.bot("bot");
  await engine.updateBot("bot", { embedder: "two" });
  await engine.close();
  const next = await withTwo(storage);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect([next.engine.openBots, two.length, next.two.length]).toEqual([0, 0, 0]);
  await next.engine.close();
});

it("a bot that is closed before its documents are indexed is noted", async () => {
  const storage = new KeptStorage();
  await storage.create("bot");
  const fake = async () => new FakeEmbedder();
  const sleep = () => new Promise<void>(() => undefined);
  const embedder = new SharedEmbedder("fake", { languages: [], open: fake }, () => undefined, sleep);
  const notes: boolean[] = [];
  const bot = await bareBot(await storage.open("bot"), { embedder, onUnfinished: (now) => notes.push(now) });
  const written = bot.articles.create(CAR);
  // The next search would wait for it.
  const closed = written.then(() => bot.close());
  await closed;
  expect(notes.at(-1)).toBe(true);
});
