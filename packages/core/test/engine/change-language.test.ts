import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const DOCUMENTS = 300;

async function filled(engine: Engine): Promise<Bot> {
  const { bot: info } = await engine.createBot({ name: "shop" });
  const bot = await engine.bot(info.id);
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => ({
    resourceDocId: `d${i}`,
    type: "DOCUMENT" as const,
    content: [{ md: `# Abschnitt ${i}\n\nDie Verwaltungen kommen nach ${i} Tagen.` }],
  }));
  for (const line of lines) await bot.importDocument(line);
  await bot.whenSearchable();
  return bot;
}

/** Found in German only: the stem of another ending. */
async function count(bot: Bot): Promise<number> {
  return (await bot.search("verwaltest?", { topK: 100 })).length;
}

it("answers in the old language until all is read in the new one", async () => {
  const engine = await Engine.open({ embedders: {} });
  const bot = await filled(engine);
  expect(await count(bot)).toBe(0);
  expect((await engine.updateBot("shop", { language: "de-AT" })).language).toBe("de-AT");
  const seen = new Set<number>();
  for (let turns = 0; turns < 10_000 && !seen.has(100); turns++) {
    seen.add(await count(bot));
    // What is written meanwhile is found, too.
    if (turns === 1)
      await bot.importDocument({ resourceDocId: "new", type: "DOCUMENT", content: [{ md: "Verwaltungen." }] });
    await setImmediate();
  }
  expect([...seen].sort()).toEqual([0, 1, 100].filter((each) => seen.has(each)));
  expect(seen.has(0)).toBe(true);
  await bot.whenUpgraded();
  expect(await count(bot)).toBe(100);
  await engine.close();
});

it("says how far its words are read, as long as they are", async () => {
  const engine = await Engine.open({ embedders: {} });
  const bot = await filled(engine);
  expect(await bot.stats()).not.toHaveProperty("languageChange");
  await engine.updateBot("shop", { language: "de" });
  const seen: number[] = [];
  for (let turns = 0; turns < 10_000; turns++) {
    const change = (await bot.stats()).languageChange;
    if (change === undefined) break;
    expect(change.documents).toBe(DOCUMENTS);
    seen.push(change.documentsRead);
    await setImmediate();
  }
  expect(seen[0]).toBeLessThan(DOCUMENTS);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBeLessThanOrEqual(DOCUMENTS);
  expect(await bot.stats()).not.toHaveProperty("languageChange");
  expect(await count(bot)).toBe(100);
  // Back to the language that it has: nothing is to be read.
  await Promise.all(["fr", "de"].map((language) => engine.updateBot("shop", { language })));
  await bot.whenUpgraded();
  expect(await bot.stats()).not.toHaveProperty("languageChange");
  expect(await count(bot)).toBe(100);
  await engine.close();
});

it("is whole in the new language after it was closed in the middle", async () => {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
  const bot = await filled(engine);
  await bot.snapshot();
  await engine.updateBot("shop", { language: "de" });
  for (let turns = 0; turns < 10_000; turns++) {
    if (((await bot.stats()).languageChange?.documentsRead ?? 1) > 0) break;
    await setImmediate();
  }
  await engine.close();
  const again = await Engine.open({ storage: await openOn(disk), embedders: {} });
  const reopened = await again.bot("shop");
  expect(await count(reopened)).toBe(100);
  expect(await reopened.stats()).not.toHaveProperty("languageChange");
  await again.close();
});

it("has the language that was chosen last", async () => {
  const engine = await Engine.open({ embedders: {} });
  const bot = await filled(engine);
  await Promise.all(["de", "en", "fr", "de"].map((language) => engine.updateBot("shop", { language })));
  await bot.whenUpgraded();
  expect(await count(bot)).toBe(100);
  await Promise.all(["fr", "de", "en"].map((language) => engine.updateBot("shop", { language })));
  await bot.whenUpgraded();
  expect(await count(bot)).toBe(0);
  await engine.close();
});

it.each([
  ["at once", false],
  ["when it is whole", true],
])("is all in the new language after a power cut %s, with every document", async (_, isWhole) => {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
  const bot = await filled(engine);
  await bot.snapshot();
  await engine.updateBot("shop", { language: "de" });
  if (isWhole) await bot.whenUpgraded();
  const after = await Engine.open({
    storage: await openOn(simulatedDisk(disk.fileSystem.afterPowerCut())),
    embedders: {},
  });
  const again = await after.bot("shop");
  expect(await count(again)).toBe(100);
  expect(await again.search("Abschnitt 299")).not.toEqual([]);
  await after.close();
  // Its disk is gone.
  await engine.close().catch(() => undefined);
});

it("is refused for a language that is not known, with the list of those that are", async () => {
  const engine = await Engine.open({ embedders: {} });
  await filled(engine);
  await expect(engine.updateBot("shop", { language: "tlh" })).rejects.toThrow(/de-CH: en, multi, auto, af, am/);
  await engine.close();
});
