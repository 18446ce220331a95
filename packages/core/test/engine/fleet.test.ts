import { expect, it } from "vitest";
import { KeptFigures } from "../../src/catalog/kept-figures.ts";
import { Engine } from "../../src/engine.ts";
import type { KnownFigures, OpenBotFigures } from "../../src/model/work.ts";
import { systemClock } from "../../src/platform/system.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const FIGURES: KnownFigures = {
  ...{ articles: 1, documents: 2, characterUsed: 3, quotaCharacters: 4, indexQueue: 0, indexFailures: 0, texts: 5 },
  ...{
    vectors: 0,
    documentsWaiting: 0,
    documentsGivenUp: 0,
    tokenCodesWaiting: 0,
    tokenCodesGivenUp: 0,
    embedderFailures: 0,
  },
};

function openOf(id: string, figures: KnownFigures): OpenBotFigures {
  return { id, diskBytes: 1, memoryBytes: 1, ...figures };
}

/** What is known of bots that are not open, of these lines of an earlier run. */
async function loaded(lines: string): Promise<unknown[]> {
  const figures = new KeptFigures({
    cache: { read: async () => Buffer.from(lines), write: async () => undefined },
    open: () => [],
    isShared: false,
    isKnown: () => true,
    clock: systemClock,
    sleep: async () => undefined,
    logger: () => undefined,
  });
  await figures.load();
  return [...figures.all()].sort(([a], [b]) => (a < b ? -1 : 1));
}

const document = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "A walrus sleeps on the ice." }] };

it("knows after a start what every bot had when it was closed, and opens none for that", async () => {
  const storage = new KeptStorage();
  const before = await Engine.open({ storage, embedders: {} });
  for (const name of ["a", "b", "c"]) {
    await before.createBot({ name });
    const bot = await before.bot(name);
    await bot.createArticle({ title: "Walrus", body: "Ice." });
    await bot.importDocument(document);
  }
  await before.close();

  const engine = await Engine.open({ storage, embedders: {}, openBotsMax: 1 });
  const asOf = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(engine.fleet().map(({ name, figures }) => [name, figures])).toEqual(
    ["a", "b", "c"].map((name) => [
      name,
      expect.objectContaining({ articles: 1, documents: 1, characterUsed: 10, asOf }),
    ]),
  );
  expect(engine.openBots).toBe(0);
  const a = await engine.bot("a");
  await a.removeDocument("d");
  // Takes the only place.
  await engine.bot("b");
  const fleet = engine.fleet();
  expect(engine.openBots).toBe(1);
  expect(fleet[0]?.figures).toMatchObject({ articles: 1, documents: 0, characterUsed: 10, indexFailures: 0 });
  expect(fleet[1]?.figures).toMatchObject({
    articles: 1,
    documents: 1,
    lastWriteAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  // What is known of an open bot is so now.
  expect(fleet.map(({ figures }) => figures?.asOf)).toEqual([asOf, undefined, asOf]);
  expect(fleet.map(({ figures: _, ...bot }) => bot)).toEqual(engine.listBots());
  await engine.removeBot("a");
  await engine.createBot({ name: "a" });
  expect(engine.fleet()[0]?.figures).toBeUndefined();
  await engine.close();
});

it("tells the last write of a bot also after a start", async () => {
  const storage = new KeptStorage();
  const before = await Engine.open({ storage, embedders: {} });
  await before.createBot({ name: "a" });
  const bot = await before.bot("a");
  expect(before.fleet()[0]?.figures?.lastWriteAt).toBeUndefined();
  const { article } = await bot.createArticle({ title: "Walrus", body: "Ice." });
  await before.close();
  const closedMs = Date.now();
  const engine = await Engine.open({ storage, embedders: {} });
  await engine.bot("a");
  // The charge of a write has a clock of its own, some milliseconds beside that of the article.
  const lastWriteMs = Date.parse(engine.fleet()[0]?.figures?.lastWriteAt ?? "");
  expect(lastWriteMs).toBeGreaterThanOrEqual(Date.parse(article.updatedAt));
  expect(lastWriteMs).toBeLessThanOrEqual(closedMs + 1_000);
  await engine.close();
});

it("keeps figures every minute while bots are written to, so that a crash leaves what was known before", async () => {
  const cache: { bytes?: Uint8Array } = {};
  const asked: (() => void)[] = [];
  const figures = new KeptFigures({
    cache: {
      read: async () => cache.bytes,
      write: async (bytes) => {
        cache.bytes = bytes;
      },
    },
    open: () => [openOf("a", FIGURES)],
    isShared: false,
    isKnown: (id) => id !== "removed",
    clock: { wallMs: () => 0, monotonicMs: () => 0 },
    sleep: () => new Promise((resolve) => asked.push(() => resolve())),
    logger: () => undefined,
  });
  figures.closed(openOf("b", { ...FIGURES, articles: 7 }));
  figures.closed(openOf("removed", FIGURES));
  figures.changed();
  expect(asked).toHaveLength(1);
  expect(cache.bytes).toBeUndefined();
  asked[0]?.();
  await expect.poll(() => cache.bytes).toBeDefined();
  const lines = Buffer.from(cache.bytes ?? []).toString();
  expect(await loaded(lines)).toEqual([
    ["a", { ...FIGURES, asOf: "1970-01-01T00:00:00.000Z" }],
    ["b", { ...FIGURES, articles: 7, asOf: "1970-01-01T00:00:00.000Z" }],
  ]);
});

it("keeps what changes while it is written with the next writing", async () => {
  const written: string[] = [];
  const asked: (() => void)[] = [];
  const figures = new KeptFigures({
    cache: {
      read: async () => undefined,
      write: async (bytes) => {
        if (written.length === 0) figures.closed(openOf("late", FIGURES));
        written.push(Buffer.from(bytes).toString());
      },
    },
    open: () => [],
    isShared: false,
    isKnown: () => true,
    clock: { wallMs: () => 0, monotonicMs: () => 0 },
    sleep: () => new Promise((resolve) => asked.push(() => resolve())),
    logger: () => undefined,
  });
  figures.closed(openOf("early", FIGURES));
  asked.shift()?.();
  await expect.poll(() => asked).toHaveLength(1);
  asked.shift()?.();
  await expect.poll(() => written).toHaveLength(2);
  expect(written.map((lines) => lines.includes("late"))).toEqual([false, true]);
});

it("passes over figures that make no sense", async () => {
  const line = (change: object): string =>
    `${JSON.stringify({ id: "a", figures: { ...FIGURES, asOf: "2026-01-01T00:00:00Z", ...change } })}\n`;
  expect(await loaded(line({}))).toHaveLength(1);
  for (const wrong of [
    "",
    "{",
    "null\n",
    line({ articles: -1 }),
    line({ asOf: 7 }),
    line({ texts: "1" }),
    line({ lastWriteAt: "x" }),
  ])
    expect(await loaded(wrong)).toEqual([]);
  expect(await loaded(`\u0000{\n${line({})}`)).toHaveLength(1);
});

it("opens with a catalog that has no figures, or damaged ones", async () => {
  const storage = new KeptStorage();
  const before = await Engine.open({ storage, embedders: {} });
  await before.createBot({ name: "a" });
  await (await before.bot("a")).createArticle({ title: "Walrus", body: "Ice." });
  await before.close();
  const catalog = await storage.open("catalog");
  await catalog.recover({ snapshot: () => undefined, record: () => undefined });
  await catalog.writeCache("figures", Buffer.from('{"id":7}\n{'));
  await catalog.close();
  const engine = await Engine.open({ storage, embedders: {} });
  expect(engine.fleet()[0]?.figures).toBeUndefined();
  expect((await (await engine.bot("a")).search("walrus")).length).toBe(1);
  await engine.close();
});
