import { describe, expect, it, onTestFinished } from "vitest";
import { Engine, LoredexError } from "../../src/index.ts";
import { MemoryBudget } from "../../src/quotas/memory-budget.ts";
import type { Storage } from "../../src/storage/store.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { bareBot } from "../support/bare-bot.ts";

const PLENTY = 1_000_000_000;
const LIMITS = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY };
const document = (id: string, md: string) => ({ resourceDocId: id, type: "DOCUMENT", content: [{ md }] });
const distinctWords = (count: number, prefix = "w"): string =>
  Array.from({ length: count }, (_, i) => `${prefix}${i.toString(36)}`).join(" ");

async function engineWith(memoryMaxBytes: number): Promise<Engine> {
  const storage = await openOn(simulatedDisk());
  const engine = await Engine.open({ embedders: {}, storage, memoryMaxBytes });
  onTestFinished(() => engine.close());
  return engine;
}

function isRefused(error: unknown): boolean {
  if (error instanceof LoredexError && error.code === "OUT_OF_MEMORY") return true;
  throw error;
}

describe("an engine that is short of memory", () => {
  it("evicts idle bots before it refuses a write", async () => {
    const engine = await engineWith(4_000_000);
    for (const name of ["idle", "active"]) await engine.createBot({ name, ...LIMITS });
    const [idle, active] = [await engine.bot("idle"), await engine.bot("active")];
    await idle.importDocument(document("d", `kept ${distinctWords(20_000)}`));
    await idle.whenSearchable();
    expect(engine.openBots).toBe(2);
    // Both together would be too much.
    await active.importDocument(document("d", "x ".repeat(150_000)));
    await expect.poll(() => engine.openBots).toBe(1);
    expect(await idle.search("kept")).toHaveLength(1);
  });

  it("evicts none where that would make too little room", async () => {
    const engine = await engineWith(4_000_000);
    for (const name of ["idle", "active"]) await engine.createBot({ name, ...LIMITS });
    const [idle, active] = [await engine.bot("idle"), await engine.bot("active")];
    await idle.importDocument(document("d", "kept"));
    await idle.whenSearchable();
    const tooMuch = active.importDocument(document("d", "x ".repeat(2_000_000)));
    // The error says which maximum it is.
    const message = expect.stringMatching(/\(bots hold [\d.]+ of 3\.8 MiB, and this adds up to \d+\)/);
    await expect(tooMuch).rejects.toMatchObject({ code: "OUT_OF_MEMORY", message });
    expect(engine.openBots).toBe(2);
  });

  it("refuses at once a text that could not be indexed, whatever its length", async () => {
    const engine = await engineWith(PLENTY);
    await engine.createBot({ name: "bot", ...LIMITS });
    const bot = await engine.bot("bot");
    // Each heading takes some 800 bytes while the text is cut.
    await expect(bot.importDocument(document("headings", "# a\n".repeat(12_000_000)))).rejects.toMatchObject({
      code: "OUT_OF_MEMORY",
    });
    await bot.importDocument(document("headings", "# a\n".repeat(1_000)));
    await bot.whenSearchable();
  });

  it("takes no more imports than will have room once they are indexed", async () => {
    const engine = await engineWith(20_000_000);
    await engine.createBot({ name: "bot", ...LIMITS });
    const bot = await engine.bot("bot");
    const imports = Array.from({ length: 60 }, (_, i) =>
      bot.importDocument(document(`${i}`, distinctWords(20_000, `d${i}x`))),
    );
    const settled = await Promise.allSettled(imports);
    const refused = settled.filter((each) => each.status === "rejected" && isRefused(each.reason));
    expect(refused.length).toBeGreaterThan(10);
    // The first were judged by what texts take on the average: what turns out to be too much waits.
    await bot.whenSearchable().catch(isRefused);
    const { indexQueue } = await bot.stats();
    expect(indexQueue).toBeGreaterThan(0);
    const accepted = settled.flatMap(({ status }, i) => (status === "fulfilled" ? [`${i}`] : []));
    for (const id of accepted.slice(-indexQueue)) await bot.removeDocument(id);
    const { memoryBytes, documents } = engine.figures().openBots[0] ?? {};
    expect(documents).toBe(accepted.length - indexQueue);
    expect(memoryBytes).toBeGreaterThan(10_000_000);
    expect(memoryBytes).toBeLessThan(22_000_000);
    await bot.whenSearchable();
  });

  it("judges a document by what it grows, and takes one that grows by nothing", async () => {
    const engine = await engineWith(4_000_000);
    await engine.createBot({ name: "bot", ...LIMITS });
    const bot = await engine.bot("bot");
    let count = 0;
    const large = (of: string) => document(`${count}`, `${of} `.repeat(50_000));
    for (; ; count++) if (await bot.importDocument(large("a")).then(() => false, isRefused)) break;
    expect(count).toBeGreaterThan(5);
    count -= 1;
    expect(await bot.importDocument(large("b"))).toBe("replaced");
    await expect(bot.importDocument(large("bbbbbbb"))).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });
});

/** The memory of bots in a process whose heap takes what is told, of a million bytes. */
function memoryOf(heap: { usedBytes: number }) {
  const reading = { heap: () => ({ ...heap, liveBytes: heap.usedBytes, collections: 1 }), processBytes: () => 0 };
  const maxima = { heldBytes: PLENTY, heapBytes: 1_000_000, processBytes: PLENTY };
  return new MemoryBudget({ reading, maxima, evict: () => undefined });
}

/** A bot of that store in a process whose heap takes what is told, of a million bytes. */
async function botIn(heap: { usedBytes: number }, storage: Storage) {
  const pauses: (() => void)[] = [];
  const events: string[] = [];
  const bot = await bareBot(await storage.open("bot"), {
    memory: memoryOf(heap).ofBot(),
    background: false,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        pauses.push(resolve);
        signal?.addEventListener("abort", () => resolve());
      }),
    logger: ({ event }) => void events.push(event),
  });
  return { bot, pauses, events };
}

it("a smaller vocabulary, or none, is never refused for memory, and a larger one is", async () => {
  const heap = { usedBytes: 0 };
  const storage = await openOn(simulatedDisk());
  await storage.create("bot");
  const { bot } = await botIn(heap, storage);
  const lines = (count: number) => ({ synonyms: Array.from({ length: count }, (_, i) => `word${i}, other${i}`) });
  await bot.vocabulary.set(lines(200));
  heap.usedBytes = 1_099_000;
  await expect(bot.vocabulary.set(lines(201))).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  for (const count of [200, 100, 0]) {
    await bot.vocabulary.set(lines(count));
    expect(bot.vocabulary.get().synonyms).toHaveLength(count);
  }
  await bot.close();
});

describe("a bot whose process has no memory for its index", () => {
  async function stalled() {
    const heap = { usedBytes: 0 };
    const storage = await openOn(simulatedDisk());
    await storage.create("bot");
    const opened = await botIn(heap, storage);
    const { bot } = opened;
    await bot.documents.import(document("first", "The first is there."));
    await bot.whenSearchable();
    await bot.documents.import(document("large", distinctWords(2_000)));
    heap.usedBytes = 1_099_000;
    await expect(bot.whenSearchable()).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    return { ...opened, heap, storage };
  }

  it("keeps what was written, answers, deletes, and may be evicted; it is told once", async () => {
    const { bot, pauses, events } = await stalled();
    // It may be evicted.
    expect(bot.occupation).toBe("none");
    expect(bot.documents.get("large")).toBeDefined();
    expect(await bot.questions.search({ query: "first" })).toHaveLength(1);
    expect(await bot.questions.search({ query: "w1" })).toEqual([]);
    pauses.shift()?.();
    await expect(bot.whenSearchable()).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    await bot.documents.remove("first");
    expect(await bot.questions.search({ query: "first" })).toEqual([]);
    expect(events).toEqual(["indexingStalled"]);
    // Nothing waits for memory that may never come.
    await bot.close();
  });

  it("indexes what takes less before it", async () => {
    const { bot, heap, pauses } = await stalled();
    heap.usedBytes = 0;
    await bot.documents.import(document("small", "Some words."));
    heap.usedBytes = 1_090_000;
    pauses.shift()?.();
    await expect.poll(() => bot.questions.search({ query: "words" }), { timeout: 5_000 }).toHaveLength(1);
    expect(await bot.questions.search({ query: "w1" })).toEqual([]);
    await bot.close();
  });

  it("can be purged: neither the text that waits nor the one before it is left in the index", async () => {
    const { bot, heap, pauses } = await stalled();
    heap.usedBytes = 0;
    pauses.shift()?.();
    await bot.whenSearchable();
    await bot.documents.import(document("large", distinctWords(2_000, "v")));
    heap.usedBytes = 1_099_000;
    await expect(bot.whenSearchable()).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
    // It waits for the next look at memory, which is a second away at most.
    const looking = setInterval(() => {
      for (const end of pauses.splice(0)) end();
    }, 5);
    await bot.purge();
    clearInterval(looking);
    expect(await bot.questions.search({ query: "w1" })).toEqual([]);
    await bot.close();
  });

  it("indexes it when there is memory, or when it is deleted the next one", async () => {
    const { bot, heap, pauses } = await stalled();
    heap.usedBytes = 0;
    await bot.documents.import(document("second", "The second follows."));
    await bot.documents.remove("large");
    pauses.shift()?.();
    await bot.whenSearchable();
    expect(await bot.questions.search({ query: "w1" })).toEqual([]);
    expect(await bot.questions.search({ query: "second" })).toHaveLength(1);
    expect(bot.occupation).not.toBe("uninterruptible");
    await bot.close();
  });

  it("is opened all the same, with what can be indexed", async () => {
    const { bot, heap, storage } = await stalled();
    await bot.snapshot();
    await bot.close();
    const again = await botIn(heap, storage);
    expect(await again.bot.questions.search({ query: "first" })).toHaveLength(1);
    expect(again.events).toContain("indexingStalled");
    heap.usedBytes = 0;
    again.pauses.shift()?.();
    await again.bot.whenSearchable();
    expect(await again.bot.questions.search({ query: "w1" })).toHaveLength(1);
    await again.bot.close();
  });

  it("is not opened where what it knows has no room, from a snapshot or from its log, and is opened when it has", async () => {
    const { bot, heap, storage } = await stalled();
    await bot.close();
    heap.usedBytes = 1_101_000;
    const refused = { code: "OUT_OF_MEMORY", message: expect.stringContaining("--memory-max") };
    await expect(botIn(heap, storage)).rejects.toMatchObject(refused);
    heap.usedBytes = 0;
    const again = await botIn(heap, storage);
    expect(await again.bot.questions.search({ query: "w1" })).toHaveLength(1);
    await again.bot.snapshot();
    await again.bot.close();
    heap.usedBytes = 1_101_000;
    await expect(botIn(heap, storage)).rejects.toMatchObject(refused);
  });
});
