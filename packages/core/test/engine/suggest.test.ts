import { afterAll, describe, expect, it } from "vitest";
import { Engine, type WorkEvent } from "../../src/index.ts";

const events: WorkEvent[] = [];
const engine = await Engine.open({ embedders: {}, onWork: (event) => events.push(event) });
afterAll(() => engine.close());

async function botWith(documents: number, headings = 1) {
  const { bot } = await engine.createBot({ name: `with ${documents}`, embedder: "none", language: "en" });
  const made = await engine.bot(bot.id);
  await Promise.all(
    Array.from({ length: documents }, (_, i) =>
      made.importDocument({
        resourceDocId: `d${i}`,
        type: "DOCUMENT",
        metaData: { title: `Title ${i}` },
        content: [{ md: Array.from({ length: headings }, (_, n) => `## Heading ${i + n}\n\nText.`).join("\n\n") }],
      }),
    ),
  );
  await made.whenSearchable();
  return made;
}

describe("suggestions of a bot", () => {
  it("have 8 texts unless a limit is given, and are counted as work", async () => {
    const bot = await botWith(12);
    expect(await bot.suggest("title")).toHaveLength(8);
    expect(await bot.suggest("title", { limit: 20 })).toHaveLength(12);
    expect(await bot.suggest("Title 11", { limit: 1 })).toEqual([
      { text: "Title 11", resourceDocId: "d11", kind: "title" },
    ]);
    expect(await bot.suggestRequest({ prefix: "heading 3" })).toEqual({
      suggestions: [{ text: "Heading 3", resourceDocId: "d3", kind: "heading" }],
    });
    await expect(bot.suggest("x", { limit: 21 })).rejects.toMatchObject({ violations: [{ field: "limit" }] });
    await expect(bot.suggest("x", { top: 3 } as never)).rejects.toThrow("top");
    const counted = events.filter(({ kind }) => kind === "suggest");
    expect(counted.map(({ code }) => code)).toEqual([undefined, undefined, undefined, undefined, "VALIDATION"]);
  });

  it("take their memory from the first call on, and end with the signal", async () => {
    const bot = await botWith(3_000);
    const { memoryBytes } = await bot.stats();
    const leaving = new AbortController();
    const left = bot.suggest("title", { signal: leaving.signal });
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    expect(await bot.suggest("title 29")).toHaveLength(8);
    expect((await bot.stats()).memoryBytes).toBeGreaterThan(memoryBytes + 6_000 * 50);
  });

  it("delay no search while they are collected", async () => {
    const bot = await botWith(100, 400);
    const ended: string[] = [];
    const suggested = bot.suggest("title").then(() => ended.push("suggest"));
    const found = bot.search("title 7").then(() => ended.push("search"));
    await Promise.all([suggested, found]);
    expect(ended).toEqual(["search", "suggest"]);
  });

  it("see a change at each yield as a whole, and documents may be written all the time", async () => {
    const bot = await botWith(500);
    const calls = Array.from({ length: 50 }, async (_, i) => {
      await bot.importDocument({
        resourceDocId: "changing",
        type: "DOCUMENT",
        metaData: { title: `Changing ${i}` },
        content: [{ md: "Text." }],
      });
      const found = await bot.suggest("changing", { limit: 20 });
      expect(found.length).toBeLessThanOrEqual(1);
    });
    await Promise.all(calls);
    await bot.whenSearchable();
    expect((await bot.suggest("changing")).map(({ text }) => text)).toEqual([
      `Changing ${(await bot.getDocument("changing"))?.metaData?.title?.toString().slice(9)}`,
    ]);
  });
});
