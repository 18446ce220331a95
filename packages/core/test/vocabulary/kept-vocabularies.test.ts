import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { VocabularyTable } from "../../src/log/vocabulary-table.ts";
import { finished, TimeSlices, UNCOUNTED } from "../../src/scheduling/time-slices.ts";
import { BotVocabulary, type VocabularyOf } from "../../src/vocabulary/bot-vocabulary.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { bareBot } from "../support/bare-bot.ts";
import { TestClock } from "../support/test-clock.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const EMPTY = { synonyms: [], pins: [], ignored: [] };
const WORDS = { synonyms: ["pay => salary"] };

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

async function isCollected(ref: WeakRef<object>): Promise<boolean> {
  if (typeof collect !== "function") throw new Error("Node collects in another way now.");
  await setImmediate();
  collect();
  return ref.deref() === undefined;
}

function kept() {
  const [clock, table] = [new TestClock(), new VocabularyTable()];
  const vocabulary = new BotVocabulary({
    state: { vocabulary: table },
    ingest: { setVocabulary: async (record) => table.set(record.vocabulary) },
    ready: async () => undefined,
    slices: new TimeSlices(clock),
    clock,
  });
  const compiled = (of: VocabularyOf) => finished(of(analyzer, UNCOUNTED));
  const refTo = (of: VocabularyOf) => new WeakRef(compiled(of) ?? expect.fail("there is a vocabulary"));
  return { clock, vocabulary, compiled, refTo };
}

describe("what searches make of a vocabulary", () => {
  it.each([EMPTY, { synonyms: ["pay => money"] }])("is made once, and let go when %j replaces it", async (next) => {
    const { vocabulary, compiled, refTo } = kept();
    await vocabulary.set(WORDS);
    const ref = refTo(vocabulary.own);
    expect(await isCollected(ref)).toBe(false);
    expect(compiled(vocabulary.own) === ref.deref()).toBe(true);
    await vocabulary.set(next);
    expect(await isCollected(ref)).toBe(true);
  });

  it("is made once for all questions that try it, and let go a minute after the last", async () => {
    const { clock, vocabulary, compiled, refTo } = kept();
    const ref = refTo(await vocabulary.tried(WORDS));
    clock.advance(59_000);
    expect(compiled(await vocabulary.tried(structuredClone(WORDS))) === ref.deref()).toBe(true);
    clock.advance(59_000);
    expect(compiled(vocabulary.own)).toBeUndefined();
    expect(await isCollected(ref)).toBe(false);
    clock.advance(1_000);
    expect(compiled(vocabulary.own)).toBeUndefined();
    expect(await isCollected(ref)).toBe(true);
  });
});

it("a tried vocabulary counts as memory of the bot as long as it is kept", async () => {
  const clock = new TestClock();
  const storage = await openOn(simulatedDisk());
  await storage.create("bot");
  const bot = await bareBot(await storage.open("bot"), { clock });
  const before = bot.memoryBytes();
  const synonyms = Array.from({ length: 100 }, (_, i) => `word${i}, other${i}`);
  expect(await bot.questions.search({ query: "word1" }, { vocabulary: { synonyms } })).toEqual([]);
  expect(bot.memoryBytes()).toBeGreaterThan(before + 70_000);
  clock.advance(60_000);
  expect(bot.memoryBytes()).toBe(before);
  await bot.close();
});
