import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { VectorUpgrade } from "../../src/background/embedding/vector-upgrade.ts";
import { EmbedderError } from "../../src/embedding/embedder-error.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../src/index/embedded-texts.ts";
import type { StoredVectors } from "../../src/log/vector-table.ts";
import { LoredexError } from "../../src/model/errors.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { opened } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { filesOf } from "../support/files-of.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** What fails for now: it is waited for. */
const PASSING: readonly Error[] = [
  new Error("The model server is overloaded (429)."),
  new EmbedderError("EMBEDDER_UNAVAILABLE", "The model server is not to be reached."),
];
const DISK_FULL = new LoredexError("DISK_FULL", "The disk has no room.");

/** What fails again and again until somebody does something. */
const LASTING: readonly Error[] = [
  new EmbedderError("EMBEDDER_UNAVAILABLE", "The model server refuses the key (401).", { lasts: true }),
  Object.assign(new Error("This model is not to be had."), { lasts: true }),
  new RangeError("It gave a vector of 3 numbers where it promised 512."),
];
const OF_THE_LOG: readonly Error[] = [
  new LoredexError("READ_ONLY", "Check the disk, then restart."),
  new LoredexError("BOT_FULL", "The bot is full."),
];

type Failure = { readonly error: Error; readonly by: "embedder" | "log"; readonly lasts: boolean };
const anyOf = (errors: readonly Error[], by: Failure["by"], lasts: boolean): fc.Arbitrary<Failure> =>
  fc.constantFrom(...errors).map((error) => ({ error, by, lasts }));
const ANY_FAILURE = fc.oneof(
  anyOf(PASSING, "embedder", false),
  anyOf([DISK_FULL], "log", false),
  anyOf(LASTING, "embedder", true),
  anyOf(OF_THE_LOG, "log", true),
);

/** An upgrade of one document that meets with these failures, in this order. Time passes only while nobody has to do something. */
function upgradeWith(failures: Failure[]) {
  let stored: StoredVectors | undefined;
  const failBy = (by: Failure["by"]): void => {
    if (failures[0]?.by === by) throw failures.shift()?.error;
  };
  const upgrade = new VectorUpgrade({
    embedder: async () => new FakeEmbedder({ onPassages: () => failBy("embedder") }),
    newest: (id) => ({
      version: 1,
      document: { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md: "A car." }], titles: ["T"] },
      windows: 2,
      vectors: stored,
    }),
    tokenCodes: undefined,
    append: async ({ version, space }, codes) => {
      failBy("log");
      stored = { version, space, codes: Int8Array.from(codes), texts: EMBEDDED_TEXTS_VERSION };
    },
    sleep: (_, signal) => {
      if (upgrade.blocked === undefined) return Promise.resolve();
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    },
    onUnfinished: () => undefined,
    clock: { wallMs: () => 0, monotonicMs: () => 0 },
    logger: () => undefined,
    botId: "bot",
    background: false,
  });
  return upgrade;
}

describe("who waits for vectors", () => {
  it("waits for what may pass, and is told what only a person mends", async () => {
    const law = fc.asyncProperty(fc.array(ANY_FAILURE, { maxLength: 8 }), async (any) => {
      // What is made and was not written is not asked for again.
      const of = (by: Failure["by"]): Failure[] => any.filter((failure) => failure.by === by);
      const failures = [...of("embedder"), ...of("log")];
      const lasting = failures.filter(({ lasts }) => lasts);
      const upgrade = upgradeWith([...failures]);
      upgrade.add("a");
      for (const { error } of lasting) {
        await upgrade.whenIdle();
        expect(upgrade.blocked).toBe(error.message);
        expect(upgrade.documents.vectorsMissing).toBe(1);
      }
      await upgrade.whenIdle();
      expect([upgrade.blocked, upgrade.documents.vectorsMissing]).toEqual([undefined, 0]);
      await upgrade.close();
    });
    await fc.assert(law, { numRuns: lawRuns(800) });
  });

  it("is told of it by the bot, in its figures as well, and has all once it is mended", async () => {
    let isWrong = true;
    const onPassages = (): void => {
      const mend = "set the key";
      if (isWrong) throw new EmbedderError("EMBEDDER_UNAVAILABLE", "The key is refused.", { lasts: true, mend });
    };
    const { engine, bot } = await opened(new KeptStorage(), { onPassages });
    await bot.createArticle({ title: "The shop", body: "You can buy a car here." });
    const blocked = "The key is refused. To mend it: set the key";
    expect(await bot.whenUpgraded()).toEqual({ complete: false, blocked, documentsGivenUp: 0 });
    expect((await bot.stats()).vectors).toMatchObject({ blocked, documentsWaiting: 1 });
    isWrong = false;
    expect(await bot.whenUpgraded()).toEqual({ complete: true, documentsGivenUp: 0 });
    expect((await bot.stats()).vectors.blocked).toBeUndefined();
    await engine.close();
  });

  it("is told that a bot takes no writes, and the bot tries no more by itself", async () => {
    const storage = new KeptStorage();
    let asked = 0;
    const onPassages = (): void => {
      asked += 1;
      storage.failNext = new LoredexError("READ_ONLY", "Writes are refused. Check the disk, then restart.");
    };
    const { engine, bot, events } = await opened(storage, { onPassages });
    await bot.createArticle({ title: "The shop", body: "You can buy a car here." });
    await expect.poll(() => events.map(({ event }) => event)).toContain("embeddingStopped");
    expect(events.find(({ event }) => event === "embeddingStopped")?.message).toContain("after the next start");
    expect((await bot.stats()).vectors.blocked).toContain("then restart");
    expect([asked, events.filter(({ event }) => event === "embeddingFailed")]).toEqual([1, []]);
    await engine.close();
  });

  it.each([
    ["the embedder", new EmbedderError("EMBEDDER_UNAVAILABLE", "The key is refused.", { lasts: true })],
    ["the bot", new LoredexError("BOT_FULL", "The bot is full.")],
  ])("waits for nothing that %s kept from being made and that was deleted since", async (by, error) => {
    const storage = new KeptStorage();
    const onPassages = (): void => {
      if (by === "the embedder") throw error;
      storage.failNext = error as LoredexError;
    };
    const { engine, bot } = await opened(storage, { onPassages });
    const { article } = await bot.createArticle({ title: "The shop", body: "You can buy a car here." });
    expect(await bot.whenUpgraded()).toMatchObject({ complete: false, blocked: error.message });
    await bot.deleteArticle(article.id);
    expect(await bot.whenUpgraded()).toEqual({ complete: true, documentsGivenUp: 0 });
    expect((await bot.stats()).vectors.blocked).toBeUndefined();
    await engine.close();
  });

  it("is told what keeps token codes alone from being made", async () => {
    const disk = simulatedDisk();
    const { engine: first, bot: before } = await opened(await openOn(disk), { tokens: "1" });
    await before.createArticle({ title: "The shop", body: "You can buy a car here." });
    await before.whenUpgraded();
    await first.close();
    for (const [path] of await filesOf(disk, "/data/stores"))
      if (path.endsWith(".blocks")) await disk.fileSystem.unlink(path);
    const onPassages = (): void => {
      throw new EmbedderError("EMBEDDER_UNAVAILABLE", "The key is refused.", { lasts: true });
    };
    const { engine, bot } = await opened(await openOn(disk), { tokens: "1", onPassages });
    const blocked = "The key is refused.";
    expect(await bot.whenUpgraded()).toEqual({ complete: false, blocked, documentsGivenUp: 0 });
    expect((await bot.stats()).vectors).toMatchObject({ blocked, documentsWaiting: 0 });
    await engine.close();
  });
});
