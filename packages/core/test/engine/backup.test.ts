import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { storeName } from "../../src/catalog/store-names.ts";
import { type Bot, checkBackup, Engine, RateExceededError } from "../../src/index.ts";
import { openMemoryStorage } from "../../src/storage/memory-storage.ts";
import { TestClock } from "../support/test-clock.ts";

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "loredex-backup-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function openIn(path: string, clock = new TestClock()): Promise<Engine> {
  const engine = await Engine.open({ directory: path, clock });
  onTestFinished(() => engine.close());
  return engine;
}

async function bytesOf(backup: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const fragments: Uint8Array[] = [];
  for await (const fragment of backup) fragments.push(fragment.slice());
  return Buffer.concat(fragments);
}

/** The same bytes as they may arrive: in pieces of any size. */
async function* arriving(bytes: Buffer, pieceBytes = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

const SUBJECTS = ["refund", "parcel", "harbour", "invoice", "lantern", "orchard", "ferry", "ticket"];
const QUERIES = ["refund", "where is my parcel", "an invoice for the ferry", "lantern orchard ticket", "nothing"];

async function fill(bot: Bot): Promise<void> {
  for (let i = 0; i < 40; i += 1) {
    const [one, two] = [SUBJECTS[i % 8], SUBJECTS[(i * 3 + 1) % 8]];
    const body = `# About ${one}\n\nThe ${one} of number ${i} comes with a ${two}.\n\n- first ${two}\n- then ${one} again\n`;
    await bot.createArticle({ title: `Article ${i} on ${one}`, body, metadata: { i }, activeOn: [{ channel: "web" }] });
    await bot.importDocument({ resourceDocId: `d${i}`, type: "WEBPAGE", content: [{ md: `Page on ${two} ${i}` }] });
  }
  await bot.importDocument(
    { resourceDocId: "q", type: "QNA", question: "Where is my parcel?", answer: "On the ferry." },
    { source: "file:faq" },
  );
  await bot.putAgent("ann", true);
  await bot.putChannel("web", false);
  const [first] = await bot.listArticles();
  await bot.updateArticle(first?.id ?? "", { body: "Only an orchard now." });
  await bot.deleteArticle((await bot.listArticles())[7]?.id ?? "");
  await bot.setDocumentStatus("d3", "inactive");
}

/** All that a bot answers. */
async function answersOf(bot: Bot): Promise<string> {
  await bot.whenSearchable();
  const results = [];
  for (const query of QUERIES) results.push(await bot.search(query, { topK: 100, includeContent: true }));
  // An index that was loaded lies closer than one that grew.
  const { diskBytes: _, memoryBytes: __, ...stats } = await bot.stats();
  const known = [await bot.listArticles(), await bot.listDocuments(), await bot.listAgents(), await bot.listChannels()];
  return JSON.stringify([results, known, await bot.documentsOfSource("file:faq"), stats]);
}

async function backedUp() {
  const clock = new TestClock();
  const path = await directory();
  const engine = await openIn(path, clock);
  const { bot: info, key } = await engine.createBot({ name: "acme", rateCharactersPerMinute: 8_000 });
  const bot = await engine.bot("acme");
  await fill(bot);
  return { path, engine, bot, info, key, clock, bytes: await bytesOf(engine.backup("acme")) };
}

describe("a backup", () => {
  it("restored elsewhere gives byte for byte the same answers, with id, key, limits, window and agents", async () => {
    const { bot, info, key, clock, bytes } = await backedUp();
    const path = await directory();
    const other = await openIn(path, clock);
    expect(await other.restore(arriving(bytes))).toEqual({ bot: info });
    expect(other.authenticate(key)).toEqual({ ...info, key: { name: "default", scope: "all", origins: [] } });
    const restored = await other.bot("acme");
    expect(await answersOf(restored)).toBe(await answersOf(bot));
    // What the window holds still counts.
    const text = { title: "abc", body: "x".repeat(6_000) };
    await expect(restored.createArticle(text)).rejects.toThrow(RateExceededError);
    clock.advance(60_000);
    await restored.createArticle(text);
    await other.close();
    const again = await openIn(path, clock);
    expect((await again.verify()).isWhole).toBe(true);
    expect(await (await again.bot("acme")).listArticles()).toHaveLength(40);
  });

  it("of an engine in memory goes into one as well, and so does a bot that knows nothing", async () => {
    const engine = await Engine.open();
    await engine.createBot({ name: "acme" });
    await engine.createBot({ name: "empty" });
    const bot = await engine.bot("acme");
    await bot.createArticle({ title: "One", body: "An orchard." });
    const other = await Engine.open();
    await other.restore(engine.backup("acme"));
    await other.restore(engine.backup("empty"));
    expect(await answersOf(await other.bot("acme"))).toBe(await answersOf(bot));
    expect(await (await other.bot("empty")).listArticles()).toEqual([]);
    await Promise.all([engine.close(), other.close()]);
  });

  it("is of one moment, whatever is written while it is read", async () => {
    const { engine, bot } = await backedUp();
    const before = await answersOf(bot);
    const reading = engine.backup("acme");
    const fragments: Uint8Array[] = [];
    for await (const fragment of reading) {
      fragments.push(fragment.slice());
      await bot.importDocument({ resourceDocId: "d1", type: "PDF", content: [{ md: `parcel ${fragments.length}` }] });
      await bot.removeDocument(`d${(fragments.length % 30) + 5}`).catch(() => undefined);
      await setImmediate();
    }
    expect(fragments.length).toBeGreaterThan(10);
    expect(await answersOf(bot)).not.toBe(before);
    const other = await openIn(await directory());
    await other.restore(arriving(Buffer.concat(fragments)));
    expect(JSON.parse(await answersOf(await other.bot("acme")))[1]).toEqual(JSON.parse(before)[1]);
    expect(JSON.parse(await answersOf(await other.bot("acme")))[0]).toEqual(JSON.parse(before)[0]);
  });

  it("goes beside the bot only under another name, with a new id and key", async () => {
    const { engine, bot, info, key, bytes } = await backedUp();
    await expect(engine.restore(arriving(bytes))).rejects.toMatchObject({ code: "BOT_EXISTS" });
    await expect(engine.restore(arriving(bytes), { as: "acme" })).rejects.toMatchObject({ code: "BOT_EXISTS" });
    await expect(engine.restore(arriving(bytes), { as: "" })).rejects.toMatchObject({ code: "VALIDATION" });
    const copy = await engine.restore(arriving(bytes), { as: "copy" });
    expect(copy.bot).toMatchObject({ name: "copy", rateCharactersPerMinute: 8_000, hasKey: true });
    expect(copy.bot.id).not.toBe(info.id);
    expect(engine.authenticate(copy.key)?.name).toBe("copy");
    expect(engine.authenticate(key)?.name).toBe("acme");
    expect(await answersOf(await engine.bot("copy"))).toBe(await answersOf(bot));
    await engine.updateBot("acme", { name: "renamed" });
    await expect(engine.restore(arriving(bytes))).rejects.toThrow("is here already, named renamed");
    const other = await openIn(await directory());
    await other.createBot({ name: "acme" });
    await expect(other.restore(arriving(bytes))).rejects.toThrow("another bot named acme");
  });

  it("brings a bot back that was removed, and a start after it leaves it there", async () => {
    const { path, engine, bytes, key, bot } = await backedUp();
    const before = await answersOf(bot);
    await engine.removeBot("acme");
    expect(engine.authenticate(key)).toBeUndefined();
    await engine.restore(arriving(bytes));
    await engine.close();
    const again = await openIn(path);
    expect(again.authenticate(key)?.name).toBe("acme");
    expect(JSON.parse(await answersOf(await again.bot("acme")))[1]).toEqual(JSON.parse(before)[1]);
  });

  it("is refused if it is cut off anywhere or has any bit changed, and leaves nothing", async () => {
    const { bytes } = await backedUp();
    const path = await directory();
    const engine = await openIn(path);
    const refused = async (damaged: Buffer, what: string) => {
      await expect(checkBackup(arriving(damaged)), what).rejects.toMatchObject({ code: "CORRUPT" });
      await expect(engine.restore(arriving(damaged)), what).rejects.toMatchObject({ code: "CORRUPT" });
    };
    for (let i = 0; i < 60; i += 1) {
      const at = Math.floor((bytes.length * i) / 60);
      await refused(bytes.subarray(0, at), `cut to ${at}`);
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (i % 8)), at);
      await refused(flipped, `byte ${at}`);
    }
    await refused(bytes.subarray(0, -1), "one byte short");
    await refused(Buffer.concat([bytes, Buffer.from("x")]), "one byte more");
    await refused(Buffer.concat([bytes, bytes]), "twice");
    await refused(Buffer.from("# A page\n\nof something else than a backup"), "another file");
    expect(engine.listBots()).toEqual([]);
    expect(await readdir(join(path, "stores"))).toEqual(["catalog"]);
    await engine.restore(arriving(bytes, 7));
    expect(await checkBackup(arriving(bytes))).toMatchObject({ bot: { name: "acme" } });
  });

  it("that is damaged takes nothing from a store that no bot has", async () => {
    const { bytes, info } = await backedUp();
    const storage = openMemoryStorage();
    const old = { sequence: 3, sections: [{ name: "old", version: 1, chunks: [] }] };
    const engine = await Engine.open({ storage });
    await storage.create(storeName(info.id), old);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    await expect(engine.restore(arriving(damaged))).rejects.toMatchObject({ code: "CORRUPT" });
    const sections: string[] = [];
    await storage.salvage(storeName(info.id), {
      section: ({ name }) => void sections.push(name),
      record: () => undefined,
    });
    expect(sections).toEqual(["old"]);
    await engine.restore(arriving(bytes));
    expect(await (await engine.bot("acme")).listArticles()).toHaveLength(39);
    await engine.close();
  });

  it("whose source fails leaves nothing, and two at once do not get in each other's way", async () => {
    const { bytes } = await backedUp();
    const path = await directory();
    const engine = await openIn(path);
    async function* failing() {
      yield bytes.subarray(0, bytes.length >> 1);
      throw new Error("the line went dead");
    }
    await expect(engine.restore(failing())).rejects.toThrow("went dead");
    expect(await readdir(join(path, "stores"))).toEqual(["catalog"]);
    const outcomes = await Promise.allSettled([engine.restore(arriving(bytes)), engine.restore(arriving(bytes))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await (await engine.bot("acme")).listArticles()).toHaveLength(39);
  });
});
