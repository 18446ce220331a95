import { describe, expect, it } from "vitest";
import { draftDigest, keyDigest } from "../../src/articles/idempotency.ts";
import { parseArticle } from "../../src/articles/shape.ts";
import { articleTag } from "../../src/articles/tag.ts";
import { Engine } from "../../src/engine.ts";
import { RememberedCreates } from "../../src/log/remembered-creates.ts";
import { emptyState } from "../../src/log/state.ts";
import { stateFromSections, stateSections } from "../../src/log/state-sections.ts";
import { LoredexError } from "../../src/model/errors.ts";
import { IDEMPOTENCY_KEYS_MAX, IDEMPOTENCY_MS } from "../../src/model/limits.ts";
import { succeeds } from "../../src/platform/succeeds.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import type { LoadedSection } from "../../src/storage/store.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { bareBot } from "../support/bare-bot.ts";
import { filesWith } from "../support/files-of.ts";

const input = { title: "Opening hours", body: "From nine to six.", metadata: { k: 1 } };
const idempotencyKey = "a-key-of-the-client";

async function open(disk: SimulatedDisk): Promise<Engine> {
  return Engine.open({ storage: await openOn(disk), embedders: {} });
}

async function sectionsOf(state = emptyState()): Promise<Map<string, LoadedSection>> {
  const sections = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of stateSections(state)) {
    const bytes: Uint8Array[] = [];
    for await (const chunk of chunks) bytes.push(chunk);
    sections.set(name, { name, version, bytes: Buffer.concat(bytes) });
  }
  return sections;
}

/** A snapshot whose accounts were changed so. */
async function withAccounts(change: (accounts: Record<string, unknown>) => void) {
  const state = emptyState();
  state.creates.add({ key: "k", body: "b", id: "1", createdAtMs: 5, characterUsed: 7 });
  const sections = await sectionsOf(state);
  const section = sections.get("accounts");
  if (section === undefined) return expect.fail("a snapshot has accounts");
  const accounts: Record<string, unknown> = JSON.parse(Buffer.from(section.bytes).toString());
  change(accounts);
  sections.set("accounts", { ...section, bytes: Buffer.from(JSON.stringify(accounts)) });
  return finished(stateFromSections({ sequence: 9, sections }));
}

describe("creates that are remembered", () => {
  it("are answered with the tag of the article, whatever order the second request's metadata is in", async () => {
    const engine = await open(simulatedDisk());
    const { bot: info } = await engine.createBot({ name: "acme" });
    const bot = await engine.bot(info.id);
    const create = (metadata: object) => bot.createArticle({ ...input, metadata }, { idempotencyKey });
    const first = await create({ a: 1, b: 2 });
    const again = await create({ b: 2, a: 1 });
    expect(again.isReplayed).toBe(true);
    expect(JSON.stringify(again.article)).toBe(JSON.stringify(first.article));
    const ifMatch = articleTag(again.article);
    const changed = await bot.updateArticle(first.article.id, { title: "Hours" }, { ifMatch });
    // What has changed since is not what the first answer said.
    const late = await create({ b: 2, a: 1 });
    expect([late.article.title, changed.article.title]).toEqual([input.title, "Hours"]);
    await bot.deleteArticle(first.article.id);
    expect((await create({ a: 1, b: 2 })).article.title).toBe(input.title);
    await engine.close();
  });

  it("are the last ten thousand, of 24 hours", () => {
    const creates = new RememberedCreates();
    const add = (key: number, createdAtMs: number) =>
      creates.add({ key: `${key}`, body: "b", id: `${key}`, createdAtMs, characterUsed: 0 });
    for (let i = 0; i < IDEMPOTENCY_KEYS_MAX; i++) add(i, 1_000);
    expect([creates.find("0", 1_000)?.id, creates.all().length]).toEqual(["0", IDEMPOTENCY_KEYS_MAX]);
    add(IDEMPOTENCY_KEYS_MAX, 1_000);
    expect([creates.find("0", 1_000), creates.find("1", 1_000)?.id]).toEqual([undefined, "1"]);
    expect(creates.all().length).toBe(IDEMPOTENCY_KEYS_MAX);
    expect(creates.find("1", 999 + IDEMPOTENCY_MS)?.id).toBe("1");
    expect(creates.find("1", 1_000 + IDEMPOTENCY_MS)).toBeUndefined();
    add(-1, 1_000 + IDEMPOTENCY_MS);
    expect(creates.all().map(({ key }) => key)).toEqual(["-1"]);
  });

  it("are in a snapshot, and one of before without them opens", async () => {
    const kept = await withAccounts(() => undefined);
    expect(kept.creates.all()).toEqual([{ key: "k", body: "b", id: "1", createdAtMs: 5, characterUsed: 7 }]);
    const older = await withAccounts((accounts) => delete accounts.creates);
    expect(older.creates.all()).toEqual([]);
    // A version that does not know of them reads the section as ever.
    expect((await sectionsOf(kept)).get("accounts")?.version).toBe(1);
  });

  it.each([
    ["no list", {}],
    ["an entry that is none", [null]],
    ["a key that is no text", [{ key: 1, body: "b", id: "1", createdAtMs: 5, characterUsed: 7 }]],
    ["no time", [{ key: "k", body: "b", id: "1", characterUsed: 7 }]],
    ["characters that are no count", [{ key: "k", body: "b", id: "1", createdAtMs: 5, characterUsed: -1 }]],
  ])("are refused as damage with %s", async (_what, creates) => {
    const opening = withAccounts((accounts) => Object.assign(accounts, { creates }));
    await expect(opening).rejects.toMatchObject({ code: "CORRUPT" });
  });

  it("leave nothing on disk after a purge, and are told nothing of any more", async () => {
    const disk = simulatedDisk();
    const engine = await open(disk);
    const { bot: info } = await engine.createBot({ name: "support" });
    const bot = await engine.bot(info.id);
    const first = await bot.createArticle(input, { idempotencyKey });
    const everyone = { agent: () => true, channel: () => true };
    const digests = [keyDigest(idempotencyKey), draftDigest(parseArticle(input, everyone), false)];
    for (const digest of digests) expect(await filesWith(disk, digest)).not.toEqual([]);
    expect(await filesWith(disk, idempotencyKey)).toEqual([]);
    await bot.snapshot();
    for (const digest of digests) expect(await filesWith(disk, digest)).not.toEqual([]);
    await bot.deleteArticle(first.article.id);
    await engine.purge("support");
    expect(await filesWith(disk, ...digests)).toEqual([]);
    const second = await bot.createArticle(input, { idempotencyKey });
    expect(second.article.id).not.toBe(first.article.id);
    expect(second).not.toHaveProperty("isReplayed");
    await engine.close();
  });

  it("are answered as before if a purge fails, wherever it does", async () => {
    let failures = 0;
    for (let at = 1; ; at++) {
      const disk = simulatedDisk();
      const storage = await openOn(disk);
      await storage.create("bot");
      const bot = await bareBot(await storage.open("bot"));
      const create = () => bot.articles.create(input, { idempotencyKey });
      const first = await create();
      disk.fileSystem.setFault({ at: disk.fileSystem.operations + at, kind: "failOnce" });
      const isPurged = await succeeds(bot.purge());
      const { faultHappened } = disk.fileSystem;
      disk.fileSystem.setFault(undefined);
      const isSame = (await create()).article.id === first.article.id;
      expect(isSame, `after a fault at ${at}`).toBe(!isPurged);
      failures += isPurged ? 0 : 1;
      await bot.close();
      await storage.close();
      if (!faultHappened) break;
    }
    expect(failures).toBeGreaterThan(3);
  });

  it("are one article wherever the power fails before the answer, and the same answer behind it", async () => {
    let replays = 0;
    for (let turns = 0; turns < 30; turns++) {
      const disk = simulatedDisk();
      const engine = await open(disk);
      const { bot: info } = await engine.createBot({ name: "support" });
      const bot = await engine.bot(info.id);
      let answered = false;
      const writing = bot.createArticle(input, { idempotencyKey }).then(
        () => {
          answered = true;
        },
        // The power was cut before its answer.
        () => undefined,
      );
      for (let i = 0; i < turns; i++) await Promise.resolve();
      const wasAnswered = answered;
      const cut = simulatedDisk(disk.fileSystem.afterPowerCut());
      await writing;
      await engine.close().catch(() => undefined);
      const after = await open(cut);
      const again = await (await after.bot(info.id)).createArticle(input, { idempotencyKey });
      expect((await (await after.bot(info.id)).listArticles()).map(({ id }) => id)).toEqual([again.article.id]);
      if (wasAnswered) expect(again.isReplayed).toBe(true);
      if (again.isReplayed) replays += 1;
      await after.close();
    }
    expect(replays).toBeGreaterThan(0);
  });

  it("are refused with another body by name", async () => {
    const engine = await Engine.open({ embedders: {} });
    const { bot: info } = await engine.createBot({ name: "support" });
    const bot = await engine.bot(info.id);
    await bot.createArticle(input, { idempotencyKey });
    const refused = await bot
      .createArticle({ ...input, body: "x" }, { idempotencyKey })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LoredexError);
    expect(refused).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    await engine.close();
  });
});
