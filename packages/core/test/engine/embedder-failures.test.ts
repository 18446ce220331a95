import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Engine } from "../../src/engine.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { LoredexError } from "../../src/model/errors.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { CAR, eventsOf, ICE, type Opened, offer, opened, QUESTION, titles } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { KeptStorage } from "../support/kept-storage.ts";

describe("an embedder that fails", () => {
  it("is asked again, and nothing but the vectors waits for it", async () => {
    let failing = 2;
    const onPassages = (): void => {
      if (failing-- > 0) throw new Error("The model server is away.");
    };
    const { engine, bot, events } = await opened(new KeptStorage(), { onPassages });
    const { article } = await bot.createArticle(CAR);
    await bot.whenSearchable();
    expect((await bot.getArticle(article.id))?.status).toBe("active");
    await expect.poll(async () => (await bot.stats()).vectors.failures).toBe(1);
    expect((await bot.stats()).vectors).toMatchObject({
      lastFailure: "The model server is away.",
      documentsWaiting: 1,
    });
    expect(await titles(bot, "car")).toEqual(["The shop"]);
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ failures: 2, vectors: 2 });
    expect((await bot.stats()).vectors.lastFailure).toBeUndefined();
    expect(eventsOf(events)).toEqual(["embeddingFailed", "embeddingFailed", "embeddingGoesOn"]);
    expect(events[1]?.message).toContain("the next try is in 1 s");
    await engine.close();
  });

  it("not, but the log does: its vectors are written later, and it is not asked for them again", async () => {
    const storage = new KeptStorage();
    let asked = 0;
    const onPassages = (): void => {
      asked += 1;
      storage.failNext = new LoredexError("DISK_FULL", "There is no room.");
    };
    const { engine, bot, events } = await opened(storage, { onPassages });
    const { article } = await bot.createArticle(CAR);
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 2, failures: 1, documentsWaiting: 0 });
    expect(eventsOf(events)).toEqual(["botNotWritable", "embeddingFailed", "botWritable", "embeddingGoesOn"]);
    expect(asked).toBe(1);
    // What has changed before it could be written is made anew.
    await bot.updateArticle(article.id, { body: "You can buy a dog here." });
    await expect.poll(() => asked).toBe(2);
    await bot.updateArticle(article.id, { body: "You can buy a hound here." });
    await bot.whenUpgraded();
    expect(asked).toBe(3);
    expect(await titles(bot, "purchase puppy")).toEqual(["The shop"]);
    await engine.close();
  });

  it.each([
    ["at once", 0],
    ["after a while", 1],
  ])(
    "not, but its vectors have no room when it opens %s: that is said, and questions are answered by words",
    async (_, failures) => {
      const storage = new KeptStorage();
      const first = await opened(storage);
      await first.bot.createArticle(CAR);
      await first.bot.whenUpgraded();
      await first.engine.close();

      vi.spyOn(PassageVectors.prototype, "set").mockImplementation(() => {
        throw new RangeError("There is no room.");
      });
      onTestFinished(() => void vi.restoreAllMocks());
      const unhandled: unknown[] = [];
      const note = (error: unknown): unknown => unhandled.push(error);
      process.on("unhandledRejection", note);
      onTestFinished(() => void process.off("unhandledRejection", note));
      let failing = failures;
      const open = async (): Promise<FakeEmbedder> => {
        if (failing-- > 0) throw new Error("The model server is away.");
        return new FakeEmbedder();
      };
      const embedders = { fake: { languages: ["en"], open } };
      const { engine, bot, events } = await opened(storage, {}, { embedders, background: false });
      expect(await titles(bot, "car")).toEqual(["The shop"]);
      await expect.poll(() => eventsOf(events)).toContain("vectorsNotUsed");
      expect(await titles(bot, "car")).toEqual(["The shop"]);
      expect(eventsOf(events).filter((event) => event === "vectorsNotUsed")).toHaveLength(1);
      expect(unhandled).toEqual([]);
      await engine.close();
    },
  );

  it("not, but its vectors have no room: each event is told once, and none speaks of a bot that cannot be opened", async () => {
    const storage = new KeptStorage();
    const first = await opened(storage, {}, { background: false });
    await first.bot.createArticle(CAR);
    await first.bot.whenUpgraded();
    await first.bot.createArticle(ICE);
    await first.bot.whenSearchable();
    await first.engine.close();
    vi.spyOn(PassageVectors.prototype, "set").mockImplementation(() => {
      throw new RangeError("There is no room.");
    });
    onTestFinished(() => void vi.restoreAllMocks());
    // The start opens the bot, which has work left; with one place it waits for its end.
    const { engine, bot, events } = await opened(storage, {}, { openBotsMax: 1 });
    for (const title of ["Another", "A third"]) {
      await bot.createArticle({ ...CAR, title });
      await bot.whenSearchable();
      for (let turn = 0; turn < 20; turn++) await setImmediate();
    }
    expect(eventsOf(events)).toEqual(["vectorsNotUsed"]);
    await engine.close();
  });

  it("for one text does not keep the others from having their vectors", async () => {
    const onPassages = (texts: readonly string[]): void => {
      if (texts.some((text) => text.includes("poison"))) {
        throw Object.assign(new Error("This text cannot be read."), { code: "EMBEDDER_FAILED" });
      }
    };
    const storage = new KeptStorage();
    const { engine, bot, events } = await opened(storage, { onPassages });
    await bot.createArticle({ title: "Bad", body: "poison" });
    for (const article of [CAR, ICE]) await bot.createArticle(article);
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 4, documentsWaiting: 0, documentsGivenUp: 1 });
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect(eventsOf(events)).toEqual(["embeddingGivenUp"]);
    await engine.close();
    // A start opens the bot, and tries again.
    const fakes: FakeEmbedder[] = [];
    const after = await Engine.open({ storage, embedders: { fake: offer(fakes) } });
    await expect.poll(() => fakes[0]?.passages).toEqual(["Bad", "Bad\npoison"]);
    await after.close();
  });

  it("for a question, or not in time, has it answered by words; that is said once, and when it is over", async () => {
    let mode: "good" | "failing" | "slow" = "good";
    const onQuery = (): Promise<void> | void => {
      if (mode === "failing") throw new Error("busy");
      if (mode === "slow") return new Promise(() => undefined);
    };
    const { engine, bot, events } = await opened(new KeptStorage(), { onQuery, questionMsMax: 30 });
    await bot.createArticle(CAR);
    await bot.whenUpgraded();
    for (const now of ["failing", "slow"] as const) {
      mode = now;
      expect(await titles(bot, QUESTION)).toEqual([]);
      expect(await titles(bot, "car")).toEqual(["The shop"]);
    }
    mode = "good";
    expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
    expect(eventsOf(events)).toEqual(["questionsByWords", "questionsEmbedded"]);
    await engine.close();
  });

  it.each(["bias", "smallTalk"] as const)(
    "in %s has questions answered by words, and that is said once",
    async (trait) => {
      const fake = new FakeEmbedder();
      const events: LogEvent[] = [];
      const engine = await Engine.open({
        embedders: { fake: { languages: ["en"], open: async () => fake } },
        logger: (event) => events.push(event),
      });
      onTestFinished(() => engine.close());
      const { bot: info } = await engine.createBot({ name: "bot" });
      const bot = await engine.bot(info.id);
      await bot.createArticle(CAR);
      await bot.whenUpgraded();
      const given = [
        () => {
          throw new Error("boom");
        },
        () => Promise.reject(new Error("late")),
        () => "much",
        () => 5n,
      ];
      for (const each of given) {
        Object.assign(fake, { [trait]: each });
        expect(await titles(bot, QUESTION)).toEqual([]);
        expect(await titles(bot, "car")).toEqual(["The shop"]);
      }
      Object.assign(fake, { [trait]: () => Number.NaN });
      expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
      expect(eventsOf(events)).toEqual(["questionsByWords", "questionsEmbedded"]);
      expect(events[0]?.message).toContain("boom");
    },
  );

  it("with vectors of a wrong length is not believed", async () => {
    const fake = new FakeEmbedder();
    fake.embedPassages = async (texts) => texts.map(() => new Float32Array(3));
    const events: LogEvent[] = [];
    const embedders = { fake: { languages: ["en"], open: async () => fake } };
    const engine = await Engine.open({ embedders, logger: (event) => events.push(event) });
    await engine.createBot({ name: "bot" });
    const bot = await engine.bot("bot");
    await bot.createArticle(CAR);
    await expect.poll(async () => (await bot.stats()).vectors.lastFailure).toContain("3 numbers where it promised 512");
    expect(await titles(bot, "car")).toEqual(["The shop"]);
    await engine.close();
  });

  /** A bot with two articles, whose embedder gives vectors of no numbers for texts with one of these words. */
  async function withBroken(...words: string[]) {
    const fake = new FakeEmbedder({ questionMsMax: 30 });
    const broken = (text: string): boolean => words.some((word) => text.includes(word));
    const vectorOf = fake.vectorOf.bind(fake);
    fake.vectorOf = (text) => (broken(text) ? new Float32Array(512).fill(Number.NaN) : vectorOf(text));
    const storage = new KeptStorage();
    const embedders = { fake: { languages: ["en"], open: async () => fake } };
    const engine = await Engine.open({ storage, embedders, background: false });
    await engine.createBot({ name: "bot" });
    const bot = await engine.bot("bot");
    for (const article of [CAR, ICE]) await bot.createArticle(article);
    await bot.whenSearchable();
    return { fake, storage, engine, bot };
  }

  it("with a vector of no numbers for one text does not keep the others from having theirs", async () => {
    const { engine, bot } = await withBroken("car");
    await bot.whenUpgraded();
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 2, documentsWaiting: 0, documentsGivenUp: 1 });
    await engine.close();
  });

  it("with a vector of no numbers leaves no write behind that nobody waits for", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): unknown => unhandled.push(error);
    process.on("unhandledRejection", note);
    const { storage, engine, bot } = await withBroken("Penguins");
    storage.failNext = new LoredexError("STORAGE_FAILED", "The disk is full.");
    await bot.whenUpgraded();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
    await engine.close();
  });

  it("with no numbers for a question, or with no heed of the time, has it answered by words", async () => {
    const { fake, engine, bot } = await withBroken("buy");
    await bot.whenUpgraded();
    expect(await titles(bot, "buy a car")).toEqual(["The shop"]);
    fake.embedQuery = () => new Promise(() => undefined);
    expect(await titles(bot, "car")).toEqual(["The shop"]);
    await engine.close();
  });
});

describe("the graph of a large bot", () => {
  const LARGE = { graphVectorsMin: 50 };
  const pages = Array.from({ length: 80 }, (_, i) => ({ title: `Page ${i}`, body: `word${i} other${i * 7}` }));

  async function large(storage: KeptStorage): Promise<Opened> {
    const all = await opened(storage, {}, LARGE);
    for (const page of pages) await all.bot.createArticle(page);
    await all.bot.whenUpgraded();
    return all;
  }

  it("is built in the background, kept for the next start, and follows what comes and goes", async () => {
    const storage = new KeptStorage();
    const { engine, bot } = await large(storage);
    const botId = bot.id;
    expect((await bot.stats()).vectors).toMatchObject({ vectors: 160, graph: "ready" });
    const { article } = await bot.createArticle(CAR);
    await bot.whenUpgraded();
    expect((await titles(bot, QUESTION))[0]).toBe("The shop");
    await bot.deleteArticle(article.id);
    expect(await titles(bot, QUESTION)).not.toContain("The shop");
    await engine.close();
    expect(storage.kept.get(`bot-${botId}`)?.caches.get("graph")?.length).toBeGreaterThan(1_000);

    const after = await opened(storage, {}, LARGE);
    await after.bot.search("word3");
    expect((await after.bot.stats()).vectors.graph).toBe("ready");
    expect((await titles(after.bot, "word3"))[0]).toBe("Page 3");
    await after.engine.close();
  });

  it("that is damaged costs a rebuild, and no wrong answer", async () => {
    const storage = new KeptStorage();
    const { engine, bot } = await large(storage);
    const answer = await bot.search("word7 other21");
    const botId = bot.id;
    await engine.close();
    const caches = storage.kept.get(`bot-${botId}`)?.caches;
    const graph = caches?.get("graph") ?? new Uint8Array(0);
    expect(graph.length).toBeGreaterThan(1_000);
    graph[graph.length >> 1] = (graph[graph.length >> 1] ?? 0) ^ 1;
    const after = await opened(storage, {}, LARGE);
    expect(await after.bot.search("word7 other21")).toEqual(answer);
    await after.bot.whenUpgraded();
    expect((await after.bot.stats()).vectors.graph).toBe("ready");
    expect(await after.bot.search("word7 other21")).toEqual(answer);
    await after.engine.close();
  });
});
