import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/index.ts";

const PLENTY = 1_000_000_000;
const MAX = 4_000_000;
const text = (length: number) =>
  Object.fromEntries(Array.from({ length: length / 10_000 }, (_, i) => [i, "x".repeat(10_000)]));
const article = { title: "Memory", body: "What is kept is found." };

async function engineWith(...names: string[]) {
  const events: string[] = [];
  const logger = ({ event }: { readonly event: string }) => void events.push(event);
  const engine = await Engine.open({ embedders: {}, memoryMaxBytes: MAX, logger });
  onTestFinished(() => engine.close());
  const limits = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY };
  for (const name of names) await engine.createBot({ name, ...limits });
  return { engine, bots: await Promise.all(names.map((name) => engine.bot(name))), events };
}

/** Creates articles until one is refused. */
async function fill(
  bot: Awaited<ReturnType<Engine["bot"]>>,
  more: object = { metadata: text(50_000) },
): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = [];
  for (;;) {
    try {
      ids.push((await bot.createArticle({ ...article, ...more })).article.id);
    } catch (error) {
      return { ids, error };
    }
  }
}

it("counts what articles hold beside their texts, and refuses what would take the process beyond its memory", async () => {
  const { engine, bots, events } = await engineWith("flooded");
  const [bot] = bots;
  if (bot === undefined) throw new Error("no bot");
  const { ids, error } = await fill(bot);
  expect(error).toMatchObject({ code: "OUT_OF_MEMORY", message: expect.stringContaining("--memory-max") });
  expect(ids.length).toBeGreaterThan(MAX / 50_000 / 2);
  const { memoryBytes } = engine.figures().openBots[0] ?? { memoryBytes: 0 };
  expect(memoryBytes).toBeGreaterThan(ids.length * 50_000);
  expect(memoryBytes).toBeLessThan(MAX);
  // It comes before the quotas, and imports are refused as well.
  await engine.updateBot(bot.id, { quotaCharacters: 0 });
  await expect(bot.createArticle({ ...article, metadata: text(50_000) })).rejects.toMatchObject({
    code: "OUT_OF_MEMORY",
  });
  const document = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "x".repeat(1_000_000) }] };
  await expect(bot.importDocument(document)).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  // The log tells it once a minute, and not with every write.
  expect(events.filter((event) => event === "memoryShort")).toEqual(["memoryShort"]);
  // All else goes on.
  expect(await bot.search("kept")).not.toEqual([]);
  const [first = "", ...others] = ids;
  await bot.updateArticle(first, { metadata: { ...text(40_000) } });
  for (const id of others) await bot.deleteArticle(id);
  await bot.whenSearchable();
  await engine.updateBot(bot.id, { quotaCharacters: PLENTY });
  await bot.createArticle({ ...article, metadata: text(50_000) });
});

it.each([
  // A list as long as the highest key in each of two objects.
  ["metadata with keys far apart", { metadata: { 1000: 0, 2500: 0, 3300: 0 } }, 60_000],
  ["activeOn", { activeOn: Array.from({ length: 1_000 }, () => ({ channel: "web" })) }, 40_000],
])("counts what an article takes in memory, however short it is written: %s", async (_, more, bytes) => {
  const { engine, bots } = await engineWith("flooded");
  const [bot] = bots;
  if (bot === undefined) throw new Error("no bot");
  const { ids, error } = await fill(bot, more);
  expect(error).toMatchObject({ code: "OUT_OF_MEMORY" });
  expect(ids.length).toBeGreaterThan(MAX / bytes / 2);
  expect(ids.length).toBeLessThan(MAX / bytes);
  expect(engine.figures().openBots[0]?.memoryBytes).toBeLessThan(MAX);
});

it("refuses the bot that holds most first", async () => {
  const { bots } = await engineWith("large", "small");
  const [large, small] = bots;
  if (large === undefined || small === undefined) throw new Error("no bots");
  await fill(large);
  // What is left for others takes several articles.
  for (let i = 0; i < 5; i++) await small.createArticle({ ...article, metadata: text(50_000) });
  await expect(large.createArticle({ ...article, metadata: text(50_000) })).rejects.toMatchObject({
    code: "OUT_OF_MEMORY",
  });
});
