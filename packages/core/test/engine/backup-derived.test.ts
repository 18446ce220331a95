import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type BackupOptions, checkBackup } from "../../src/index.ts";
import type { Storage } from "../../src/storage/store.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { type Opened, opened } from "../support/embedded-bot.ts";

const TEXTS = [
  "You can buy a zebra here.",
  "Penguins live on ice.",
  "A hound in a car.",
  "Quick dogs acquire a vehicle.",
];
const QUESTION = "is a hound in a car on the ice";
const TOKENS = { tokens: "1" };
const GRAPH = { graphVectorsMin: 2 };

async function made(): Promise<Opened> {
  const source = await opened(await openOn(simulatedDisk()), TOKENS, GRAPH);
  for (const [i, body] of TEXTS.entries()) await source.bot.createArticle({ title: `Page ${i}`, body });
  await source.bot.whenUpgraded();
  return source;
}

async function bytesOf({ engine }: Opened, options?: BackupOptions): Promise<Buffer> {
  const fragments: Uint8Array[] = [];
  for await (const fragment of engine.backup("bot", options)) fragments.push(fragment);
  return Buffer.concat(fragments);
}

async function* whole(backup: Buffer): AsyncGenerator<Uint8Array> {
  yield backup;
}

/** An engine with the bot of this backup, and what its embedder has read until it had nothing more to read. */
async function restored(backup: Buffer, as?: string, storage?: Storage) {
  const target = await opened(storage ?? (await openOn(simulatedDisk())), TOKENS, GRAPH);
  await target.engine.removeBot("bot");
  const { bot: info } = await target.engine.restore(whole(backup), as === undefined ? {} : { as });
  const bot = await target.engine.bot(info.id);
  await bot.whenUpgraded();
  return { bot, read: target.fakes.flatMap(({ passages }) => passages), events: target.events, engine: target.engine };
}

describe("a backup with derived data", () => {
  it.each([undefined, "copy"])(
    "has the embedder read nothing when it is restored (as %s), and the same answers",
    async (as) => {
      const source = await made();
      const { bot, read, events } = await restored(await bytesOf(source, { withDerived: true }), as);
      expect(read).toEqual([]);
      expect(await bot.search(QUESTION)).toEqual(await source.bot.search(QUESTION));
      const [{ vectors: now }, { vectors: before }] = [await bot.stats(), await source.bot.stats()];
      expect(now.tokenCodes?.texts).toBe(before.tokenCodes?.texts);
      expect(now.graph).toBe("ready");
      expect(events.filter(({ level }) => level !== "info")).toEqual([]);
    },
  );

  it("is what saves it: without them all texts are read again", async () => {
    const source = await made();
    const { read } = await restored(await bytesOf(source));
    expect(read.length).toBeGreaterThanOrEqual(TEXTS.length);
  });

  it("says how much of it is derived data", async () => {
    const source = await made();
    const [without, within] = [await bytesOf(source), await bytesOf(source, { withDerived: true })];
    expect((await checkBackup(whole(without))).derivedBytes).toBe(0);
    const { derivedBytes } = await checkBackup(whole(within));
    expect(derivedBytes).toBeGreaterThan(TEXTS.length);
    expect(within.length - without.length).toBeGreaterThanOrEqual(derivedBytes);
  });

  it("has none of them where they cannot be had, and is whole", async () => {
    const source = await opened(await openOn(simulatedDisk()));
    await source.bot.createArticle({ title: "Page", body: "A hound in a car." });
    await source.bot.whenUpgraded();
    const backup = await bytesOf(source, { withDerived: true });
    expect((await checkBackup(whole(backup))).derivedBytes).toBe(0);
    expect(await (await restored(backup)).bot.search("hound")).toHaveLength(1);
  });

  it("is restored by a store that has no room for them: they are made again", async () => {
    const source = await made();
    const backup = await bytesOf(source, { withDerived: true });
    let refused = 0;
    const storage = await openOn(simulatedDisk());
    const create = storage.create.bind(storage);
    storage.create = (name, first, { check, ...how } = {}) =>
      create(name, first, {
        ...how,
        check: async (store) => {
          const blocksOf = store.blocks?.bind(store);
          store.blocks = (kind) => {
            const blocks = blocksOf?.(kind) ?? expect.fail("There are no blocks.");
            blocks.append = () => {
              refused += 1;
              return Promise.reject(new Error("no room"));
            };
            return blocks;
          };
          await check?.(store);
        },
      });
    const { bot, read } = await restored(backup, undefined, storage);
    expect(refused).toBe(1);
    expect(read.length).toBeGreaterThanOrEqual(TEXTS.length);
    expect(await bot.search(QUESTION)).toEqual(await source.bot.search(QUESTION));
  });

  it("is refused as damaged where an entry is none, even if its digest fits, and leaves nothing", async () => {
    const backup = await bytesOf(await made(), { withDerived: true });
    const wrong: [string, string][] = [
      ['"partBytes":[', '"partBytes":{'],
      ['"first":0', '"first":x'],
      ['"label":', '"lebal":'],
    ];
    for (const [from, to] of wrong) {
      const changed = Buffer.from(backup);
      const at = changed.lastIndexOf(from);
      expect(at).toBeGreaterThan(0);
      changed.write(to, at);
      const end = changed.length - 32;
      createHash("sha256").update(changed.subarray(0, end)).digest().copy(changed, end);
      const target = await opened(await openOn(simulatedDisk()), TOKENS);
      await target.engine.removeBot("bot");
      await expect(target.engine.restore(whole(changed))).rejects.toMatchObject({ code: "CORRUPT" });
      expect(target.engine.listBots()).toEqual([]);
    }
  });
});
