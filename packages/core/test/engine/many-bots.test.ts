import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type Bot, Engine, type EngineOptions, MEMORY_BYTES_MIN } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { CAR, QUESTION } from "../support/embedded-bot.ts";
import { FakeEmbedder, type FakeOptions } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** Opens and closes an engine on storage that counts how many stores are open at once. */
async function counted(options: EngineOptions = {}, storage = new CountedStorage()) {
  const engine = await Engine.open({ storage, openBotsMax: 2, ...options });
  onTestFinished(() => engine.close());
  return { engine, storage };
}

class CountedStorage extends KeptStorage {
  readonly #open = new Set<string>();
  most = 0;

  override async open(name: string) {
    const store = await super.open(name);
    if (this.#open.has(name)) throw new Error(`${name} is opened twice`);
    this.#open.add(name);
    this.most = Math.max(this.most, this.#open.size);
    const close = store.close.bind(store);
    store.close = async () => {
      await close();
      this.#open.delete(name);
    };
    return store;
  }
}

const NAMES = ["one", "two", "three", "four", "five"];

async function withFive(options: EngineOptions = {}) {
  const { engine, storage } = await counted(options);
  for (const name of NAMES) await engine.createBot({ name, embedder: "none" });
  const bots = await Promise.all(NAMES.map((name) => engine.bot(name)));
  return { engine, storage, bots };
}

/** One bot more than there are places, each with an article that has no vector: nobody makes any who does not wait for them. */
async function withUnfinished(places: number, options: FakeOptions) {
  const embedders = { fake: { languages: ["en"], open: async () => new FakeEmbedder(options) } };
  const { engine, storage } = await counted({ openBotsMax: places, background: false, embedders });
  const bots: Bot[] = [];
  for (const name of NAMES.slice(0, places + 1)) {
    await engine.createBot({ name });
    const bot = await engine.bot(name);
    await bot.createArticle(CAR);
    await bot.whenSearchable();
    bots.push(bot);
  }
  return { engine, storage, bots };
}

it("more bots than may be open at once all take writes and answer, also when they are asked at the same time", async () => {
  const { engine, storage, bots } = await withFive();
  const writes = bots.flatMap((bot, i) =>
    ["apple", "pear", "plum"].map((word) => bot.createArticle({ title: `Of ${i}`, body: `A ${word}.` })),
  );
  await Promise.all(writes);
  await Promise.all(bots.map((bot) => bot.whenSearchable()));
  expect(engine.openBots).toBe(2);
  const found = await Promise.all(bots.map((bot) => bot.search("pear")));
  expect(found.map((results) => results.map(({ metaData }) => metaData.title))).toEqual(
    bots.map((_, i) => [`Of ${i}`]),
  );
  for (const bot of bots) {
    expect((await bot.listArticles()).map(({ status }) => status)).toEqual(["active", "active", "active"]);
  }
  // The catalog is a store as well.
  expect(storage.most).toBe(3);
});

it("a bot that is let go keeps its quota, its window and its agents to the last character", async () => {
  const { engine } = await counted({ openBotsMax: 1 });
  await engine.createBot({ name: "other" });
  await engine.createBot({ name: "one", quotaCharacters: 100, rateCharactersPerMinute: 60 });
  const bot = await engine.bot("one");
  await bot.putAgent("Ada", true);
  await bot.createArticle({ title: "four", body: "x".repeat(36) });
  await bot.whenSearchable();
  const before = await bot.stats();
  await engine.bot("other");
  expect(engine.openBots).toBe(1);
  expect(await bot.stats()).toEqual(before);
  expect(await bot.listAgents()).toEqual([{ name: "Ada", active: true }]);
  await expect(bot.createArticle({ title: "four", body: "x".repeat(17) })).rejects.toMatchObject({
    code: "RATE_EXCEEDED",
  });
});

it("memory is a budget as well: with room for one, the others are let go", async () => {
  const { engine, bots } = await withFive({ openBotsMax: 100, memoryBytes: MEMORY_BYTES_MIN });
  const content = [{ md: Array.from({ length: 40_000 }, (_, n) => `word${n}`).join(" ") }];
  for (const bot of bots) {
    await bot.createArticle(CAR);
    // Two bots take more than the least budget.
    await bot.importDocument({ resourceDocId: "long", type: "DOCUMENT", content });
  }
  for (const bot of bots) await bot.whenSearchable();
  await expect.poll(() => engine.openBots).toBe(1);
  for (const bot of bots) expect(await bot.search("car")).toHaveLength(1);
});

it("an engine without a directory lets nothing go, since nothing could bring it back", async () => {
  const engine = await Engine.open({ openBotsMax: 1, memoryBytes: MEMORY_BYTES_MIN });
  for (const name of NAMES) {
    await engine.createBot({ name });
    await (await engine.bot(name)).createArticle(CAR);
  }
  expect(engine.openBots).toBe(NAMES.length);
  for (const name of NAMES) expect(await (await engine.bot(name)).listArticles()).toHaveLength(1);
  await engine.close();
});

it.each([0, -1, 1.5, Number.NaN])("a budget of %d is refused before anything is opened", async (budget) => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-budget-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const option of ["openBotsMax", "memoryBytes", "memoryMaxBytes"]) {
    const opened = Engine.open({ directory, [option]: budget });
    await expect(opened).rejects.toMatchObject({ code: "VALIDATION", violations: [{ field: option }] });
  }
  // Nothing holds it.
  await (await Engine.open({ directory })).close();
});

it("a bot keeps its place while its backup is read, and is verified without taking one", async () => {
  const engine = await Engine.open({ storage: await openOn(simulatedDisk()), openBotsMax: 1 });
  for (const name of NAMES) {
    await engine.createBot({ name });
    await (await engine.bot(name)).createArticle(CAR);
  }
  const backup = engine.backup("one");
  const fragments = [(await backup.next()).value ?? new Uint8Array()];
  let isOtherOpen = false;
  const other = engine.bot("two").then(() => {
    isOtherOpen = true;
  });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isOtherOpen).toBe(false);
  for await (const fragment of backup) fragments.push(fragment);
  await other;
  expect((await engine.verify()).isWhole).toBe(true);
  expect(engine.openBots).toBe(1);
  const elsewhere = await Engine.open();
  await elsewhere.restore(
    (async function* () {
      yield* fragments;
    })(),
  );
  expect(await (await elsewhere.bot("one")).search("car")).toHaveLength(1);
  await elsewhere.close();
  await engine.close();
});

it("what is verified while bots are let go and opened again is whole", async () => {
  const engine = await Engine.open({ storage: await openOn(simulatedDisk()), openBotsMax: 1 });
  for (const name of NAMES) await engine.createBot({ name, rateCharactersPerMinute: 1_000_000 });
  let isDone = false;
  const asked = async (name: string): Promise<void> => {
    const bot = await engine.bot(name);
    for (let round = 0; round < 12; round++) {
      await bot.createArticle({ title: `Round ${round}`, body: "A long one. ".repeat(1_000) });
      await bot.snapshot();
    }
  };
  const asking = Promise.all(NAMES.map(asked)).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    expect((await engine.verify()).stores.flatMap(({ problems }) => problems)).toEqual([]);
    // On this disk nothing else would get its turn.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await asking;
  await engine.close();
});

it("bots that were left unfinished are all finished, though few may be open at once and nobody asks for them", async () => {
  const storage = new CountedStorage();
  const away = (): Promise<never> => Promise.reject(new Error("not here"));
  const first = await Engine.open({ storage, embedders: { fake: { languages: ["en"], open: away } } });
  for (const name of NAMES) {
    await first.createBot({ name });
    const bot = await first.bot(name);
    await bot.createArticle(CAR);
    await bot.whenSearchable();
  }
  await first.close();
  const { engine } = await counted(
    { embedders: { fake: { languages: ["en"], open: async () => new FakeEmbedder() } } },
    storage,
  );
  storage.most = 0;
  const vectorsIn = () =>
    [...storage.kept.entries()].filter(
      ([name, { records }]) =>
        name.startsWith("bot-") && records.some((record) => Buffer.from(record).includes('"vectors"')),
    ).length;
  await expect.poll(vectorsIn).toBe(NAMES.length);
  expect(storage.most).toBeLessThanOrEqual(3);
  for (const name of NAMES) expect(await (await engine.bot(name)).search(QUESTION)).toHaveLength(1);
});

it("a bot that is let go while its embedder is away is finished when it is back, though nobody asks for it", async () => {
  let isAway = true;
  const { engine, storage } = await counted({
    openBotsMax: 1,
    embedders: {
      fake: {
        languages: ["en"],
        open: async () => {
          if (isAway) throw new Error("not here");
          return new FakeEmbedder();
        },
      },
    },
  });
  await engine.createBot({ name: "one" });
  await engine.createBot({ name: "other", embedder: "none" });
  const one = await engine.bot("one");
  await one.createArticle(CAR);
  await one.whenSearchable();
  await engine.bot("other");
  isAway = false;
  const id = `bot-${one.id}`;
  await expect
    .poll(() => storage.kept.get(id)?.records.some((record) => Buffer.from(record).includes('"vectors"')))
    .toBe(true);
});

it.each(["at once", "in the next run"])(
  "a bot that is given an embedder while it is not open has its vectors made %s",
  async (when) => {
    const embedders = { fake: { languages: [], open: async () => new FakeEmbedder() } };
    const background = when === "at once";
    const { engine, storage } = await counted({ openBotsMax: 1, embedders, background });
    for (const name of ["one", "other"]) await engine.createBot({ name, embedder: "none" });
    const one = await engine.bot("one");
    await one.createArticle(CAR);
    await one.whenSearchable();
    await engine.bot("other");
    await engine.updateBot("one", { embedder: "fake" });
    const hasVectors = () =>
      storage.kept.get(`bot-${one.id}`)?.records.some((record) => Buffer.from(record).includes('"vectors"'));
    if (!background) {
      await engine.close();
      expect(hasVectors()).toBe(false);
      await counted({ embedders }, storage);
    }
    await expect.poll(hasVectors).toBe(true);
  },
);

it.each([1, 2])(
  "more programs than the %d places wait for the vectors of their bots, and all get them",
  async (places) => {
    let calls = 0;
    const onPassages = async (): Promise<void> => {
      calls += 1;
      await sleep(20);
    };
    const { engine, bots } = await withUnfinished(places, { onPassages });
    await Promise.all(bots.map((bot) => bot.whenUpgraded()));
    // None was made twice.
    expect(calls).toBe(bots.length);
    for (const bot of bots) expect(await bot.search(QUESTION)).toHaveLength(1);
    expect(engine.openBots).toBe(places);
  },
);

it("bots whose embedder fails do not take each other's places over and over, and have their vectors when it is well", async () => {
  let calls = 0;
  let isWell = false;
  const onPassages = (): void => {
    calls += 1;
    if (!isWell) throw new Error("not well");
  };
  const { storage, bots } = await withUnfinished(1, { onPassages });
  const upgraded = Promise.all(bots.map((bot) => bot.whenUpgraded()));
  await expect.poll(() => calls).toBeGreaterThanOrEqual(bots.length);
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toBeLessThanOrEqual(2 * bots.length);
  expect(storage.most).toBe(2);
  isWell = true;
  await upgraded;
  for (const bot of bots) expect(await bot.search(QUESTION)).toHaveLength(1);
});

it("whoever waits for the vectors of a bot keeps no other waiting while the embedder fails, and ends with the engine", async () => {
  let isCalled = false;
  const onPassages = (): void => {
    isCalled = true;
    throw new Error("not well");
  };
  const { engine, bots } = await withUnfinished(1, { onPassages });
  const upgraded = bots[0]?.whenUpgraded().catch((error: unknown) => error);
  await expect.poll(() => isCalled).toBe(true);
  expect(await bots[1]?.search("car")).toHaveLength(1);
  await engine.close();
  await upgraded;
});

it("a bot that is removed, restored, closed or asked for while others take its place ends as the last call says", async () => {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk), openBotsMax: 2 });
  for (const name of NAMES) await engine.createBot({ name });
  for (let round = 0; round < 30; round++) {
    const calls = NAMES.flatMap((name, i) => {
      const asked = async () => (await engine.bot(name)).createArticle({ title: `Round ${round}`, body: "x" });
      const twice = [asked(), (async () => (await engine.bot(name)).search("x"))()];
      if (i !== round % NAMES.length) return twice;
      const anew = engine.removeBot(name).then(() => engine.createBot({ name }));
      return [...twice, anew];
    });
    const settled = await Promise.allSettled(calls);
    for (const outcome of settled) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toMatch(/^(BOT_NOT_FOUND|CLOSED)$/);
    }
    expect(engine.openBots).toBeLessThanOrEqual(2);
  }
  expect((await engine.verify()).isWhole).toBe(true);
  const last = NAMES.map(async (name) => (await engine.bot(name)).listArticles().catch(() => "closed"));
  await Promise.all([engine.close(), Promise.allSettled(last)]);
  await (await openOn(disk)).close();
});
