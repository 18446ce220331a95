import { describe, expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { CAR, eventsOf, ICE, offer, opened, QUESTION, titles } from "../support/embedded-bot.ts";
import type { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

describe("an article", () => {
  it("is active and found by words at once, and by meaning when its vectors are in", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { engine, bot } = await opened(new KeptStorage(), { onPassages: () => held });
    const { article } = await bot.createArticle(CAR);
    await bot.createArticle(ICE);
    await bot.whenSearchable();
    expect((await bot.getArticle(article.id))?.status).toBe("active");
    expect(await titles(bot, "a car")).toEqual(["The shop"]);
    expect(await titles(bot, QUESTION)).toEqual([]);
    expect((await bot.stats()).vectors).toMatchObject({ embedder: "fake", texts: 4, vectors: 0, documentsWaiting: 2 });
    expect((await bot.usage()).embedder).toEqual({ name: "fake", waiting: 2 });
    release();
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ texts: 4, vectors: 4, documentsWaiting: 0, failures: 0 });
    expect((await bot.usage()).embedder).toEqual({ name: "fake", waiting: 0 });
    const [found, ...others] = await bot.search(QUESTION);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      resourceDocId: article.id,
      similarTextParts: [{ text: CAR.body, start: 1, stop: 1, similarity: found?.bestMatchScore }],
    });
    expect(found?.bestMatchScore).toBeGreaterThan(0);
    await engine.close();
  });

  it("is found by its newest text alone, and not at all once it is deleted", async () => {
    const { engine, bot } = await opened(new KeptStorage());
    const { article } = await bot.createArticle(CAR);
    await bot.whenUpgraded();
    await bot.updateArticle(article.id, { body: "A hound sleeps." });
    await bot.whenUpgraded();
    expect(await titles(bot, QUESTION)).toEqual([]);
    expect(await titles(bot, "puppy")).toEqual(["The shop"]);
    await bot.deleteArticle(article.id);
    expect(await titles(bot, "puppy")).toEqual([]);
    expect((await bot.stats()).vectors).toMatchObject({ texts: 0, vectors: 0 });
    await engine.close();
  });

  it("keeps its vectors when only its metadata change", async () => {
    const { engine, bot, fakes } = await opened(new KeptStorage());
    const { article } = await bot.createArticle(CAR);
    await bot.whenUpgraded();
    await bot.updateArticle(article.id, { metadata: { colour: "red" } });
    await bot.whenUpgraded();
    expect(fakes[0]?.passages).toHaveLength(2);
    expect(await bot.search(QUESTION, { filters: { "metaData.colour": "red" } })).toHaveLength(1);
    expect(await bot.search(QUESTION, { filters: { "metaData.colour": "blue" } })).toEqual([]);
    await engine.close();
  });
});

describe("a question with answers", () => {
  it("is found by the meaning of its question, of every other wording, and of its answer", async () => {
    const { engine, bot, fakes } = await opened(new KeptStorage());
    const question = { resourceDocId: "q", type: "QNA", question: "Is it fast?", answer: "Feed the puppy." };
    await bot.importDocument({ ...question, alternatives: ["Can I buy it?"] });
    await bot.whenUpgraded();
    expect(fakes[0]?.passages).toEqual(["Is it fast?", "Can I buy it?", "Is it fast?\nFeed the puppy."]);
    for (const asked of ["rapid", "acquire", "hound"]) expect(await bot.search(asked)).toHaveLength(1);
    await engine.close();
  });
});

describe("a bot without an embedder", () => {
  it("is found by words, and asks nobody", async () => {
    const { engine, fakes } = await opened(new KeptStorage());
    await engine.createBot({ name: "plain", embedder: "none" });
    const plain = await engine.bot("plain");
    await plain.createArticle(CAR);
    await plain.whenUpgraded();
    expect(await titles(plain, "car")).toEqual(["The shop"]);
    expect(await titles(plain, QUESTION)).toEqual([]);
    expect((await plain.stats()).vectors).toMatchObject({ embedder: "none", vectors: 0, documentsWaiting: 0 });
    expect((await plain.usage()).embedder).toBeNull();
    expect(fakes).toEqual([]);
    await engine.close();
  });

  it("is what a bot is whose embedder cannot be opened: that is said once", async () => {
    const events: LogEvent[] = [];
    const open = (): Promise<never> => Promise.reject(new Error("No runtime here."));
    const engine = await Engine.open({
      embedders: { broken: { languages: ["en"], open } },
      logger: (event) => events.push(event),
    });
    for (const name of ["one", "two"]) {
      const { bot: info } = await engine.createBot({ name });
      const bot = await engine.bot(info.id);
      await bot.createArticle(CAR);
      await bot.whenUpgraded();
      expect(await titles(bot, "car")).toEqual(["The shop"]);
      expect((await bot.stats()).vectors).toMatchObject({
        embedder: "broken",
        missing: { name: "broken", why: "no runtime here", instead: "words" },
        vectors: 0,
      });
    }
    expect(eventsOf(events)).toEqual(["embedderUnavailable"]);
    await engine.close();
  });
});

describe("after a restart", () => {
  it.each([false, true])(
    "vectors come from what is stored, and no passage is embedded again (snapshot: %s)",
    async (snapshot) => {
      const storage = new KeptStorage();
      const before = await opened(storage);
      for (const article of [CAR, ICE]) await before.bot.createArticle(article);
      await before.bot.whenUpgraded();
      const answer = await before.bot.search(QUESTION);
      expect(answer).toHaveLength(1);
      if (snapshot) await before.bot.snapshot();
      await before.engine.close();
      expect(before.fakes.every(({ isClosed }) => isClosed)).toBe(true);

      const after = await opened(storage);
      expect((await after.bot.stats()).vectors).toMatchObject({ vectors: 4, documentsWaiting: 0 });
      expect(await after.bot.search(QUESTION)).toEqual(answer);
      await after.bot.whenUpgraded();
      expect(after.fakes[0]?.passages).toEqual([]);
      await after.engine.close();
    },
  );

  it("the upgrade goes on where it stopped, within a long document too", async () => {
    const storage = new KeptStorage();
    const paragraphs = Array.from({ length: 20 }, (_, i) => `Paragraph ${i} ${"is rather long ".repeat(14)}`);
    let calls = 0;
    const stuck = new Promise<void>(() => undefined);
    const onPassages = (): Promise<void> | void => (++calls > 2 ? stuck : undefined);
    const before = await opened(storage, { textsPerCall: 5, onPassages });
    await before.bot.createArticle({ title: "A long one", body: paragraphs.join("\n\n") });
    await before.bot.createArticle(CAR);
    await before.bot.whenSearchable();
    await expect.poll(async () => (await before.bot.stats()).vectors.vectors).toBe(10);
    await before.engine.close();

    const after = await opened(storage, { textsPerCall: 5 });
    await after.bot.whenUpgraded();
    expect((await after.bot.stats()).vectors).toMatchObject({ texts: 23, vectors: 23 });
    expect(after.fakes[0]?.passages).toHaveLength(13);
    expect(after.fakes[0]?.passages[0]).toContain("Paragraph 9 ");
    await after.engine.close();
  });

  it("bots with missing vectors are opened at once, and no others", async () => {
    const storage = new KeptStorage();
    const stuck = new Promise<void>(() => undefined);
    const before = await opened(storage, { onPassages: () => stuck });
    await before.engine.createBot({ name: "idle" });
    await before.engine.createBot({ name: "plain", embedder: "none" });
    await (await before.engine.bot("plain")).createArticle(ICE);
    await before.bot.createArticle(CAR);
    await before.bot.whenSearchable();
    await before.engine.close();

    const openedStores: string[] = [];
    const open = storage.open.bind(storage);
    storage.open = (name) => {
      openedStores.push(name);
      return open(name);
    };
    const fakes: FakeEmbedder[] = [];
    const engine = await Engine.open({ storage, embedders: { fake: offer(fakes) } });
    await expect.poll(() => fakes[0]?.passages.length).toBe(2);
    expect(openedStores).toEqual(["catalog", `bot-${before.bot.id}`]);
    await (await engine.bot("bot")).whenUpgraded();
    await engine.close();
    openedStores.length = 0;
    await (await Engine.open({ storage, embedders: { fake: offer(fakes) } })).close();
    expect(openedStores).toEqual(["catalog"]);
  });

  it("a program that ends in a moment leaves the upgrade alone, until it is asked for", async () => {
    const storage = new KeptStorage();
    const { engine, bot, fakes } = await opened(storage, {}, { background: false });
    await bot.createArticle(CAR);
    await bot.whenSearchable();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(fakes).toEqual([]);
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 0, documentsWaiting: 1 });
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 2, documentsWaiting: 0 });
    await engine.close();
  });
});

describe("another embedder", () => {
  it("makes all vectors anew in the background; meanwhile everything is found by words", async () => {
    const storage = new KeptStorage();
    const [first, second]: [FakeEmbedder[], FakeEmbedder[]] = [[], []];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const embedders = { first: offer(first), second: offer(second, { version: "2", onPassages: () => held }) };
    const engine = await Engine.open({ storage, embedders });
    const { bot: info } = await engine.createBot({ name: "bot" });
    expect(info.embedder).toBe("first");
    const bot = await engine.bot("bot");
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    await engine.updateBot("bot", { embedder: "second" });
    expect(await titles(bot, "car")).toEqual(["The shop"]);
    expect(await titles(bot, QUESTION)).toEqual([]);
    release();
    await bot.whenUpgraded();
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect([first[0]?.passages, second[0]?.passages]).toEqual([
      ["The shop", "The shop\nYou can buy a car here."],
      ["The shop", "The shop\nYou can buy a car here."],
    ]);
    await engine.updateBot("bot", { embedder: "none" });
    expect(await titles(bot, QUESTION)).toEqual([]);
    expect((await bot.stats()).vectors).toMatchObject({ embedder: "none", vectors: 0, documentsWaiting: 0 });
    await engine.close();
  });

  it("is noticed after a restart with a new version of the same", async () => {
    const storage = new KeptStorage();
    const before = await opened(storage);
    await before.bot.createArticle(CAR);
    await before.bot.whenUpgraded();
    await before.engine.close();
    const after = await opened(storage, { version: "2" });
    await after.bot.whenUpgraded();
    expect(after.fakes[0]?.passages).toHaveLength(2);
    expect(await titles(after.bot, QUESTION)).toEqual(["The shop"]);
    await after.engine.close();
  });

  it("must be one that is known, but one that was chosen elsewhere stays", async () => {
    const storage = new KeptStorage();
    const { engine } = await opened(storage);
    await expect(engine.createBot({ name: "x", embedder: "nope" })).rejects.toMatchObject({
      violations: [{ field: "embedder", type: "enum", message: "embedder must be one of none, fake" }],
    });
    await engine.close();
    const without = await Engine.open({ storage });
    expect(await without.updateBot("bot", { quotaCharacters: 7 })).toMatchObject({
      embedder: "fake",
      quotaCharacters: 7,
    });
    const bot = await without.bot("bot");
    // Its searches lack it, and every figure says so.
    const missing = {
      name: "fake",
      instead: "words",
      story: expect.stringContaining("not among those of this process"),
    };
    expect(await bot.whenUpgraded()).toMatchObject({ complete: false, missing });
    expect(await bot.whenReady()).toMatchObject({ missing });
    expect((await bot.stats()).vectors).toMatchObject({ embedder: "fake", missing });
    await without.close();
  });
});

describe("closing", () => {
  it("does not wait for an embedder that is slow", async () => {
    const stuck = new Promise<void>(() => undefined);
    const { engine, bot } = await opened(new KeptStorage(), { onPassages: () => stuck });
    await bot.createArticle(CAR);
    await bot.whenSearchable();
    const waiting = bot.whenUpgraded();
    await engine.close();
    await waiting;
  });
});
