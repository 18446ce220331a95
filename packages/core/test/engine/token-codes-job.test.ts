import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import type { BlockKey } from "../../src/storage/block-store.ts";
import type { Storage } from "../../src/storage/store.ts";
import { openOn, type SimulatedDisk, simulatedDisk, writeWhole } from "../storage/kit.ts";
import { withBlocks, withStores } from "../support/changed-stores.ts";
import { eventsOf, offer, opened } from "../support/embedded-bot.ts";
import type { FakeEmbedder } from "../support/fake-embedder.ts";
import { SIGN_BYTES, tokenCodesOfWords } from "../support/fake-token-codes.ts";
import { filesOf } from "../support/files-of.ts";

/** What becomes of the token codes where their documents, their embedder or the disk change. */

const TEXTS = ["You can buy a zebra here.", "Penguins live on ice.", "A hound in a car."];
const QUESTION = "is a hound in a car on the ice";

async function create(bot: Bot): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, body] of TEXTS.entries()) ids.push((await bot.createArticle({ title: `Page ${i}`, body })).article.id);
  await bot.whenUpgraded();
  return ids;
}

async function blocksOf(disk: SimulatedDisk): Promise<readonly [string, Buffer]> {
  const found = [...(await filesOf(disk, "/data/stores"))].filter(([path]) => path.endsWith(".blocks"));
  expect(found).toHaveLength(1);
  return found[0] ?? expect.fail("no blocks");
}

const tokenCodesOf = async (bot: Bot) => {
  const { texts, tokenCodes } = (await bot.stats()).vectors;
  return { texts, kept: tokenCodes?.texts };
};

const told = (events: readonly LogEvent[]): unknown[] =>
  events.filter(({ event }) => event === "tokenCodesDropped").map(({ level }) => level);

/** A disk with a bot that was closed, and what its question was answered. */
async function made() {
  const disk = simulatedDisk();
  const { engine, bot } = await opened(await openOn(disk), { tokens: "1" });
  await create(bot);
  const answer = await bot.search(QUESTION);
  await engine.close();
  return { disk, answer };
}

describe("token codes", () => {
  it("that a question finds damaged are told once and made again, and everything is found as before", async () => {
    const { disk, answer } = await made();
    const [path, bytes] = await blocksOf(disk);
    for (const word of ["penguins", "hound"]) {
      const at = bytes.indexOf(tokenCodesOfWords(word));
      expect(at).toBeGreaterThan(0);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    }
    await writeWhole(disk, path, bytes);
    const embedding = deferred();
    const onPassages = (): Promise<void> => embedding.promise;
    const { engine, bot, fakes, events } = await opened(await openOn(disk), { tokens: "1", onPassages });
    await bot.whenUpgraded();
    const { texts, kept } = await tokenCodesOf(bot);
    // Nobody has read them yet.
    expect(kept).toBe(texts);
    const without = await bot.search(QUESTION);
    expect(without.map(({ resourceDocId }) => resourceDocId).sort()).toEqual(
      answer.map(({ resourceDocId }) => resourceDocId).sort(),
    );
    expect(without).not.toEqual(answer);
    expect(told(events)).toEqual(["warn"]);
    embedding.resolve();
    await bot.whenUpgraded();
    // Of two documents, which have a title each.
    expect(fakes[0]?.passages).toHaveLength(4);
    expect(await tokenCodesOf(bot)).toEqual({ texts, kept: texts });
    expect(await bot.search(QUESTION)).toEqual(answer);
    await engine.close();
  });

  it("that are not all there at a start are told, and made again", async () => {
    const { disk, answer } = await made();
    const [path, bytes] = await blocksOf(disk);
    const last = bytes.lastIndexOf(tokenCodesOfWords("hound"));
    await writeWhole(disk, path, bytes.subarray(0, last));
    const { engine, bot, fakes, events } = await opened(await openOn(disk), { tokens: "1" });
    await bot.whenUpgraded();
    expect(told(events)).toEqual(["info"]);
    expect(fakes[0]?.passages).toHaveLength(2);
    expect(await bot.search(QUESTION)).toEqual(answer);
    await engine.close();
  });

  it("go as soon as searches see another version, before those of that are made", async () => {
    let wait: Promise<void> | undefined;
    const onPassages = async (): Promise<void> => wait;
    const { engine, bot } = await opened(await openOn(simulatedDisk()), { tokens: "1", onPassages });
    const [id = ""] = await create(bot);
    const { texts, kept = 0 } = await tokenCodesOf(bot);
    const embedding = deferred();
    wait = embedding.promise;
    await bot.updateArticle(id, { body: "You can buy two zebras here." });
    await bot.whenSearchable();
    expect(await tokenCodesOf(bot)).toEqual({ texts, kept: kept - 2 });
    embedding.resolve();
    await bot.whenUpgraded();
    expect(await tokenCodesOf(bot)).toEqual({ texts, kept: texts });
    await engine.close();
  });

  it("of a version that was replaced while they were written are not kept", async () => {
    const writing = deferred();
    const written = deferred();
    const storage = withSlowAppend(await openOn(simulatedDisk()), async (_, count) => {
      writing.resolve();
      if (count === 1) await written.promise;
    });
    const { engine, bot } = await opened(storage, { tokens: "1" });
    const { article } = await bot.createArticle({ title: "Page", body: "You can buy a zebra here." });
    await writing.promise;
    await bot.updateArticle(article.id, { body: "You can buy a lion here." });
    await bot.whenSearchable();
    written.resolve();
    await bot.whenUpgraded();
    expect(await tokenCodesOf(bot)).toEqual({ texts: 2, kept: 2 });
    await engine.close();
  });

  it("of what is gone are purged, whichever piece of them is written meanwhile", async () => {
    for (const slow of [1, 2, 3]) {
      const disk = simulatedDisk();
      const writing = deferred();
      const written = deferred();
      const wait = async (key: BlockKey, count: number): Promise<void> => {
        if (key.id !== "long" || count !== slow) return;
        writing.resolve();
        await written.promise;
      };
      const storage = withSlowAppend(await openOn(disk), wait);
      const { engine, bot } = await opened(storage, { tokens: "1", textsPerCall: 400 });
      await create(bot);
      const lines = Array.from({ length: 300 }, (_, i) => `Line ${i} has a secret, ${"as is told again ".repeat(14)}.`);
      await bot.importDocument({ resourceDocId: "long", type: "DOCUMENT", content: [{ md: lines.join("\n\n") }] });
      await writing.promise;
      await bot.removeDocument("long");
      const purged = engine.purge("bot");
      // It has come to where it waits for what is being written.
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      written.resolve();
      await purged;
      await bot.whenUpgraded();
      const { texts, kept } = await tokenCodesOf(bot);
      expect(kept).toBe(texts);
      const [, bytes] = await blocksOf(disk);
      expect(bytes.includes(Buffer.from(tokenCodesOfWords("secret")))).toBe(false);
      expect(bytes.includes(Buffer.from(tokenCodesOfWords("hound")))).toBe(true);
      await engine.close();
    }
  });

  it("that a purge has no room to write anew are told and made again, and everything is found as before", async () => {
    const disk = simulatedDisk();
    const { engine, bot, fakes, events } = await opened(await openOn(disk), { tokens: "1" });
    await create(bot);
    const answer = await bot.search(QUESTION);
    const { article } = await bot.createArticle({ title: "Page", body: "A secret." });
    await bot.whenUpgraded();
    await bot.deleteArticle(article.id);
    const made = fakes[0]?.passages.length ?? 0;
    const at = disk.fileSystem.operations;
    disk.fileSystem.setFault({ at, kind: "failFrom", operation: "write", pathEnd: ".blocks.tmp", code: "ENOSPC" });
    await engine.purge("bot");
    disk.fileSystem.setFault(undefined);
    expect(told(events)).toEqual(["warn"]);
    await bot.whenUpgraded();
    const { texts, kept } = await tokenCodesOf(bot);
    expect(kept).toBe(texts);
    expect(fakes[0]?.passages).toHaveLength(made + texts);
    expect(await bot.search(QUESTION)).toEqual(answer);
    const [, bytes] = await blocksOf(disk);
    expect(bytes.includes(Buffer.from(tokenCodesOfWords("secret")))).toBe(false);
    await engine.close();
  });

  it("keep no question from being read while a long purge has them wait", async () => {
    const { disk } = await made();
    const [purging, begun] = [deferred(), deferred()];
    const storage = withStores(await openOn(disk), (store) => {
      const purge = store.purge.bind(store);
      store.purge = (contents) =>
        purge(async (through) => {
          const all = await contents(through);
          begun.resolve();
          await purging.promise;
          return all;
        });
    });
    const { engine, bot } = await opened(storage, { tokens: "1" }, { background: false });
    const purged = engine.purge("bot");
    await begun.promise;
    // It shares no word with what it finds.
    const found = async (): Promise<number> => (await bot.search("purchase")).length;
    await expect.poll(found).toBeGreaterThan(0);
    purging.resolve();
    await purged;
    await bot.whenUpgraded();
    const { texts, kept } = await tokenCodesOf(bot);
    expect(kept).toBe(texts);
    await engine.close();
  });

  it("that cannot be opened are told, with all documents that are found without them", async () => {
    const storage = withBlocks(await openOn(simulatedDisk()), (blocks) => {
      const open = blocks.open.bind(blocks);
      blocks.open = (label) =>
        label === "none" ? open(label) : Promise.reject(Object.assign(new Error("EMFILE"), { code: "EMFILE" }));
    });
    const { engine, bot, events } = await opened(storage, { tokens: "1" });
    await create(bot);
    expect(eventsOf(events).filter((event) => event === "tokenCodesNotOpened")).toHaveLength(1);
    const { tokenCodes } = (await bot.stats()).vectors;
    expect(tokenCodes).toEqual({ texts: 0, diskBytes: 0, documentsWaiting: 0, documentsGivenUp: TEXTS.length });
    expect(engine.figures().openBots[0]).toMatchObject({ tokenCodesWaiting: 0, tokenCodesGivenUp: TEXTS.length });
    expect(await bot.search(QUESTION)).not.toEqual([]);
    await engine.close();
  });

  it("of a document that goes while a search keeps it in sight are not kept", async () => {
    const writing = deferred();
    const written = deferred();
    const wait = async (): Promise<void> => {
      writing.resolve();
      await written.promise;
    };
    const { engine, bot } = await opened(withSlowAppend(await openOn(simulatedDisk()), wait), { tokens: "1" });
    await bot.importDocument({ resourceDocId: "gone", type: "DOCUMENT", content: [{ md: "A hound in a car." }] });
    await writing.promise;
    const searching = bot.search(QUESTION);
    await bot.removeDocument("gone");
    written.resolve();
    await searching;
    await bot.importDocument({ resourceDocId: "other", type: "DOCUMENT", content: [{ md: "Some ice." }] });
    await bot.whenUpgraded();
    expect(await tokenCodesOf(bot)).toEqual({ texts: 1, kept: 1 });
    await engine.close();
  });

  it("of a long document are those of its parts, whether they come at once or one by one", async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `Line ${i} has word${i}, ${"as is told again ".repeat(14)}.`);
    const answers: unknown[] = [];
    for (const textsPerCall of [1, 400]) {
      const { engine, bot, fakes } = await opened(await openOn(simulatedDisk()), { tokens: "1", textsPerCall });
      await bot.importDocument({ resourceDocId: "long", type: "DOCUMENT", content: [{ md: lines.join("\n\n") }] });
      await bot.whenUpgraded();
      const { texts } = await tokenCodesOf(bot);
      expect(texts).toBeGreaterThan(256);
      expect(fakes[0]?.passages).toHaveLength(texts);
      for (const asked of ["what has word7", "what has word150", "what has word299"])
        answers.push(await bot.search(asked));
      await engine.close();
    }
    expect(answers.slice(3)).toEqual(answers.slice(0, 3));
  });

  it("are part of what a bot takes in memory", async () => {
    const memory: number[] = [];
    for (const rerank of [false, true]) {
      const { engine, bot } = await opened(await openOn(simulatedDisk()), { tokens: "1" }, { rerank });
      await create(bot);
      memory.push(engine.figures().openBots[0]?.memoryBytes ?? 0);
      await engine.close();
    }
    const [without = 0, withTokenCodes = 0] = memory;
    expect(without).toBeGreaterThan(0);
    expect(withTokenCodes).toBeGreaterThanOrEqual(without + 3 * SIGN_BYTES);
  });

  it("stay where only the static embedder of their embedder is at hand, for an engine that has it", async () => {
    const disk = simulatedDisk();
    const open = async (fakes?: FakeEmbedder[]) => {
      const storage = await openOn(disk);
      const given = fakes === undefined ? {} : { embedders: { minilm: offer(fakes, { tokens: "1" }) } };
      const engine = await Engine.open({ storage, ...given });
      if (engine.findBot("bot") === undefined) await engine.createBot({ name: "bot" });
      const bot = await engine.bot("bot");
      return { engine, bot };
    };
    const first = await open([]);
    await create(first.bot);
    await first.engine.close();
    const staticEmbedder = await open();
    await staticEmbedder.bot.whenUpgraded();
    expect((await staticEmbedder.bot.stats()).vectors.missing?.instead).toBe("static");
    expect(await staticEmbedder.bot.search(QUESTION)).not.toEqual([]);
    await staticEmbedder.engine.close();
    await blocksOf(disk);
    const fakes: FakeEmbedder[] = [];
    const again = await open(fakes);
    await again.bot.whenUpgraded();
    const { texts, kept } = await tokenCodesOf(again.bot);
    expect(kept).toBe(texts);
    expect(fakes[0]?.passages).toEqual([]);
    await again.engine.close();
  });
});

/** Has the blocks of every store wait before each is written; `count` says the how many-th of its document it is, from 1. */
function withSlowAppend(storage: Storage, wait: (key: BlockKey, count: number) => Promise<void>): Storage {
  const counts = new Map<string, number>();
  return withBlocks(storage, (blocks) => {
    const append = blocks.append.bind(blocks);
    blocks.append = async (key, windows) => {
      const count = (counts.get(key.id) ?? 0) + 1;
      counts.set(key.id, count);
      await wait(key, count);
      return append(key, windows);
    };
  });
}
