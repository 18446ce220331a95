import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EngineOptions } from "../../src/engine.ts";
import { savedVectors } from "../../src/index/snapshot/first-vectors.ts";
import { Engine } from "../../src/index.ts";
import { FIRST_VECTORS_SECTION } from "../../src/model/derived-sections.ts";
import { openBackup } from "../../src/operations/backup-file.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { CAR, eventsOf, ICE, opened, QUESTION, titles } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** An engine whose bot has a static embedder alone, or an embedder with one. */
async function taught(
  storage: KeptStorage,
  { open, teacherVersion }: { open?: () => Promise<FakeEmbedder>; teacherVersion?: string } = {},
) {
  const staticEmbedder = new FakeStatic(teacherVersion);
  const fake = {
    languages: ["en"],
    static: async () => staticEmbedder,
    ...(open === undefined ? {} : { open }),
  };
  const windows = await opened(storage, {}, { embedders: { fake } });
  onTestFinished(() => windows.engine.close());
  return { ...windows, staticEmbedder };
}

/** What a bot with both articles wrote into its snapshot. */
async function written(): Promise<{ storage: KeptStorage; found: unknown }> {
  const storage = new KeptStorage();
  const { engine, bot } = await taught(storage);
  await bot.createArticle(CAR);
  await bot.createArticle(ICE);
  await bot.whenUpgraded();
  await bot.snapshot();
  const found = await bot.search(QUESTION);
  await engine.close();
  return { storage, found };
}

/** The static embedder's vectors in a backup, which has the sections of a snapshot: those of its beginning, whatever is written while it is read. */
async function sectionOf(engine: Engine, meanwhile: () => Promise<unknown> = async () => undefined) {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const backup = engine.backup("bot");
    const first = await backup.next();
    await meanwhile();
    if (first.done !== true) yield first.value;
    yield* backup;
  }
  const backup = await openBackup(bytes());
  const read = new Map<string, Uint8Array>();
  for (const { name, chunks } of backup.sections) {
    const windows: Uint8Array[] = [];
    for await (const chunk of chunks) windows.push(chunk);
    read.set(name, Buffer.concat(windows));
  }
  const section = backup.sections.find(({ name }) => name === FIRST_VECTORS_SECTION) ?? expect.fail("no section");
  await backup.close();
  return finished(savedVectors({ ...section, bytes: read.get(section.name) ?? new Uint8Array() }));
}

it("a start takes the static embedder's vectors out of the snapshot, and makes none again", async () => {
  const { storage, found } = await written();
  const { bot, staticEmbedder } = await taught(storage);
  expect(staticEmbedder.texts).toEqual([]);
  expect((await bot.stats()).vectors).toMatchObject({ texts: 4, vectors: 4 });
  expect(await bot.search(QUESTION)).toEqual(found);
});

it("what was written after the snapshot is read by the static embedder, and nothing else", async () => {
  const { storage } = await written();
  const before = await taught(storage);
  await before.bot.updateArticle((await before.bot.listArticles())[1]?.id ?? "", { body: "Hounds run fast." });
  await before.bot.createArticle({ title: "The zoo", body: "A dog barks." });
  await before.engine.close();
  const { bot, staticEmbedder } = await taught(storage);
  expect(staticEmbedder.texts.sort()).toEqual([
    "The pole",
    "The pole\nHounds run fast.",
    "The zoo",
    "The zoo\nA dog barks.",
  ]);
  expect((await titles(bot, "rapid puppy")).sort()).toEqual(["The pole", "The zoo"]);
});

it("vectors of another static embedder, or in another space, are made again", async () => {
  const { storage } = await written();
  const { bot, staticEmbedder } = await taught(storage, { teacherVersion: "2" });
  expect(staticEmbedder.texts).toHaveLength(4);
  expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
});

it.each([
  ["end in the middle", (bytes: Buffer) => bytes.subarray(0, 30)],
  [
    "are of no document",
    (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace('"id":"', '"no":"'), "latin1"),
  ],
  ["are no JSON", (bytes: Buffer) => Buffer.from(bytes).fill(1, 8, 20)],
])("vectors that %s are made again, and somebody is told", async (_, damage) => {
  const { storage, found } = await written();
  for (const { snapshot } of storage.kept.values()) {
    const section = snapshot?.sections.get(FIRST_VECTORS_SECTION);
    if (section !== undefined) Object.assign(section, { bytes: damage(Buffer.from(section.bytes)) });
  }
  const { bot, staticEmbedder, events } = await taught(storage);
  expect(staticEmbedder.texts).toHaveLength(4);
  expect(eventsOf(events)).toContain("firstVectorsDropped");
  expect(await bot.search(QUESTION)).toEqual(found);
});

it("vectors of fewer or more parts than the document has are made again", async () => {
  const { storage, found } = await written();
  for (const { snapshot } of storage.kept.values()) {
    const section = snapshot?.sections.get(FIRST_VECTORS_SECTION);
    if (section === undefined) continue;
    const text = Buffer.from(section.bytes).toString("latin1").replaceAll('"first":0', '"first":1');
    Object.assign(section, { bytes: Buffer.from(text, "latin1") });
  }
  const { bot, staticEmbedder } = await taught(storage);
  expect(staticEmbedder.texts).toHaveLength(4);
  expect(await bot.search(QUESTION)).toEqual(found);
});

it("what the embedder has made, also while the snapshot is being written, is not in it", async () => {
  let letThrough = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const { engine, bot } = await taught(new KeptStorage(), {
    open: async () => new FakeEmbedder({ onPassages: () => gate }),
  });
  const { id } = (await bot.createArticle(CAR)).article;
  await bot.whenSearchable();
  const before = await sectionOf(engine);
  expect([...before.keys()]).toEqual([id]);
  expect(before.get(id)).toMatchObject({ first: 0, version: 1 });
  const meanwhile = await sectionOf(engine, async () => {
    letThrough();
    await bot.whenUpgraded();
  });
  expect([...meanwhile.keys()]).toEqual([]);
});

it("a document that was changed or removed while the snapshot is being written is left out of it", async () => {
  const { engine, bot } = await taught(new KeptStorage());
  const { id } = (await bot.createArticle(CAR)).article;
  const other = (await bot.createArticle(ICE)).article.id;
  const removed = (await bot.createArticle({ title: "The zoo", body: "A dog barks." })).article.id;
  await bot.whenUpgraded();
  const saved = await sectionOf(engine, async () => {
    await bot.updateArticle(id, { body: "You can buy a hound here." });
    await bot.deleteArticle(removed);
    await bot.whenSearchable();
  });
  expect([...saved.keys()]).toEqual([other]);
});

it("on disk: the last snapshot of an engine that is closed has them, and so has a backup", async () => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-first-vectors-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const start = async (options: EngineOptions = { directory }) => {
    const staticEmbedder = new FakeStatic();
    const engine = await Engine.open({
      embedders: { static: { languages: ["en"], static: async () => staticEmbedder } },
      ...options,
    });
    onTestFinished(() => engine.close());
    return { engine, staticEmbedder };
  };
  const first = await start();
  await first.engine.createBot({ name: "bot", rateCharactersPerMinute: 1_000_000 });
  const bot = await first.engine.bot("bot");
  // More than the log may have at a start.
  for (let i = 0; i < 40; i++) await bot.createArticle({ title: `Page ${i}`, body: `About a car ${i}. `.repeat(120) });
  await bot.whenUpgraded();
  await first.engine.close();

  const second = await start();
  const found = await (await second.engine.bot("bot")).search(QUESTION);
  expect(second.staticEmbedder.texts).toEqual([QUESTION]);
  const elsewhere = await start({});
  const { bot: info } = await elsewhere.engine.restore(second.engine.backup("bot"));
  expect(await (await elsewhere.engine.bot(info.id)).search(QUESTION)).toEqual(found);
  expect(elsewhere.staticEmbedder.texts).toEqual([QUESTION]);
});
