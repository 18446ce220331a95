import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  Engine,
  type EngineOptions,
  LoredexError,
  QuotaExceededError,
  RateExceededError,
  type ValidationError,
} from "../../src/index.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";

const engines: Engine[] = [];

async function open(storage = new KeptStorage(), clock = new TestClock()): Promise<Engine> {
  const engine = await Engine.open({ storage, clock, embedders: {} });
  engines.push(engine);
  return engine;
}

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const text = (length: number): { title: string; body: string } => ({ title: "abc", body: "x".repeat(length - 3) });

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("keys", () => {
  it("open one bot, and the old one is dead when a new one is made", async () => {
    const engine = await open();
    const one = await engine.createBot({ name: "one" });
    const two = await engine.createBot({ name: "two" });
    expect(one.key).toMatch(/^lore_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(engine.authenticate(one.key)?.id).toBe(one.bot.id);
    expect(engine.authenticate(two.key)?.name).toBe("two");
    const renewed = await engine.rotateKey("one");
    expect(engine.authenticate(one.key)).toBeUndefined();
    expect(engine.authenticate(renewed)?.id).toBe(one.bot.id);
    await engine.revokeKey("one");
    expect(engine.authenticate(renewed)).toBeUndefined();
    expect(engine.findBot("one")?.hasKey).toBe(false);
    for (const wrong of [undefined, "", `${two.key}x`, two.key.slice(0, -1), two.key.replace(/.$/, "!"), "lore_"]) {
      expect(engine.authenticate(wrong)).toBeUndefined();
    }
  });

  it("are nowhere in what is kept", async () => {
    const storage = new KeptStorage();
    const engine = await open(storage);
    const { key } = await engine.createBot({ name: "one" });
    const bytes = Buffer.concat([...storage.kept.values()].flatMap(({ records }) => records)).toString("latin1");
    expect(bytes).toContain("sha256");
    expect(bytes).not.toContain(key);
    expect(bytes).not.toContain(key.slice(-43));
  });
});

describe("bots", () => {
  it("have unique names that do not look like ids", async () => {
    const engine = await open();
    await engine.createBot({ name: "one" });
    expect(await refusal(engine.createBot({ name: "one" }))).toMatchObject({ code: "BOT_EXISTS" });
    const both = await Promise.allSettled([engine.createBot({ name: "two" }), engine.createBot({ name: "two" })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const name of ["", "a".repeat(24), " x", 3]) {
      expect(await refusal(engine.createBot({ name } as never))).toMatchObject({ code: "VALIDATION" });
    }
    expect(await refusal(engine.createBot({ name: "three", quotaCharacters: -1, language: "xx" }))).toMatchObject({
      violations: [{ field: "quotaCharacters" }, { field: "language" }],
    });
  });

  it("keep settings, keys and removals over a restart", async () => {
    const storage = new KeptStorage();
    const first = await open(storage);
    const { key } = await first.createBot({ name: "one", quotaCharacters: 50 });
    await first.createBot({ name: "gone" });
    await first.updateBot("one", { name: "renamed", rateCharactersPerMinute: 7 });
    await first.removeBot("gone");
    await first.close();
    const second = await open(storage);
    expect(second.listBots()).toMatchObject([{ name: "renamed", quotaCharacters: 50, rateCharactersPerMinute: 7 }]);
    expect(second.authenticate(key)?.name).toBe("renamed");
    expect(await refusal(second.bot("gone"))).toMatchObject({ code: "BOT_NOT_FOUND" });
    expect(storage.kept.size).toBe(2);
  });

  it("do not see each other's knowledge", async () => {
    const engine = await open();
    await engine.createBot({ name: "one" });
    await engine.createBot({ name: "two" });
    const [one, two] = [await engine.bot("one"), await engine.bot("two")];
    const { article } = await one.createArticle({ title: "Secret", body: "the pineapple" });
    await one.whenSearchable();
    expect(await two.getArticle(article.id)).toBeUndefined();
    expect(await two.search("pineapple")).toEqual([]);
    expect(await refusal(two.deleteArticle(article.id))).toMatchObject({ code: "ARTICLE_NOT_FOUND" });
  });

  it("that are removed or whose engine is closed refuse everything", async () => {
    const engine = await open();
    await engine.createBot({ name: "one" });
    const bot = await engine.bot("one");
    await engine.removeBot("one");
    expect(await refusal(bot.createArticle(text(10)))).toMatchObject({ code: "BOT_NOT_FOUND" });
    expect(await refusal(bot.listArticles())).toMatchObject({ code: "BOT_NOT_FOUND" });
    await engine.close();
    expect(await refusal(bot.search("x"))).toMatchObject({ code: "CLOSED" });
    expect(() => engine.listBots()).toThrow(LoredexError);
  });
});

describe("quota and rate", () => {
  it("are never overshot by writes at the same time", async () => {
    const engine = await open();
    await engine.createBot({ name: "one", quotaCharacters: 100, rateCharactersPerMinute: 1_000 });
    await engine.createBot({ name: "two", quotaCharacters: 1_000, rateCharactersPerMinute: 100 });
    for (const name of ["one", "two"]) {
      const bot = await engine.bot(name);
      const writes = await Promise.allSettled(Array.from({ length: 12 }, () => bot.createArticle(text(30))));
      expect(writes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      expect((await bot.stats()).characterUsed).toBe(90);
    }
  });

  it("say by how much, and when it would be admitted", async () => {
    const clock = new TestClock();
    const engine = await open(new KeptStorage(), clock);
    await engine.createBot({ name: "one", quotaCharacters: 100, rateCharactersPerMinute: 60 });
    const bot = await engine.bot("one");
    await bot.createArticle(text(50));
    expect(await refusal(bot.createArticle(text(70)))).toMatchObject({
      excessCharacters: 20,
      usedCharacters: 50,
      quotaCharacters: 100,
    });
    clock.advance(10_000);
    const refused = await refusal(bot.createArticle(text(20)));
    expect(refused).toBeInstanceOf(RateExceededError);
    expect(refused).toMatchObject({ retryAfterMs: 50_000 });
    clock.advance(49_999);
    expect(await refusal(bot.createArticle(text(20)))).toBeInstanceOf(RateExceededError);
    clock.advance(1);
    expect((await bot.createArticle(text(20))).characterUsed).toBe(70);
    await engine.updateBot("one", { quotaCharacters: 10_000 });
    expect(await refusal(bot.createArticle(text(61)))).toMatchObject({ retryAfterMs: undefined });
  });

  it("let an article shrink when the quota was lowered, and give back no rate for a delete", async () => {
    const engine = await open();
    await engine.createBot({ name: "one", quotaCharacters: 100, rateCharactersPerMinute: 100 });
    const bot = await engine.bot("one");
    const { article } = await bot.createArticle(text(80));
    await engine.updateBot("one", { quotaCharacters: 10 });
    expect((await bot.updateArticle(article.id, { body: "x" })).characterUsed).toBe(4);
    await bot.deleteArticle(article.id);
    await engine.updateBot("one", { quotaCharacters: 100 });
    expect(await bot.stats()).toMatchObject({ characterUsed: 0, rateUsed: 80 });
    expect(await refusal(bot.createArticle(text(21)))).toBeInstanceOf(RateExceededError);
  });

  it("charge nothing for a write that fails, nor for those that failed with it", async () => {
    const storage = new KeptStorage();
    const engine = await open(storage);
    await engine.createBot({ name: "one", quotaCharacters: 100, rateCharactersPerMinute: 100 });
    const bot = await engine.bot("one");
    const { article } = await bot.createArticle(text(10));
    storage.failNext = new LoredexError("DISK_FULL", "no room");
    const failed = await Promise.allSettled([
      bot.updateArticle(article.id, { body: "y".repeat(50) }),
      bot.updateArticle(article.id, { metadata: { lost: true } }),
      bot.createArticle(text(20)),
      bot.deleteArticle(article.id),
    ]);
    expect(failed.every((result) => result.status === "rejected")).toBe(true);
    expect(await bot.stats()).toMatchObject({ characterUsed: 10, rateUsed: 10 });
    expect(await bot.getArticle(article.id)).toMatchObject({ metadata: {}, characterCount: 10 });
    expect((await bot.updateArticle(article.id, { title: "abcd" })).article).toMatchObject({
      metadata: {},
      body: article.body,
    });
    expect((await bot.createArticle(text(89))).characterUsed).toBe(100);
  });

  it("come back after a restart, and the window with them", async () => {
    const [storage, clock] = [new KeptStorage(), new TestClock()];
    const first = await open(storage, clock);
    await first.createBot({ name: "one", quotaCharacters: 200, rateCharactersPerMinute: 100 });
    const bot = await first.bot("one");
    await bot.createArticle(text(60));
    clock.advance(30_000);
    await bot.createArticle(text(30));
    await bot.snapshot();
    await first.close();
    clock.advance(29_000);
    const again = await (await open(storage, clock)).bot("one");
    expect(await again.stats()).toMatchObject({ characterUsed: 90, rateUsed: 90 });
    expect(await refusal(again.createArticle(text(50)))).toMatchObject({ retryAfterMs: 1_000 });
    clock.advance(1_000);
    expect(await refusal(again.createArticle(text(111)))).toBeInstanceOf(QuotaExceededError);
    expect((await again.createArticle(text(50))).characterUsed).toBe(140);
  });
});

describe("updates", () => {
  it("are decided on the newest version in flight", async () => {
    const storage = new KeptStorage();
    const engine = await open(storage);
    await engine.createBot({ name: "one" });
    const bot = await engine.bot("one");
    const { article } = await bot.createArticle({ title: "abc", body: "one" });
    let release = (): void => undefined;
    storage.gate = new Promise((resolve) => {
      release = resolve;
    });
    const writes = [
      bot.updateArticle(article.id, { body: "two words" }),
      bot.updateArticle(article.id, { metadata: { a: 1 } }),
      bot.updateArticle(article.id, { metadata: { a: 1 } }),
    ];
    const deleted = bot.deleteArticle(article.id);
    const late = refusal(bot.updateArticle(article.id, { body: "three" }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await bot.getArticle(article.id))?.body).toBe("one");
    release();
    const [, second, third] = await Promise.all(writes);
    expect(second?.article).toMatchObject({ body: "two words", metadata: { a: 1 } });
    expect(third?.article).toMatchObject({ body: "two words", metadata: { a: 1 } });
    await deleted;
    expect(await late).toMatchObject({ code: "ARTICLE_NOT_FOUND" });
    expect((await bot.stats()).characterUsed).toBe(0);
  });

  it("that change nothing write nothing, and those of metadata stay active and are seen at once", async () => {
    const [storage, clock] = [new KeptStorage(), new TestClock()];
    const engine = await open(storage, clock);
    await engine.createBot({ name: "one" });
    const bot = await engine.bot("one");
    const { article } = await bot.createArticle({
      title: "abc",
      body: "red apple",
      source: "http://a.b/",
      metadata: { n: 1 },
    });
    expect(article.status).toBe("uploading");
    await bot.whenSearchable();
    const appended = storage.appended;
    clock.advance(1_000);
    const same = await bot.updateArticle(article.id, { ...article, metadata: { n: 1 } });
    expect(same.article).toEqual({ ...article, status: "active" });
    expect(storage.appended).toBe(appended);
    const moved = await bot.updateArticle(article.id, { metadata: { shelf: 2 }, source: null });
    expect(moved.article).toMatchObject({ status: "active", metadata: { shelf: 2 } });
    expect(moved.article).not.toHaveProperty("source");
    expect(moved.article.updatedAt > article.updatedAt).toBe(true);
    expect(await bot.search("apple", { filters: { "metaData.shelf": 2 } })).toHaveLength(1);
    const changed = await bot.updateArticle(article.id, { body: "green pear" });
    expect(changed.article.status).toBe("uploading");
    expect((await bot.search("apple"))[0]?.similarTextParts[0]?.text).toBe("red apple");
    await bot.whenSearchable();
    expect(await bot.search("apple")).toEqual([]);
    expect((await bot.getArticle(article.id))?.status).toBe("active");
    await bot.deleteArticle(article.id);
    expect(await bot.search("pear")).toEqual([]);
  });
});

describe("imported documents", () => {
  it("are added, replaced, left alone, switched and removed", async () => {
    const engine = await open();
    await engine.createBot({ name: "one" });
    const bot = await engine.bot("one");
    const document = { resourceDocId: "p", type: "WEBPAGE", content: [{ md: "red apple" }] };
    expect(await Promise.all([bot.importDocument(document), bot.importDocument(document)])).toEqual([
      "added",
      "unchanged",
    ]);
    await bot.whenSearchable();
    await bot.setDocumentStatus("p", "pending");
    expect((await bot.search("apple"))[0]?.status).toBe("pending");
    expect(await bot.importDocument(document)).toBe("unchanged");
    expect((await bot.getDocument("p"))?.status).toBe("pending");
    expect(await bot.importDocument({ ...document, content: [{ md: "green apple" }] })).toBe("replaced");
    expect(await bot.listDocuments({ type: "PDF" })).toEqual([]);
    expect(await bot.listDocuments({ status: "active" })).toHaveLength(1);
    await bot.removeDocument("p");
    expect(await bot.search("apple")).toEqual([]);
    for (const change of [bot.removeDocument("p"), bot.setDocumentStatus("p", "active")]) {
      expect(await refusal(change)).toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
    }
    const { article } = await bot.createArticle(text(10));
    expect(await refusal(bot.importDocument({ ...document, resourceDocId: article.id }))).toMatchObject({
      code: "VALIDATION",
    });
  });
});

describe("agents", () => {
  it("have their articles, also if they are registered later", async () => {
    const engine = await open();
    await engine.createBot({ name: "one" });
    const bot = await engine.bot("one");
    const { article } = await bot.createArticle({ ...text(10), activeOn: [{ agent: "ann", channel: "web" }] });
    await bot.putAgent("ann", true);
    await bot.putChannel("web", false);
    expect((await bot.articlesOfAgent("ann")).map(({ id }) => id)).toEqual([article.id]);
    expect(await bot.listChannels()).toEqual([{ name: "web", active: false }]);
    const strict = { ...text(10), strict: true, activeOn: [{ agent: "ann", channel: "web" }] };
    expect(await refusal(bot.createArticle(strict))).toMatchObject({ violations: [{ field: "activeOn.0.channel" }] });
    await bot.putChannel("web", true);
    expect((await bot.createArticle(strict)).article.activeOn).toEqual(strict.activeOn);
    const wrong = { violations: [{ field: "name", type: "name" }] };
    for (const name of ["a\u202enn", "a\u0000nn", "a\nnn", "a\u2029nn"])
      for (const refused of [bot.putAgent(name, true), bot.putChannel(name, true)])
        expect(await refusal(refused)).toMatchObject(wrong);
    await bot.removeAgent("ann");
    expect(await refusal(bot.removeAgent("ann"))).toMatchObject({ code: "REGISTRATION_NOT_FOUND" });
  });
});

describe("a data directory", () => {
  it("is opened again with the same answers, from the log and from a snapshot", async () => {
    const directory = await mkdtemp(join(tmpdir(), "loredex-engine-"));
    try {
      const first = await Engine.open({ directory, random: seededRandom(1) });
      const { key } = await first.createBot({ name: "one" });
      const bot = await first.bot("one");
      for (let i = 0; i < 20; i++)
        await bot.createArticle({ title: `Article ${i}`, body: `# Part ${i}\n\nThe apple number ${i} is red.` });
      const ordered = { zone: "north", area: "east", 7: "seven" };
      await bot.createArticle({ title: "Ordered", body: "a plum", metadata: ordered });
      await bot.importDocument({ resourceDocId: "d", type: "PDF", metaData: ordered, content: [{ md: "a plum" }] });
      await bot.whenSearchable();
      const written = JSON.stringify([await bot.listArticles(), await bot.listDocuments()]);
      expect(written).toContain('"zone":"north","area"');
      const answers = await bot.search("apple number 7", { includeContent: true });
      expect(answers[0]?.metaData.title).toBe("Article 7");
      expect(await refusal(Engine.open({ directory }))).toMatchObject({ code: "DIRECTORY_IN_USE" });
      await first.close();

      const second = await Engine.open({ directory });
      const again = await second.bot(second.authenticate(key)?.id ?? "");
      expect(await again.search("apple number 7", { includeContent: true })).toEqual(answers);
      expect(JSON.stringify([await again.listArticles(), await again.listDocuments()])).toBe(written);
      await again.snapshot();
      await again.createArticle({ title: "Later", body: "a pear" });
      await second.close();

      const third = await Engine.open({ directory });
      const last = await third.bot("one");
      expect((await last.listArticles()).every(({ status }) => status === "active")).toBe(true);
      expect(await last.listArticles()).toHaveLength(22);
      expect((await last.search("pear"))[0]?.metaData.title).toBe("Later");
      await third.removeBot("one");
      await third.close();
      expect((await readdir(join(directory, "stores"))).filter((name) => name.startsWith("bot-"))).toEqual([]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

describe("options that make no sense", () => {
  it("are refused before anything is opened, also in memory", async () => {
    // Boundary of the test: a program in JavaScript can pass what the types refuse.
    const consoleLike = { logger: { info: () => undefined } } as unknown as { logger: () => void };
    await expect(Engine.open(consoleLike)).rejects.toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("(event) => console[event.level](event.message)"),
    });
    const wrong = {
      background: 0,
      graph: "hnsw",
      graphVectorsMin: Number.NaN,
      memoryBytes: -1,
      openBotsMax: 0,
      patient: null,
      rerank: "no",
      rerankMemoryBytes: -1,
    };
    const opened = Engine.open(wrong as unknown as EngineOptions);
    const error: unknown = await opened.catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: "VALIDATION",
      message: expect.stringContaining("rerank must be true or false"),
    });
    const { violations } = error as ValidationError;
    expect(violations.map(({ field }) => field).sort()).toEqual(Object.keys(wrong).sort());
  });
});
