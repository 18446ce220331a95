import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { LexicalIndex } from "../../src/index/postings/lexical-index.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import type { CapacityMaxima } from "../../src/quotas/bot-capacity.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { bareBot } from "../support/bare-bot.ts";
import { eventsOf } from "../support/embedded-bot.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const MANY = 1_000_000;

async function botThatHolds(maxima: Partial<CapacityMaxima>, embedder?: SharedEmbedder) {
  const storage = await openOn(simulatedDisk());
  await storage.create("bot");
  const store = await storage.open("bot");
  const events: LogEvent[] = [];
  const bot = await bareBot(store, {
    embedder,
    maxima: { bytes: MANY, documents: MANY, registrations: MANY, logBytes: MANY, ...maxima },
    logger: (event) => events.push(event),
  });
  return { bot, store, events };
}

const page = (id: number, letters = 10) => ({
  resourceDocId: `d${id}`,
  type: "WEBPAGE",
  content: [{ md: "x".repeat(letters) }],
});
const FULL = { code: "BOT_FULL", message: expect.stringMatching(/Delete what is not needed, or divide/) };

describe("a bot that is full", () => {
  it("refuses what would make it larger before anything is changed, and goes on answering", async () => {
    const { bot, store } = await botThatHolds({ bytes: 5_000 });
    const { article } = await bot.articles.create({ title: "title", body: "y".repeat(1_000) });
    await bot.documents.import(page(1, 2_000));
    const before = store.sizes();
    await expect(bot.documents.import(page(2, 2_000))).rejects.toMatchObject(FULL);
    await expect(bot.articles.create({ title: "title", body: "z".repeat(2_000) })).rejects.toMatchObject(FULL);
    await expect(bot.articles.update(article.id, { body: "z".repeat(2_000) })).rejects.toMatchObject(FULL);
    expect(bot.stats()).toMatchObject({ characterUsed: 1_005, rateUsed: 1_005 });
    expect(store.sizes().logBytesSinceSnapshot).toBeLessThanOrEqual(before.logBytesSinceSnapshot);
    await bot.documents.setStatus("d1", "inactive");
    await bot.whenSearchable();
    expect(await bot.questions.search({ query: "title" })).toHaveLength(1);
    await bot.close();
  });

  it("lets two writes at the same time in only if it has room for both", async () => {
    const { bot } = await botThatHolds({ bytes: 5_000 });
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => bot.documents.import(page(id, 2_000))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    await bot.close();
  });

  it("has room again once something was deleted", async () => {
    const { bot } = await botThatHolds({ bytes: 20_000 });
    for (let id = 0; id < 3; id += 1) await bot.documents.import(page(id, 5_000));
    await expect(bot.documents.import(page(9, 5_000))).rejects.toMatchObject(FULL);
    await bot.documents.remove("d0");
    await bot.documents.remove("d1");
    await expect
      .poll(() => bot.documents.import(page(9, 5_000)).catch(({ code }: { code: string }) => code))
      .toBe("added");
    await bot.close();
  });

  it("takes no more documents and registrations than it may have, but new versions of those it has", async () => {
    const { bot } = await botThatHolds({ documents: 2, registrations: 1 });
    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => bot.documents.import(page(id))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    await expect(bot.articles.create({ title: "title", body: "z" })).rejects.toMatchObject(FULL);
    expect(await bot.documents.import(page(1, 20))).toBe("replaced");
    await bot.documents.remove("d2");
    await bot.articles.create({ title: "title", body: "z" });
    for (const registered of [bot.agents, bot.channels]) {
      await registered.put("one", true);
      await registered.put("one", false);
      await expect(registered.put("two", true)).rejects.toMatchObject(FULL);
    }
    await bot.close();
  });

  it("says once that there is no room for vectors, and does not try for ever", async () => {
    let calls = 0;
    const embedder = new FakeEmbedder({
      dimensions: 4_000,
      onPassages: () => {
        calls += 1;
      },
    });
    const offer = { languages: [], open: async () => embedder };
    const shared = new SharedEmbedder(
      "fake",
      offer,
      () => undefined,
      () => new Promise(() => undefined),
    );
    const { bot, events } = await botThatHolds({ bytes: 4_000 }, shared);
    await bot.documents.import(page(1));
    await bot.whenUpgraded();
    await bot.whenUpgraded();
    expect(calls).toBe(1);
    // Nothing waits for the embedder, which other bots need; and it is of no use to take this one up again.
    expect(await bot.workOff()).toBe(true);
    expect(bot.hasGivenUp).toBe(true);
    expect(new Set(eventsOf(events))).toEqual(new Set(["embeddingStopped"]));
    expect(bot.stats().vectors).toMatchObject({ vectors: 0, documentsWaiting: 1 });
    expect(await bot.questions.search({ query: "xxxxxxxxxx" })).toHaveLength(1);
    await bot.close();
  });
});

/** As if the index of a bot had room for so few passages. Returns how many have been copied to make room. */
function indexesHold(passagesMax: number): () => number {
  const holds = (
    method: "hasCapacityFor" | "hasCapacityWithoutDeleted",
    taken: (index: LexicalIndex) => number,
  ): void => {
    const spy = vi.spyOn(LexicalIndex.prototype, method);
    spy.mockImplementation(function (this: LexicalIndex, passages) {
      return taken(this) + passages <= passagesMax;
    });
    onTestFinished(() => spy.mockRestore());
  };
  holds("hasCapacityFor", ({ nextOrdinal }) => nextOrdinal);
  holds("hasCapacityWithoutDeleted", ({ passageCount }) => passageCount);
  const copies = vi.spyOn(LexicalIndex.prototype, "copyOf");
  onTestFinished(() => copies.mockRestore());
  return () => copies.mock.calls.length;
}

describe("a bot whose index is full", () => {
  it("refuses what is new before anything is reserved, until something goes", async () => {
    const copied = indexesHold(4);
    const { bot } = await botThatHolds({});
    for (let i = 0; i < 5; i++) {
      await bot.documents.import(page(i));
      await bot.whenSearchable();
    }
    expect(bot.stats()).toMatchObject({ indexFailures: 1 });
    expect(copied()).toBe(0);
    const before = bot.stats();
    await expect(bot.articles.create({ title: "title", body: "y" })).rejects.toMatchObject(FULL);
    await expect(bot.documents.import(page(6))).rejects.toMatchObject(FULL);
    expect(bot.stats()).toMatchObject({ characterUsed: before.characterUsed, rateUsed: before.rateUsed });
    await bot.documents.setStatus("d1", "inactive");
    await bot.documents.remove("d1");
    const { article } = await bot.articles.create({ title: "title", body: "y" });
    await bot.whenSearchable();
    expect((await bot.questions.search({ query: "title" })).map(({ resourceDocId }) => resourceDocId)).toEqual([
      article.id,
    ]);
    expect(copied()).toBe(3);
    await bot.close();
  });

  it("still takes what is small after a document that is larger than half of all", async () => {
    indexesHold(4);
    const { bot } = await botThatHolds({});
    const headings = Array.from({ length: 9 }, (_, i) => `# Heading ${i}\n\n${"word ".repeat(400)}`).join("\n\n");
    await bot.documents.import({ ...page(0), content: [{ md: headings }] });
    await bot.whenSearchable();
    await bot.documents.import(page(1));
    await bot.whenSearchable();
    expect(bot.stats()).toMatchObject({ indexFailures: 1, passages: { WEBPAGE: 1 } });
    await bot.close();
  });
});
