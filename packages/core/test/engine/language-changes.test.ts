import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Analyzer } from "../../src/analysis/analyzer.ts";
import { INDEX_SECTION } from "../../src/model/derived-sections.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { TestClock } from "../support/test-clock.ts";

const reading = vi.hoisted(() => ({ waits: [] as number[], fails: "" }));

async function rounds(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}

vi.mock(import("../../src/analysis/languages.ts"), async (original) => {
  const real = await original();
  const slow = async (tag: string, analyzer: Promise<Analyzer>): Promise<Analyzer> => {
    await rounds(reading.waits.shift() ?? 0);
    if (reading.fails !== tag) return analyzer;
    throw new Error("EMFILE: too many open files");
  };
  return {
    ...real,
    analyzerOf: (tag: string) => {
      const known = real.analyzerOf(tag);
      return known === undefined ? undefined : slow(tag, known);
    },
  };
});

// Files share what they import: an engine that another file has loaded would not read its languages here, and the one of here is nobody else's.
vi.resetModules();
const { Engine } = await import("../../src/engine.ts");
afterAll(() => {
  vi.resetModules();
});

/** Every look at it is the end of a turn. */
class HurriedClock extends TestClock {
  override monotonicMs(): number {
    this.advance(10);
    return super.monotonicMs();
  }
}

async function withBot() {
  const storage = new KeptStorage();
  const engine = await Engine.open({ storage, clock: new HurriedClock(), embedders: {} });
  const { bot: info } = await engine.createBot({ name: "shop" });
  const bot = await engine.bot(info.id);
  for (let i = 0; i < 4; i++)
    await bot.importDocument({
      resourceDocId: `d${i}`,
      type: "DOCUMENT",
      content: [{ md: `Die Verwaltungen ${i}.` }],
    });
  await bot.whenSearchable();
  /** The analyzer whose words a snapshot has; undefined if there is none. */
  const stored = (): string | undefined => {
    for (const { snapshot } of storage.kept.values()) {
      const bytes = snapshot?.sections.get(INDEX_SECTION)?.bytes;
      if (bytes !== undefined) return /"analyzer":"([^"]+)"/.exec(Buffer.from(bytes).toString("latin1"))?.[1];
    }
    return undefined;
  };
  return { engine, bot, stored, storage };
}

const LANGUAGES = ["en", "de", "fr"];
/** Documents that each finds: German knows that both are forms of one word, which have little in common by their letters. */
const FINDS = { en: 0, de: 4, fr: 0 };

const change = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  /** Rounds of the event loop before it. */
  after: fc.nat(40),
  /** Rounds that reading the language takes: when it is asked for, and when the bot takes it. */
  waits: fc.tuple(fc.nat(8), fc.nat(8)),
});

it("whatever changes of language come when, the last one is what is searched, shown and stored", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      const { engine, bot, stored, storage } = await withBot();
      storage.untilSnapshot = () => rounds(60);
      const updates: Promise<unknown>[] = [];
      const setting = () => engine.findBot("shop")?.language ?? expect.fail("no bot");
      const was = new Set([setting()]);
      for (const { language, after, waits } of changes) {
        await rounds(after);
        was.add(language);
        reading.waits.push(...waits);
        updates.push(engine.updateBot("shop", { language }));
      }
      await Promise.all(updates);
      reading.waits.length = 0;
      await bot.whenUpgraded();
      const language = setting();
      expect((await bot.search("verwaltest?")).length).toBe(FINDS[language as keyof typeof FINDS]);
      expect(await bot.stats()).not.toHaveProperty("languageChange");
      await engine.close();
      // Without a change that was made, nothing of it is stored.
      const analyzer = stored();
      if (analyzer !== undefined) expect(analyzer.split("-")[0]).toBe(language);
      else expect(language).toBe("en");
    }),
    { numRuns: lawRuns(50) },
  );
});

it("keeps its language where another one cannot be read, and takes it when it can be", async () => {
  const { engine, bot } = await withBot();
  reading.fails = "de";
  await expect(engine.updateBot("shop", { language: "de" })).rejects.toThrow("EMFILE");
  reading.fails = "";
  expect(engine.findBot("shop")?.language).toBe("en");
  await engine.updateBot("shop", { language: "de" });
  await bot.whenUpgraded();
  expect((await bot.search("verwaltest?")).length).toBe(4);
  await engine.close();
});

it("keeps what was read at a start in a language that was chosen before it", async () => {
  const { engine, bot, stored, storage } = await withBot();
  for (let i = 4; i < 80; i++)
    await bot.importDocument({ resourceDocId: `d${i}`, type: "DOCUMENT", content: [{ md: `Die Verwaltungen ${i}.` }] });
  await bot.snapshot();
  expect(stored()).toMatch(/^en-/);
  await engine.updateBot("shop", { language: "de" });
  await engine.close();
  expect(stored()).toMatch(/^en-/);
  const again = await Engine.open({ storage, embedders: {} });
  expect(await (await again.bot("shop")).search("verwaltest?")).toHaveLength(10);
  await again.close();
  expect(stored()).toMatch(/^de-/);
});

it("counts the words of another language to its memory while they are read", async () => {
  const { engine } = await withBot();
  const bytes = () => engine.figures().openBots[0]?.memoryBytes ?? 0;
  const before = bytes();
  await engine.updateBot("shop", { language: "de" });
  let most = 0;
  for (let i = 0; i < 100; i++) {
    most = Math.max(most, bytes());
    await rounds(1);
  }
  expect(most).toBeGreaterThan(before + 100);
  expect(bytes()).toBeLessThan(most);
  await engine.close();
});
