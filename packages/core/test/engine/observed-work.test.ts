import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Engine } from "../../src/engine.ts";
import type { WorkEvent } from "../../src/model/work.ts";
import { openMemoryStorage } from "../../src/storage/memory-storage.ts";
import { TestClock } from "../support/test-clock.ts";

const TEXT = "A walrus sleeps on the ice.";

async function observed() {
  const events: WorkEvent[] = [];
  const engine = await Engine.open({ embedders: {}, onWork: (event) => events.push(event) });
  const { bot: made, key } = await engine.createBot({ name: "secret name", quotaCharacters: 100 });
  return { engine, bot: await engine.bot(made.id), key, events };
}

it("tells of every search and write when it has ended, and why it was refused", async () => {
  const { engine, bot, events } = await observed();
  const { article } = await bot.createArticle({ title: "Walrus", body: TEXT });
  await bot.updateArticle(article.id, { body: "It woke." });
  await bot.search("walrus");
  await bot.deleteArticle(article.id);
  const document = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: TEXT }] };
  await bot.importDocument(document);
  await bot.importDocument(document);
  await bot.setDocumentStatus("d", "inactive");
  await bot.removeDocument("d");
  await expect(bot.search("")).rejects.toThrow();
  await expect(bot.createArticle({ title: "Long", body: "x".repeat(200) })).rejects.toThrow();
  await engine.close();
  await expect(bot.search("late")).rejects.toThrow();
  expect(events.map(({ kind, outcome, code }) => [kind, outcome ?? code])).toEqual([
    ["create", undefined],
    ["update", undefined],
    ["search", undefined],
    ["delete", undefined],
    ["import", "added"],
    ["import", "unchanged"],
    ["status", undefined],
    ["remove", undefined],
    ["search", "VALIDATION"],
    ["create", "QUOTA_EXCEEDED"],
    ["search", "CLOSED"],
  ]);
  for (const { botId, durationMs } of events) {
    expect(botId).toBe(bot.id);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});

const OPENING_MS = 700;

describe("the opening that `Engine.bot` waited for", () => {
  /** A bot whose opening took {@link OPENING_MS}. */
  async function openedSlowly() {
    const clock = new TestClock();
    const events: WorkEvent[] = [];
    const storage = openMemoryStorage();
    const open = storage.open.bind(storage);
    storage.open = async (...given: Parameters<typeof open>) => {
      clock.advance(OPENING_MS);
      return open(...given);
    };
    const engine = await Engine.open({ embedders: {}, storage, clock, onWork: (event) => events.push(event) });
    const { bot } = await engine.createBot({ name: "one" });
    return {
      engine,
      clock,
      bot: await engine.bot(bot.id),
      durations: () => events.map(({ durationMs }) => durationMs),
    };
  }

  it("is told in the first call of its bot, and in no other", async () => {
    const { engine, bot, durations } = await openedSlowly();
    await bot.search("walrus");
    await bot.search("walrus");
    await (await engine.bot(bot.id)).search("walrus");
    expect(durations()).toEqual([OPENING_MS, 0, 0]);
  });

  it("is told in a call that begins a little later, as a server reads a body first; without that time", async () => {
    const { clock, bot, durations } = await openedSlowly();
    clock.advance(OPENING_MS);
    await bot.search("walrus");
    expect(durations()).toEqual([OPENING_MS]);
  });

  it("is told in no call that begins later, which did not wait for it", async () => {
    const { clock, bot, durations } = await openedSlowly();
    clock.advance(OPENING_MS + 1);
    await bot.search("walrus");
    await bot.search("walrus");
    expect(durations()).toEqual([0, 0]);
  });
});

it("tells nothing of what was written, asked or keyed", async () => {
  const { bot, key, events } = await observed();
  await bot.createArticle({ title: "Walrus", body: TEXT });
  await bot.search("walrus");
  await expect(bot.updateArticle("walrus", { body: TEXT })).rejects.toThrow();
  const names = new Set(events.flatMap((event) => Object.keys(event)));
  expect([...names].sort()).toEqual(["botId", "code", "durationMs", "kind"]);
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`walrus|ice|secret|${key}`, "i"));
});

it("is not harmed by what listens", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  const engine = await Engine.open({
    embedders: {},
    onWork: () => {
      throw new Error("no room for counters");
    },
  });
  const { bot } = await engine.createBot({ name: "one" });
  expect(await (await engine.bot(bot.id)).search("walrus")).toEqual([]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining("The onWork given to Loredex failed")]]);
  await engine.close();
  const onWork: unknown = "console";
  await expect(Engine.open({ onWork: onWork as () => void })).rejects.toThrow("onWork must be a function");
});

it("has the figures of open bots at hand, those of `stats`, and opens none for it", async () => {
  const { engine, bot } = await observed();
  await engine.createBot({ name: "closed" });
  await bot.createArticle({ title: "Walrus", body: TEXT });
  await bot.importDocument({ resourceDocId: "d", type: "DOCUMENT", content: [{ md: TEXT }] });
  await bot.whenSearchable();
  const { bots, openBots } = engine.figures();
  const { articles, characterUsed, quotaCharacters, indexQueue, indexFailures, diskBytes, vectors } = await bot.stats();
  const { texts, documentsWaiting, documentsGivenUp } = vectors;
  expect(bots).toBe(2);
  expect(openBots).toEqual([
    {
      ...{ id: bot.id, articles, documents: 1, characterUsed, quotaCharacters, indexQueue, indexFailures, diskBytes },
      ...{ texts, vectors: vectors.vectors, documentsWaiting, documentsGivenUp, embedderFailures: vectors.failures },
      tokenCodesWaiting: 0,
      tokenCodesGivenUp: 0,
      memoryBytes: expect.any(Number),
      lastWriteAt: expect.any(String),
    },
  ]);
  await engine.removeBot(bot.id);
  const none = { found: 0, bytes: 0 };
  expect(engine.figures()).toEqual({
    bots: 1,
    openBots: [],
    fleet: [{ id: expect.any(String), name: expect.any(String), quotaCharacters: expect.any(Number) }],
    questionVectors: { ...none, made: 0 },
    tokenCodes: { ...none, read: 0 },
  });
});
