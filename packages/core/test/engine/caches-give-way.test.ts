import { expect, it, onTestFinished } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";

const MIB = 1_048_576;
const WORDS = "alpha beta gamma delta printer refund invoice shipping password login account router".split(" ");
const word = (i: number): string => WORDS[i % WORDS.length] ?? "";

/** A list whose items share embedding windows: its fragments get vectors of their own when a question compares them. */
function list(of: number): string {
  return Array.from({ length: 300 }, (_, i) => `- ${word(i * 7 + of)} ${word(i * 3 + of)} ${word(i + of * 5)}`).join(
    "\n",
  );
}

async function searched(memoryMaxBytes: number, bots: readonly string[]) {
  const engine = await Engine.open({ memoryMaxBytes });
  onTestFinished(() => engine.close());
  const opened: Bot[] = [];
  for (const name of bots) {
    await engine.createBot({ name, embedder: "static", quotaCharacters: 10 * MIB, rateCharactersPerMinute: 10 * MIB });
    const bot = await engine.bot(name);
    for (let i = 0; i < 24; i++)
      await bot.importDocument({ resourceDocId: `d${i}`, type: "DOCUMENT", content: [{ md: list(i) }] });
    await bot.whenSearchable();
    await bot.whenUpgraded();
    opened.push(bot);
  }
  const held = async (): Promise<number> => {
    const stats = await Promise.all(opened.map((bot) => bot.stats()));
    return stats.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  };
  const before = await held();
  for (const bot of opened.slice(0, Math.max(1, opened.length - 1)))
    for (let i = 0; i < 60; i++) await bot.search(`${word(i)} ${word(i * 3)} ${word(i * 11 + 1)}`, { topK: 100 });
  const import_ = (bot: number) =>
    opened[bot]?.importDocument({ resourceDocId: "new", type: "DOCUMENT", content: [{ md: "One small paragraph." }] });
  return { before, held, import_ };
}

it("what searches keep for later ones gives way to a write", async () => {
  const { before, held, import_ } = await searched(2 * MIB, ["one"]);
  expect([before < 2 * MIB, (await held()) > 2 * MIB]).toEqual([true, true]);
  expect(await import_(0)).toBe("added");
  expect(await held()).toBeLessThan(2 * MIB);
}, 60_000);

it("what searches of other bots keep is counted, and gives way to a write too", async () => {
  const { before, held, import_ } = await searched(4 * MIB, ["one", "two", "three"]);
  expect(before).toBeLessThan(4 * MIB);
  // The third bot was not searched, and nobody has asked since the searches what the bots hold.
  expect(await import_(2)).toBe("added");
  expect(await held()).toBeLessThan(4 * MIB);
}, 60_000);
