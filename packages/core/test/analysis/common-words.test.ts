import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commonWordsOf } from "../../src/analysis/common-words.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { inverseDocumentFrequency, withGeneralText } from "../../src/index/postings/bm25.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { document } from "../search/rerank-kit.ts";

const LANGUAGES = "ar cs da de el en es et fi fr hu id it nl no pl pt ro ru sk sv tr uk vi".split(" ");

/** Weights of a question's terms in a bot with these articles. */
async function weightsOf(
  question: string,
  texts: readonly string[],
  language = "en",
): Promise<ReadonlyMap<string, number>> {
  const analyzer = (await analyzerOf(language)) ?? expect.fail("missing");
  const index = new SearchIndex(analyzer);
  for (const [i, text] of texts.entries()) index.replace(document(`d${i}`, text), i + 1);
  const { asked } = finished(analyzeQuery(question, analyzer).weigh(index.lexical));
  return new Map(asked.map(({ text, weight }) => [text, weight]));
}

describe("common words", () => {
  it.each(LANGUAGES)("are terms of their language: %s", async (language) => {
    const analyzer = (await analyzerOf(language)) ?? expect.fail("missing");
    const words = commonWordsOf(language).split(" ");
    expect(words.length).toBeGreaterThan(30);
    for (const word of words)
      expect(
        analyzer.terms(word).some((term) => analyzer.isCommon(term)),
        word,
      ).toBe(true);
    expect(analyzer.terms("password telefon 4711").filter((term) => analyzer.isCommon(term))).toEqual([]);
  });

  it("weigh less than the words that matter, also if no article of a small bot has them", async () => {
    const articles = ["Reset a password.", "A password has ten letters.", "Change a password.", "Bills come in May."];
    const weights = await weightsOf("how do I reset my password", articles);
    expect(weights.get("my")).toBeLessThan(weights.get("password") ?? 0);
    expect(weights.get("reset")).toBeGreaterThan(3 * (weights.get("my") ?? 0));
    const german = await weightsOf(
      "wie kann ich mein Passwort ändern",
      ["Passwort ändern", "Ein Passwort hat zehn Zeichen."],
      "de",
    );
    expect(german.get("mein")).toBeLessThan(german.get("passwort") ?? 0);
  });

  it("are known in each language of a bot that has several", async () => {
    const analyzer = (await analyzerOf("auto")) ?? expect.fail("missing");
    const reader = analyzer.documents?.readerOf(["de", "en"]) ?? expect.fail("no reader");
    expect(["my", "mein", "password"].map((word) => reader.terms(word).some((term) => reader.isCommon(term)))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("the rarity of a term with general text beside the passages", () => {
  it("is that of the passages alone in a large bot, positive, and falls with the frequency", () => {
    const counts = fc
      .integer({ min: 1, max: 1_000_000 })
      .chain((count) => fc.tuple(fc.constant(count), fc.nat(count), fc.boolean()));
    fc.assert(
      fc.property(counts, ([count, frequency, isCommon]) => {
        const own = withGeneralText(count, frequency, isCommon);
        expect(own).toBeGreaterThan(0);
        if (frequency < count) expect(withGeneralText(count, frequency + 1, isCommon)).toBeLessThan(own);
        expect(withGeneralText(count, frequency, true)).toBeLessThan(withGeneralText(count, frequency, false));
        if (count > 100_000 && frequency > 1_000)
          expect(own).toBeCloseTo(inverseDocumentFrequency(count, frequency), 1);
      }),
    );
  });
});
