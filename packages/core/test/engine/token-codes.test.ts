import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { LoredexError } from "../../src/model/errors.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { openOn, readWhole, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { withBlocks } from "../support/changed-stores.ts";
import { eventsOf, opened } from "../support/embedded-bot.ts";
import { FakeEmbedder, type FakeOptions } from "../support/fake-embedder.ts";

const TEXTS = ["You can buy a car here.", "Penguins live on ice.", "A hound in a car.", "The puppy on ice, and a key."];
const QUESTION = "is a puppy in a car on the ice";

async function close(engine: Engine): Promise<void> {
  await engine.close();
}

async function create(bot: Bot, texts: readonly string[] = TEXTS): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, body] of texts.entries()) ids.push((await bot.createArticle({ title: `Page ${i}`, body })).article.id);
  await bot.whenUpgraded();
  return ids;
}

async function blockFilesOf({ fileSystem, directory }: SimulatedDisk): Promise<string[]> {
  const stores = await fileSystem.readDirectory(`${directory}/stores`);
  const files = await Promise.all(stores.map((store) => fileSystem.readDirectory(`${directory}/stores/${store}`)));
  return files.flat().filter((name) => name.includes(".blocks"));
}

/** Whether a file of blocks has this text. */
async function blocksHold(disk: SimulatedDisk, text: string): Promise<boolean> {
  const { fileSystem, directory } = disk;
  for (const store of await fileSystem.readDirectory(`${directory}/stores`)) {
    const folder = `${directory}/stores/${store}`;
    for (const name of (await fileSystem.readDirectory(folder)).filter((each) => each.includes(".blocks")))
      if ((await readWhole(disk, `${folder}/${name}`)).includes(text)) return true;
  }
  return false;
}

const scores = (results: readonly SearchResult[]) =>
  results.map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]);

describe("token codes", () => {
  it("are made with the vectors, in the same call, and change what is found best", async () => {
    const disk = simulatedDisk();
    const { engine, bot, fakes } = await opened(await openOn(disk), { tokens: "1" });
    await create(bot);
    const { vectors } = await bot.stats();
    expect(vectors).toMatchObject({
      vectors: vectors.texts,
      tokenCodes: { texts: vectors.texts, documentsWaiting: 0 },
    });
    expect(fakes[0]?.passages).toHaveLength(vectors.texts);
    const three = await bot.search(QUESTION);
    const fast = await bot.search(QUESTION, { quality: "fast" });
    expect(fast).not.toEqual([]);
    await close(engine);
    expect(await blockFilesOf(disk)).toHaveLength(1);
    const without = await opened(await openOn(disk), { tokens: "1" }, { rerank: false });
    expect(await blockFilesOf(disk)).toEqual([]);
    const two = await without.bot.search(QUESTION);
    expect(await without.bot.search(QUESTION, { quality: "fast" })).toEqual(fast);
    expect(scores(two)).not.toEqual(scores(three));
    expect((await without.bot.stats()).vectors.tokenCodes).toBeUndefined();
    await close(without.engine);
  });

  it("are there again after a start, and are made again where they were not kept, without new vectors", async () => {
    const disk = simulatedDisk();
    const first = await opened(await openOn(disk), { tokens: "1" });
    await create(first.bot);
    const answer = scores(await first.bot.search(QUESTION));
    await close(first.engine);
    const again = await opened(await openOn(disk), { tokens: "1" });
    await again.bot.whenUpgraded();
    expect(scores(await again.bot.search(QUESTION))).toEqual(answer);
    const read = again.fakes[0]?.passages.length;
    expect(read).toBe(0);
    await close(again.engine);
    const off = await opened(await openOn(disk), { tokens: "1" }, { rerank: false });
    await off.bot.whenUpgraded();
    await close(off.engine);
    const on = await opened(await openOn(disk), { tokens: "1" });
    expect((await on.bot.whenUpgraded()).complete).toBe(true);
    expect(scores(await on.bot.search(QUESTION))).toEqual(answer);
    expect((await on.bot.stats()).vectors.tokenCodes).toMatchObject({ documentsWaiting: 0 });
    await close(on.engine);
  });

  it("are read from the disk where they are not held, which changes no answer and is told", async () => {
    const disk = simulatedDisk();
    const first = await opened(await openOn(disk), { tokens: "1" });
    await create(first.bot);
    const answer = await first.bot.search(QUESTION);
    await close(first.engine);
    for (const [rerankMemoryBytes, isHeld] of [
      [0, false],
      [undefined, true],
    ] as const) {
      const options = rerankMemoryBytes === undefined ? {} : { rerankMemoryBytes };
      const { engine, bot } = await opened(await openOn(disk), { tokens: "1" }, options);
      expect(engine.figures().tokenCodes).toEqual({ found: 0, read: 0, bytes: 0 });
      expect(await bot.search(QUESTION)).toEqual(answer);
      const { tokenCodes } = engine.figures();
      expect(tokenCodes.found).toBe(0);
      expect(tokenCodes.read).toBeGreaterThanOrEqual(4);
      expect(tokenCodes.bytes).toBeLessThanOrEqual(rerankMemoryBytes ?? Number.POSITIVE_INFINITY);
      expect(await bot.search(QUESTION)).toEqual(answer);
      const { found, read } = engine.figures().tokenCodes;
      expect(found === tokenCodes.read && read === tokenCodes.read).toBe(isHeld);
      expect(found + read).toBe(2 * tokenCodes.read);
      await close(engine);
    }
    await expect(opened(await openOn(disk), { tokens: "1" }, { rerankMemoryBytes: -1 })).rejects.toThrow(
      "rerankMemoryBytes",
    );
  });

  it("are made anew for another version of them alone", async () => {
    const disk = simulatedDisk();
    const first = await opened(await openOn(disk), { tokens: "1" });
    await create(first.bot);
    await close(first.engine);
    const { engine, bot, fakes } = await opened(await openOn(disk), { tokens: "2" });
    await bot.whenUpgraded();
    const { texts, tokenCodes } = (await bot.stats()).vectors;
    expect(tokenCodes?.texts).toBe(texts);
    expect(fakes[0]?.passages).toHaveLength(texts);
    await close(engine);
    const stats = async (embedder: string) => {
      await engineOf.engine.updateBot("bot", { embedder });
      await engineOf.bot.whenUpgraded();
      return (await engineOf.bot.stats()).vectors.tokenCodes;
    };
    const engineOf = await opened(await openOn(disk), { tokens: "2" });
    await engineOf.bot.whenUpgraded();
    expect(await blockFilesOf(disk)).toHaveLength(1);
    expect(await stats("none")).toBeUndefined();
    expect(await blockFilesOf(disk)).toEqual([]);
    expect(await stats("fake")).toMatchObject({ texts, documentsWaiting: 0 });
    await close(engineOf.engine);
    const plain = await opened(await openOn(disk), {});
    await plain.bot.whenUpgraded();
    expect((await plain.bot.stats()).vectors.tokenCodes).toBeUndefined();
    expect(await plain.bot.search(QUESTION)).not.toEqual([]);
    await close(plain.engine);
  });

  it("are of their own documents, however many texts a call carries, and go with them", async () => {
    const answers: unknown[] = [];
    for (const textsPerCall of [1, 64]) {
      const disk = simulatedDisk();
      const { engine, bot } = await opened(await openOn(disk), { tokens: "1", textsPerCall });
      for (const [i, md] of TEXTS.entries())
        await bot.importDocument({ resourceDocId: `d${i}`, type: "DOCUMENT", content: [{ md }] });
      await bot.whenUpgraded();
      answers.push(scores(await bot.search(QUESTION)));
      const { texts } = (await bot.stats()).vectors;
      await bot.removeDocument("d1");
      expect((await bot.stats()).vectors.tokenCodes?.texts).toBe(texts - 1);
      await close(engine);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it("are deleted where the bot's embedder gives none any more", async () => {
    const disk = simulatedDisk();
    const first = await opened(await openOn(disk), { tokens: "1" });
    await create(first.bot);
    await close(first.engine);
    expect(await blockFilesOf(disk)).toHaveLength(1);
    const plain = await opened(await openOn(disk), {});
    await plain.bot.whenReady();
    await plain.bot.whenUpgraded();
    expect(await blockFilesOf(disk)).toEqual([]);
    await close(plain.engine);
  });

  it("of what is gone are purged, whenever the embedder is opened meanwhile", async () => {
    for (let turns = 0; turns <= 150; turns += turns < 30 ? 1 : 10) {
      const disk = simulatedDisk();
      const first = await opened(await openOn(disk), { tokens: "1" });
      await create(first.bot);
      await first.bot.importDocument({ resourceDocId: "secret", type: "DOCUMENT", content: [{ md: "A secret car." }] });
      await first.bot.whenUpgraded();
      await first.bot.removeDocument("secret");
      await close(first.engine);
      expect(await blocksHold(disk, "secret")).toBe(true);
      const storage = await openOn(disk);
      const embedders = {
        fake: {
          languages: ["en"],
          open: async () => {
            for (let turn = 0; turn < turns; turn++) await setImmediate();
            return new FakeEmbedder({ tokens: "1" });
          },
        },
      };
      const engine = await Engine.open({ storage, embedders });
      const bot = await engine.bot("bot");
      const upgraded = bot.whenUpgraded();
      await engine.purge("bot");
      expect(await blocksHold(disk, "secret")).toBe(false);
      await upgraded;
      const { texts, tokenCodes } = (await bot.stats()).vectors;
      expect(tokenCodes).toMatchObject({ texts, documentsWaiting: 0 });
      await close(engine);
      expect(await blocksHold(disk, "secret")).toBe(false);
      expect(await blockFilesOf(disk)).toHaveLength(1);
    }
  });

  it("wait until no vectors are missing", async () => {
    const disk = simulatedDisk();
    const first = await opened(await openOn(disk), {});
    await create(first.bot);
    await close(first.engine);
    const order: string[] = [];
    const options: FakeOptions = { tokens: "1", textsPerCall: 1, onPassages: ([text = ""]) => void order.push(text) };
    const { engine, bot } = await opened(await openOn(disk), options, { background: false });
    await bot.createArticle({ title: "New", body: "A new one." });
    await bot.whenUpgraded();
    expect(order.slice(0, 2).every((text) => text.startsWith("New"))).toBe(true);
    expect(order).toHaveLength((await bot.stats()).vectors.texts);
    await close(engine);
  });

  it("that cannot be kept are told once, and keep no vectors from being made", async () => {
    const disk = simulatedDisk();
    let refuses = true;
    const storage = withBlocks(await openOn(disk), (blocks) => {
      const append = blocks.append.bind(blocks);
      blocks.append = (key, windows) =>
        refuses ? Promise.reject(new LoredexError("DISK_FULL", "The disk is full.")) : append(key, windows);
    });
    const { engine, bot, events } = await opened(storage, { tokens: "1" });
    await create(bot);
    const { vectors, texts, tokenCodes } = (await bot.stats()).vectors;
    expect([vectors, tokenCodes?.texts, tokenCodes?.documentsWaiting]).toEqual([texts, 0, 0]);
    expect(tokenCodes?.documentsGivenUp).toBe(TEXTS.length);
    expect(eventsOf(events).filter((event) => event === "tokenCodesNotKept")).toHaveLength(1);
    expect(await bot.search(QUESTION)).not.toEqual([]);
    refuses = false;
    await bot.createArticle({ title: "Later", body: "A later one." });
    await bot.whenUpgraded();
    expect(eventsOf(events)).toContain("tokenCodesKept");
    // Where one can be kept, the others are tried again.
    const after = (await bot.stats()).vectors;
    expect(after.tokenCodes).toMatchObject({ texts: after.texts, documentsWaiting: 0, documentsGivenUp: 0 });
    await close(engine);
  });

  it("are those of what is there in the end, whatever was changed while they were made", async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constantFrom("create" as const, "update" as const, "delete" as const),
        at: fc.nat(5),
        words: fc.nat(3),
      }),
      fc.constant({ kind: "wait" as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.nat(3), async (steps, slow) => {
        const disk = simulatedDisk();
        let calls = 0;
        const onPassages = async (): Promise<void> => {
          for (let i = 0; i < (++calls % 4) * slow; i++) await setImmediate();
        };
        const { engine, bot } = await opened(await openOn(disk), { tokens: "1", textsPerCall: 2, onPassages });
        const ids: string[] = [];
        for (const each of steps) {
          if (each.kind === "wait") await bot.whenSearchable();
          else if (each.kind === "create") {
            ids.push(
              (await bot.createArticle({ title: `Page ${ids.length}`, body: `${TEXTS[each.words]} again` })).article.id,
            );
          } else {
            const id = ids[each.at % Math.max(1, ids.length)];
            if (id === undefined) continue;
            if (each.kind === "update") await bot.updateArticle(id, { body: `${TEXTS[each.words]} and ${calls}` });
            else {
              await bot.deleteArticle(id);
              ids.splice(ids.indexOf(id), 1);
            }
          }
        }
        await bot.whenUpgraded();
        const { texts, vectors, tokenCodes } = (await bot.stats()).vectors;
        expect(vectors).toBe(texts);
        if (texts > 0) expect(tokenCodes).toMatchObject({ texts, documentsWaiting: 0 });
        else expect(tokenCodes?.texts ?? 0).toBe(0);
        await close(engine);
      }),
      { numRuns: lawRuns(160), endOnFailure: true },
    );
  });
});
