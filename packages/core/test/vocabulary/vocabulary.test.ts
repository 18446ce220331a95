import { describe, expect, it, onTestFinished } from "vitest";
import { type Bot, Engine, ValidationError, type VocabularyInput } from "../../src/index.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { parseInSlices } from "../../src/vocabulary/shape.ts";

const PAGES: Readonly<Record<string, string>> = {
  leave: "Annual leave is thirty days.",
  salary: "The salary comes on the last day of the month.",
  parcel: "A parcel weighs at most ten kilos.",
  hours: "We are here from nine to six.",
};

async function botWith(vocabulary: VocabularyInput, language = "en"): Promise<Bot> {
  const engine = await Engine.open({ embedders: {} });
  onTestFinished(() => engine.close());
  await engine.createBot({ name: "acme", language });
  const bot = await engine.bot("acme");
  for (const [resourceDocId, md] of Object.entries(PAGES)) {
    await bot.importDocument({ resourceDocId, type: "DOCUMENT", metaData: { part: resourceDocId }, content: [{ md }] });
  }
  await bot.setVocabulary(vocabulary);
  await bot.whenSearchable();
  return bot;
}

async function found(bot: Bot, question: string, options = {}): Promise<string[]> {
  return (await bot.search(question, options)).map(({ resourceDocId }) => resourceDocId);
}

function problemsOf(vocabulary: VocabularyInput, prefix = ""): string[] {
  try {
    finished(parseInSlices(vocabulary, prefix));
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.violations.map(({ field, type, message }) => `${field} ${type}: ${message}`);
  }
}

describe("synonyms", () => {
  it("find both ways what the others find", async () => {
    const bot = await botWith({ synonyms: ["vacation, leave", "package, parcel, box"] });
    expect(await found(bot, "vacations")).toEqual(["leave"]);
    expect(await found(bot, "How heavy may a BOX be?")).toEqual(["parcel"]);
    expect((await bot.search("vacation"))[0]?.bestMatchScore).toBeCloseTo(
      (await bot.search("leave"))[0]?.bestMatchScore ?? 0,
    );
  });

  it("find one way only what the right side finds", async () => {
    const bot = await botWith({ synonyms: ["pay => salary"] });
    expect(await found(bot, "pay")).toEqual(["salary"]);
    await bot.setVocabulary({ synonyms: ["salary => pay"] });
    expect(await found(bot, "pay")).toEqual([]);
    expect(await found(bot, "salary")).toEqual(["salary"]);
  });

  it("of several words stand for one and for several", async () => {
    const bot = await botWith({
      synonyms: ["PTO => annual leave", "opening times, when are you open => nine", "time off, annual leave"],
    });
    expect(await found(bot, "PTO")).toEqual(["leave"]);
    expect(await found(bot, "when are you open?")).toEqual(["hours"]);
    expect(await found(bot, "open")).toEqual([]);
    expect(await found(bot, "time off")).toEqual(["leave"]);
  });

  it("are explained", async () => {
    const bot = await botWith({ synonyms: ["vacation, leave"], ignored: ["please"] });
    const { question, outcome } = await bot.explain("vacation please", "leave");
    expect(outcome).toBe("returned");
    expect(question.terms).toMatchObject([{ term: "vacat", meant: ["leav"], passages: 1 }]);
    expect(question.ignored).toEqual(["pleas"]);
  });
});

describe("words to ignore", () => {
  it("are taken out of a question, unless it has no other words", async () => {
    const bot = await botWith({ ignored: ["the last day"] });
    expect(await found(bot, "the last day: parcel")).toEqual(["parcel"]);
    expect(await found(bot, "the last day")).toContain("salary");
  });
});

describe("pinned answers", () => {
  it("come first with a score of 1, and are quoted", async () => {
    const bot = await botWith({ pins: [{ question: "parcel *", document: "hours" }] });
    const results = await bot.search("Parcel, ten kilos?");
    expect(results.map(({ resourceDocId }) => resourceDocId)).toEqual(["hours", "parcel"]);
    expect(results[0]).toMatchObject({
      bestMatchScore: 1,
      similarTextParts: [{ similarity: 1, start: 1, stop: 1, text: PAGES.hours }],
    });
    expect(await found(bot, "ten kilos parcel")).toEqual(["parcel"]);
    expect(await bot.explain("parcel", "hours")).toMatchObject({
      outcome: "returned",
      rank: 1,
      score: 1,
      pinnedBy: "parcel *",
    });
    expect((await bot.explain("parcel", "parcel")).pinnedBy).toBeUndefined();
  });

  it("push others out of the results, and an explanation says so", async () => {
    const pins = ["salary", "hours"].map((document) => ({ question: "parcel", document }));
    const bot = await botWith({ pins });
    const explained = (id: string, topK: number) => bot.explain("parcel", id, { topK });
    const first = await explained("parcel", 1);
    expect(first).toMatchObject({ outcome: "afterLast", rank: 3 });
    expect(first).not.toHaveProperty("scoreNeeded");
    expect(await explained("hours", 1)).toMatchObject({ outcome: "afterLast", rank: 2, score: 1, pinnedBy: "parcel" });
    expect(await explained("parcel", 2)).toMatchObject({ outcome: "afterLast", rank: 3, score: first.score });
    expect(await explained("parcel", 3)).toMatchObject({ outcome: "returned", rank: 3, scoreNeeded: first.score });
  });

  it("keep the order of the vocabulary, also beside a text that equals the question", async () => {
    const pins = ["salary", "hours", "gone"].map((document) => ({ question: "*parcel*", document }));
    const bot = await botWith({ pins });
    expect(await found(bot, PAGES.parcel ?? "")).toEqual(["salary", "hours", "parcel"]);
    expect(await found(bot, PAGES.parcel ?? "", { topK: 2 })).toEqual(["salary", "hours"]);
    expect(await found(bot, PAGES.parcel ?? "", { topK: 1 })).toEqual(["salary"]);
    expect(await found(bot, PAGES.parcel ?? "", { topK: 2, offset: 1, minScore: 1 })).toEqual(["hours", "parcel"]);
  });

  it("have no effect where a filter or their status forbids it", async () => {
    const bot = await botWith({ pins: [{ question: "parcel", document: "hours" }] });
    expect(await found(bot, "parcel", { filters: { "metaData.part": "parcel" } })).toEqual(["parcel"]);
    const explained = await bot.explain("parcel", "hours", { filters: { "metaData.part": "parcel" } });
    expect(explained).toMatchObject({ outcome: "filtered", score: 0 });
    await bot.setDocumentStatus("hours", "inactive");
    expect(await found(bot, "parcel")).toEqual(["parcel"]);
  });
});

describe("a vocabulary", () => {
  it("is read back as it was written, in one spelling", async () => {
    const bot = await botWith({ synonyms: [" a ,b\n c", "d=>e"], pins: [{ question: " x  * ", document: "hours" }] });
    const stored = { synonyms: ["a, b c", "d => e"], pins: [{ question: "x *", document: "hours" }], ignored: [] };
    expect(await bot.getVocabulary()).toEqual(stored);
    await bot.setVocabulary(await bot.getVocabulary());
    expect(await bot.getVocabulary()).toEqual(stored);
    await bot.setVocabulary({});
    expect(await bot.getVocabulary()).toEqual({ synonyms: [], pins: [], ignored: [] });
  });

  it("is frozen as it is read, also one that was never set: a reader changes no bot by it", async () => {
    const bots = [await botWith({}), await botWith({ pins: [{ question: "parcel", document: "hours" }] })];
    for (const bot of bots) {
      const read = await bot.getVocabulary();
      // As programs in JavaScript do, which know no readonly.
      const push = (list: readonly unknown[], entry: unknown) => Array.prototype.push.call(list, entry);
      expect(() => push(read.pins, { question: "*ten*", document: "leave" })).toThrow(TypeError);
      expect(() => push(read.ignored, "parcel")).toThrow(TypeError);
      for (const pin of read.pins) expect(() => Object.assign(pin, { document: "leave" })).toThrow(TypeError);
      expect(await found(bot, "ten")).toEqual(["parcel"]);
    }
  });

  it("can be tried by a search that changes nothing", async () => {
    const bot = await botWith({ synonyms: ["pay => salary"] });
    const vocabulary = { synonyms: ["money => salary"] };
    expect(await found(bot, "money", { vocabulary })).toEqual(["salary"]);
    expect(await found(bot, "pay", { vocabulary })).toEqual([]);
    expect((await bot.explain("money", "salary", { vocabulary })).outcome).toBe("returned");
    expect(await found(bot, "pay")).toEqual(["salary"]);
    await expect(bot.search("pay", { vocabulary: { synonyms: ["a"] } })).rejects.toMatchObject({
      violations: [{ field: "vocabulary.synonyms.0", type: "synonyms" }],
    });
  });

  it("with broken rules is refused, each with its field", async () => {
    const bot = await botWith({});
    const wrong = {
      synonyms: [
        "a",
        "a => b => c",
        "a, , b",
        "a => !?",
        7,
        "one two three four five six seven eight nine ten eleven, b",
      ],
      pins: [{ question: "*", document: "x" }, { question: "a" }, { question: "a", document: "x", score: 1 }],
      ignored: ["x".repeat(201), "  "],
      synonim: [],
    };
    const error = await bot.setVocabulary(wrong).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ValidationError)) return expect.fail("it was taken");
    expect(error.violations.map(({ field, type }) => `${field} ${type}`)).toEqual([
      "synonim unknownField",
      "synonyms.0 synonyms",
      "synonyms.1 synonyms",
      "synonyms.2 synonyms",
      "synonyms.3 word",
      "synonyms.4 string",
      "synonyms.5 maxItems",
      "pins.0.question word",
      "pins.1.document string",
      "pins.2.score unknownField",
      "ignored.0 maxLength",
      "ignored.1 minLength",
    ]);
  });

  it("that is too long names its longest list, and what is counted", () => {
    const lines = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text} ${i}`);
    const synonyms = lines(4_000, `one, ${"😀".repeat(35)}`);
    const long = "x".repeat(150);
    const pins = lines(900, long).map((question) => ({ question, document: long }));
    expect(problemsOf({ synonyms, pins: pins.slice(0, 700) })).toEqual([
      "synonyms maxLength: synonyms and the other lists have 523580 UTF-16 units in all, and may have 500000; remove entries that no question needs",
    ]);
    expect(problemsOf({ synonyms: synonyms.slice(0, 3_200), pins, ignored: lines(10, long) })).toEqual([
      expect.stringMatching(/^pins maxLength: pins and the other lists have \d+ UTF-16 units/),
    ]);
    expect(problemsOf({ synonyms: synonyms.slice(0, 3_200), pins }, "vocabulary.")).toEqual([
      expect.stringMatching(/^vocabulary.pins maxLength: vocabulary.pins and/),
    ]);
    expect(problemsOf({ synonyms })).toEqual([]);
  });

  it("follows the language of the bot", async () => {
    const bot = await botWith({ synonyms: ["Gehälter => salary"] }, "de");
    expect(await found(bot, "gehälter")).toEqual(["salary"]);
    expect(await found(bot, "Gehaltes")).toEqual(["salary"]);
  });
});
