import { describe, expect, it } from "vitest";
import type { EmbedderOffer } from "../../src/embedding/embedder.ts";
import type { EngineOptions } from "../../src/engine.ts";
import { ValidationError } from "../../src/model/errors.ts";
import type { Quality, SearchResult } from "../../src/model/types.ts";
import { withStores } from "../support/changed-stores.ts";
import { CAR, eventsOf, ICE, type Opened, offer, opened, QUESTION, titles } from "../support/embedded-bot.ts";
import type { FakeEmbedder, FakeOptions } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

interface Taught extends Opened {
  readonly staticEmbedder: FakeStatic;
}

/** An engine with one bot whose embedder has a static embedder. */
async function taught(
  storage: KeptStorage,
  options: FakeOptions = {},
  change: Partial<EmbedderOffer> = {},
  teacherVersion?: string,
): Promise<Taught> {
  const staticEmbedder = new FakeStatic(teacherVersion);
  const fakes: FakeEmbedder[] = [];
  const fake = { ...offer(fakes, options), static: async () => staticEmbedder, ...change };
  return { ...(await opened(storage, options, { embedders: { fake } })), fakes, staticEmbedder };
}

const never = new Promise<void>(() => undefined);

describe("a bot whose embedder has a static embedder", () => {
  it("finds by meaning at once, and by the embedder's vectors as they come", async () => {
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const { engine, bot } = await taught(new KeptStorage(), { onPassages: () => gate });
    await bot.createArticle(CAR);
    await bot.createArticle(ICE);
    await bot.whenSearchable();
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect((await bot.stats()).vectors).toMatchObject({ texts: 4, vectors: 0, staticVectors: 4, documentsWaiting: 2 });
    const [before] = await bot.search(QUESTION);
    letThrough();
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ texts: 4, vectors: 4, staticVectors: 0, documentsWaiting: 0 });
    const [after] = await bot.search(QUESTION);
    // The vectors are the same here, but those of the embedder weigh more: no word matches.
    expect(after?.bestMatchScore).toBeCloseTo((before?.bestMatchScore ?? 0) * (0.5 / 0.4) ** (2 / 3), 6);
    await bot.deleteArticle(after?.resourceDocId ?? "");
    expect((await bot.stats()).vectors).toMatchObject({ texts: 2, vectors: 2, staticVectors: 0 });
    await engine.close();
  });

  it("is asked by the static embedder for the fast quality, by the embedder for the best", async () => {
    const asked: string[] = [];
    const { engine, bot, staticEmbedder } = await taught(new KeptStorage(), {
      onQuery: (text) => void asked.push(text),
    });
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    staticEmbedder.texts.length = 0;
    const ask = async (quality?: Quality): Promise<{ teacher: number; staticEmbedder: number }> => {
      asked.length = 0;
      staticEmbedder.texts.length = 0;
      const found = await bot.search(QUESTION, quality === undefined ? {} : { quality });
      expect(found.map(({ metaData }) => metaData.title)).toEqual(["The shop"]);
      return { teacher: asked.length, staticEmbedder: staticEmbedder.texts.length };
    };
    expect(await ask()).toEqual({ teacher: 1, staticEmbedder: 0 });
    expect(await ask("fast")).toEqual({ teacher: 0, staticEmbedder: 1 });
    expect((await engine.updateBot("bot", { quality: "fast" })).quality).toBe("fast");
    expect(await ask()).toEqual({ teacher: 0, staticEmbedder: 1 });
    // What the embedder has read before it is not asked again.
    expect(await ask("best")).toEqual({ teacher: 0, staticEmbedder: 0 });
    await engine.close();
  });

  it("finds by words alone for the quality words, as a bot without an embedder does", async () => {
    const asked: string[] = [];
    const { engine, bot, staticEmbedder } = await taught(new KeptStorage(), {
      onQuery: (text) => void asked.push(text),
    });
    const { bot: id } = await engine.createBot({ name: "plain", embedder: "none" });
    const plain = await engine.bot(id.id);
    const byId = new Map<string, unknown>();
    for (const each of [bot, plain]) {
      for (const article of [CAR, ICE, { title: "Parking", body: "A car can stand here." }]) {
        byId.set((await each.createArticle(article)).article.id, article.title);
      }
      await each.whenUpgraded();
    }
    staticEmbedder.texts.length = 0;
    const found = (results: readonly SearchResult[]) =>
      results.map(({ resourceDocId, ...result }) => ({ ...result, resourceDocId: byId.get(resourceDocId) }));
    for (const question of [QUESTION, "buy a car", "car", "penguins on ice"]) {
      const results = await bot.search(question, { quality: "words" });
      expect(found(results)).toEqual(found(await plain.search(question)));
      expect((await bot.query(question, { quality: "words" })).results).toEqual(results);
    }
    expect(await bot.search(QUESTION, { quality: "words" })).toEqual([]);
    expect(asked).toEqual([]);
    expect(staticEmbedder.texts).toEqual([]);
    const [car] = await bot.search("car", { quality: "words" });
    const explained = await bot.explain("car", car?.resourceDocId ?? "", { quality: "words" });
    expect(explained).toMatchObject({ rank: 1, score: car?.bestMatchScore });
    expect(explained.question.dense).toBeUndefined();
    await expect(engine.updateBot("bot", { quality: "words" as Quality })).rejects.toThrow(
      "quality must be one of best, fast",
    );
    await engine.close();
  });

  it("asks by the static embedder where the embedder's question finds nothing among what only the static embedder has read", async () => {
    let letThrough = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    const far = () => "something else";
    const { engine, bot } = await taught(new KeptStorage(), { onPassages: () => gate, queryAs: far });
    const { article } = await bot.createArticle(CAR);
    await bot.whenSearchable();
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect(await bot.explain(QUESTION, article.id)).toMatchObject({ outcome: "returned", rank: 1 });
    letThrough();
    await bot.whenUpgraded();
    expect(await titles(bot, QUESTION)).toEqual([]);
    await engine.close();
  });

  it("refuses a quality that is none, and changes nothing", async () => {
    const { engine, bot } = await taught(new KeptStorage());
    const wrong = "better" as Quality;
    await expect(bot.search(QUESTION, { quality: wrong })).rejects.toThrow(ValidationError);
    await expect(engine.updateBot("bot", { quality: wrong })).rejects.toThrow("quality must be one of best, fast");
    expect(bot.info().quality).toBe("best");
    await engine.close();
  });

  it("is served by the static embedder alone where the embedder cannot be opened", async () => {
    const open = (): Promise<never> => Promise.reject(new Error("No runtime here."));
    const { engine, bot, events } = await taught(new KeptStorage(), {}, { open });
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect((await bot.stats()).vectors).toMatchObject({
      missing: { name: "fake", why: "no runtime here", instead: "static" },
      vectors: 0,
      staticVectors: 2,
    });
    expect(eventsOf(events).filter((event) => event === "embedderUnavailable")).toHaveLength(1);
    await engine.close();
  });

  it("is asked by the static embedder when the embedder is too slow or fails", async () => {
    for (const onQuery of [() => never, () => Promise.reject(new Error("Out of memory."))]) {
      const { engine, bot, staticEmbedder } = await taught(new KeptStorage(), { onQuery, questionMsMax: 20 });
      await bot.createArticle(CAR);
      await bot.whenUpgraded();
      staticEmbedder.texts.length = 0;
      expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
      expect(staticEmbedder.texts).toEqual([QUESTION]);
      await engine.close();
    }
  });

  it("is found by words until the vectors come where the static embedder cannot be opened", async () => {
    const staticEmbedder = (): Promise<never> => Promise.reject(new Error("A file is damaged."));
    const { engine, bot, events } = await taught(new KeptStorage(), {}, { static: staticEmbedder });
    await bot.createArticle(CAR);
    await bot.whenSearchable();
    await bot.whenUpgraded();
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 2, staticVectors: 0 });
    expect(eventsOf(events)).toContain("staticUnavailable");
    await engine.close();
  });

  it("does not mix vectors of a static embedder of another version with the embedder's", async () => {
    const { engine, bot, events } = await taught(new KeptStorage(), { version: "2" }, {}, "1");
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 2, staticVectors: 0 });
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect(eventsOf(events)).toContain("staticOfAnother");
    await engine.close();
  });

  it("asks the embedder where the static embedder is of another version, and compares nothing with the static embedder's vectors", async () => {
    const { engine, bot, staticEmbedder } = await taught(new KeptStorage(), { version: "2" }, {}, "1");
    await bot.createArticle({ ...CAR, body: `- Penguins live on ice.\n- ${CAR.body}` });
    await bot.whenUpgraded();
    staticEmbedder.texts.length = 0;
    for (const quality of ["best", "fast"] as const) {
      const [found] = await bot.search(QUESTION, { quality });
      expect(found?.metaData.title).toBe("The shop");
    }
    expect(staticEmbedder.texts).toEqual([]);
    await engine.close();
  });

  it("has all its vectors again after a restart: the embedder's from the log, the others from the static embedder", async () => {
    const storage = new KeptStorage();
    let calls = 0;
    const onPassages = (): Promise<void> | void => (++calls > 1 ? never : undefined);
    const before = await taught(storage, { onPassages, textsPerCall: 2 });
    await before.bot.createArticle(CAR);
    await before.bot.createArticle(ICE);
    await expect.poll(async () => (await before.bot.stats()).vectors.vectors).toBe(2);
    const found = await before.bot.search("buy a fast penguin");
    await before.engine.close();
    const after = await taught(storage, { onPassages: () => never });
    expect((await after.bot.stats()).vectors).toMatchObject({ vectors: 2, staticVectors: 2 });
    expect(after.staticEmbedder.texts).toHaveLength(2);
    expect(await after.bot.search("buy a fast penguin")).toEqual(found);
    await after.engine.close();
  });
});

describe("of a passage found by its meaning", () => {
  it("the piece is quoted that comes closest, also where the pieces have one vector together", async () => {
    const { engine, bot } = await taught(new KeptStorage());
    const body = "- Penguins live on ice.\n- You can buy a car here.\n- The hound sleeps.";
    await bot.createArticle({ title: "Odds and ends", body });
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ texts: 2, vectors: 2 });
    for (const [question, line] of [
      [QUESTION, 2],
      ["a puppy", 3],
      ["penguins", 1],
    ] as const) {
      const [found] = await bot.search(question);
      expect(found?.similarTextParts[0]).toMatchObject({ start: line, stop: line, similarity: found?.bestMatchScore });
    }
    await engine.close();
  });

  it("the part with the sentence that answers makes it near, wherever it stands", async () => {
    const { engine, bot } = await taught(new KeptStorage());
    const idle = (word: string): string =>
      Array.from({ length: 10 }, (_, i) => `The ${word} is cold, said ${i}.`).join(" ");
    const body = `${idle("pole")}\n\n${idle("lake")} Buy a car, buy a car, buy a car, buy a car, buy a car! ${idle("hill")}\n\n${idle("wood")}`;
    await bot.createArticle({ title: "Places", body });
    await bot.whenUpgraded();
    const [found] = await bot.search(QUESTION);
    expect(found?.similarTextParts[0]).toMatchObject({ start: 3, stop: 3 });
    expect((await bot.stats()).vectors.texts).toBeGreaterThan(4);
    await engine.close();
  });
});

describe("a static embedder alone", () => {
  const alone = (storage: KeptStorage, more: EngineOptions = {}): Promise<Taught> => {
    const staticEmbedder = new FakeStatic();
    const embedders = { static: { languages: ["en"], static: async () => staticEmbedder } };
    return opened(storage, {}, { embedders, ...more }).then((rest) => ({ ...rest, staticEmbedder }));
  };

  it("finds by meaning, writes no vectors to the log, and waits for nothing", async () => {
    const storage = new KeptStorage();
    const { engine, bot, staticEmbedder } = await alone(storage);
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect((await bot.stats()).vectors).toMatchObject({ embedder: "static", vectors: 2, documentsWaiting: 0 });
    expect(staticEmbedder.texts).toEqual(["The shop", "The shop\nYou can buy a car here.", QUESTION]);
    await bot.deleteArticle((await bot.listArticles())[0]?.id ?? "");
    expect((await bot.stats()).vectors).toMatchObject({ texts: 0, vectors: 0 });
    await engine.close();
    const after = await alone(storage);
    expect(after.events.filter(({ level }) => level !== "info")).toEqual([]);
    await after.engine.close();
  });

  it("has a graph in a large bot, which is kept for the next start", async () => {
    const storage = new KeptStorage();
    const large = { graphVectorsMin: 50 };
    const { engine, bot } = await alone(storage, large);
    for (let i = 0; i < 80; i++) await bot.createArticle({ title: `Page ${i}`, body: `word${i} other${i * 7}` });
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 160, graph: "ready" });
    const found = await bot.search("word7 other21");
    const botId = bot.id;
    await engine.close();
    expect(storage.kept.get(`bot-${botId}`)?.caches.get("graph")?.length).toBeGreaterThan(1_000);
    const after = await alone(storage, large);
    await expect.poll(async () => (await after.bot.stats()).vectors).toMatchObject({ vectors: 160, graph: "ready" });
    expect(await after.bot.search("word7 other21")).toEqual(found);
    await after.engine.close();
  });

  it("says so when the kept graph is damaged, and builds it again", async () => {
    const storage = new KeptStorage();
    const large = { graphVectorsMin: 50 };
    const { engine, bot } = await alone(storage, large);
    for (let i = 0; i < 80; i++) await bot.createArticle({ title: `Page ${i}`, body: `word${i} other${i * 7}` });
    await bot.whenUpgraded();
    const found = await bot.search("word7 other21");
    await engine.close();
    const caches = storage.kept.get(`bot-${bot.id}`)?.caches ?? expect.fail("nothing was kept");
    const whole = caches.get("graph") ?? expect.fail("no graph was kept");
    const told = async (): Promise<number> => {
      const after = await alone(storage, large);
      await after.bot.whenUpgraded();
      await expect.poll(async () => (await after.bot.stats()).vectors).toMatchObject({ vectors: 160, graph: "ready" });
      expect(await after.bot.search("word7 other21")).toEqual(found);
      await after.engine.close();
      return eventsOf(after.events).filter((event) => event === "graphDropped").length;
    };
    expect(await told()).toBe(0);
    caches.set("graph", whole.slice().fill(255, 500, 501));
    expect(await told()).toBe(1);
    // It has been kept anew.
    expect(await told()).toBe(0);
  });

  it("goes on building its graph where that cannot be kept, and reads what it kept only if it can", async () => {
    let written: (() => Promise<unknown>) | undefined;
    const storage = withStores(new KeptStorage(), (store) => {
      store.writeCache = async () => {
        await written?.();
        throw new Error("No room.");
      };
      store.readCache = () => Promise.reject(new Error("Unreadable."));
    });
    const { engine, bot, events } = await alone(storage, { graphVectorsMin: 50 });
    written = async () => {
      written = undefined;
      await bot.createArticle({ title: "Late", body: "comes while the graph is written" });
      await bot.whenSearchable();
    };
    for (let i = 0; i < 80; i++) await bot.createArticle({ title: `Page ${i}`, body: `word${i} other${i * 7}` });
    await expect.poll(async () => (await bot.stats()).vectors).toMatchObject({ vectors: 162, graph: "ready" });
    expect(eventsOf(events)).toContain("graphNotKept");
    await engine.close();
    const after = await alone(storage, { graphVectorsMin: 50 });
    await expect.poll(async () => (await after.bot.stats()).vectors).toMatchObject({ vectors: 162, graph: "ready" });
    await after.engine.close();
  });

  it("can be changed to an embedder in the same space, which goes on from there", async () => {
    const staticEmbedder = new FakeStatic();
    const fakes: FakeEmbedder[] = [];
    const embedders = {
      static: { languages: ["en"], static: async () => staticEmbedder },
      fake: { ...offer(fakes), languages: [], static: async () => staticEmbedder },
    };
    const { engine, bot } = await opened(new KeptStorage(), {}, { embedders });
    await bot.createArticle(CAR);
    await bot.whenSearchable();
    await engine.updateBot("bot", { embedder: "fake" });
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ embedder: "fake", vectors: 2, staticVectors: 0 });
    await engine.updateBot("bot", { embedder: "static" });
    // What the embedder made stays: it is in the same space.
    expect((await bot.stats()).vectors).toMatchObject({ embedder: "static", vectors: 2, staticVectors: 0 });
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    await engine.close();
  });
});
