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

/** The terms of a language, and which of them are common. */
async function termsIn(language: string) {
  const analyzer = (await analyzerOf(language)) ?? expect.fail("missing");
  return { isCommon: analyzer.isCommon ?? expect.fail("not known"), terms: (text: string) => analyzer.terms(text) };
}

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
  it.each(LANGUAGES)("are terms of their language, and other words are not: %s", async (language) => {
    const { isCommon, terms } = await termsIn(language);
    const words = commonWordsOf(language).split(" ");
    expect(words.length).toBeGreaterThan(30);
    for (const word of words) expect(terms(word).some(isCommon), word).toBe(true);
    expect(terms("password telefon 4711 invoice printer account").filter(isCommon)).toEqual([]);
  });

  it.each([
    ["en", "my your is with", "bill card us new off order"],
    ["de", "mein ist mit kann", "rechnung konto drucker"],
    ["fr", "mon est avec peux", "facture compte imprimante"],
    ["es", "mi es con puedo", "factura cuenta impresora"],
    ["pl", "mój jest z mogę", "faktura konto drukarka"],
    ["ru", "мой это с могу", "счёт пароль принтер"],
  ])("are those of %s, and no words that matter", async (language, common, others) => {
    const { isCommon, terms } = await termsIn(language);
    expect(common.split(" ").filter((word) => !terms(word).some(isCommon))).toEqual([]);
    expect(others.split(" ").filter((word) => terms(word).some(isCommon))).toEqual([]);
  });

  it("change nothing in a language whose common words are not known, nor in a bot of several languages", async () => {
    const [bulgarian, auto] = [await analyzerOf("bg"), await analyzerOf("auto")];
    expect(bulgarian?.isCommon).toBeUndefined();
    expect(auto?.documents?.readerOf(["de", "en"]).isCommon).toBeUndefined();
    const weights = await weightsOf("как се сменя паролата", ["Паролата се сменя.", "Тук се пише."], "bg");
    const [frequent = 0, rare = 0] = ["се", "паролата"].map(
      (word) => weights.get(bulgarian?.terms(word)[0] ?? "") ?? 0,
    );
    expect(frequent).toBeGreaterThan(0);
    expect(frequent).toBeLessThan(rare / 2);
  });

  it("weigh as little if they are mistyped", async () => {
    const articles = [
      "Send your invoice.",
      "This is about printers.",
      "A password has ten letters.",
      "Bills come in May.",
    ];
    const [right, mistyped] = [
      await weightsOf("about your invoice", articles),
      await weightsOf("abuot yuor invoice", articles),
    ];
    expect(mistyped.get("abuot")).toBeLessThan(2 * (right.get("about") ?? 0));
    expect(mistyped.get("yuor")).toBeLessThan(2 * (right.get("your") ?? 0));
    expect(mistyped.get("yuor")).toBeLessThan((mistyped.get("invoic") ?? 0) / 2);
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
