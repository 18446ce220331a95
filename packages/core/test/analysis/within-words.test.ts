import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { ManyLanguages } from "../../src/analysis/many-languages.ts";
import { spelledAlike } from "../../src/analysis/within-words.ts";
import { LANGUAGES } from "../../src/model/language-tags.ts";

/** Every language by itself but English, which has rules of its own. */
const others = LANGUAGES.filter((language) => language !== "en");
const analyzers = await Promise.all(others.map(analyzerOf));

/** Analyzers by which all spellings of a word do not have the same terms. */
function divided(spellings: readonly string[]): string[] {
  const divides = analyzers.filter((each) => new Set(spellings.map((word) => each?.terms(word).join())).size > 1);
  return divides.map((each) => each?.id ?? "unknown");
}

describe("a word is the same word, in every language,", () => {
  it.each([
    ["apostrophes", ["ім'я", "ім’я", "імʼя", "ім‘я", "ім`я", "ім´я", "ім′я", "ім＇я"]],
    ["apostrophes at its end", ["tog'", "tog‘", "togʻ", "togʼ"]],
    ["Hebrew geresh", ["צ'ק", "צ׳ק", "צ’ק"]],
    ["Hebrew gershayim", ['מע"מ', "מע״מ", "מע”מ", "מע''מ", "מעמ", "מע׳׳מ"]],
    ["Hebrew gershayim behind vowel signs", ['דּוֹאַ"ל', "דּוֹאַ״ל"]],
    ["Catalan dots", ["instal·lació", "instaŀlació", "instal‧lació", "instaŀ‧lació", "instaŀŀació"]],
    ["half-spaces", ["می‌خواهم", "می خواهم"]],
    ["quotations where no spaces are", ["说‘你好’吧", "说'你好'吧", "说 你好 吧"]],
  ])("however its %s are typed", (_, spellings) => {
    expect(divided(spellings)).toEqual([]);
  });

  it("and in a question in several languages it has the terms that it has in each of them", async () => {
    const languages = await Promise.all(["fa", "he", "uk", "ca"].map(analyzerOf));
    const known = languages.flatMap((each) => (each === undefined ? [] : [each]));
    const many = new ManyLanguages(known);
    const text = "می‌خواهم דוא״ל імʼя instal·lació";
    const found = [...many.terms(text), ...[...many.others(text).values()].flat()];
    for (const each of known) expect(found).toEqual(expect.arrayContaining(each.terms(text)));
  });
});

describe("spelledAlike", () => {
  const signs = `"'\`´’‘‛ʼʻʽ′“”׳״՚·‧ŀĿlL\u200c٠ا שמ你字กaé\u0301 `;
  const text = fc.string({ unit: fc.constantFrom(...signs) });

  it("changes nothing that it has changed", () => {
    fc.assert(
      fc.property(text, (each) => {
        expect(spelledAlike(spelledAlike(each))).toBe(spelledAlike(each));
      }),
      // A letter with its dot, and another dot.
      { examples: [["Ŀ‧l"]] },
    );
  });

  it("leaves letters and digits alone but for the letters that are apostrophes, and for dots of l", () => {
    const lettersOf = (each: string): string =>
      each
        .replace(/[ʼʻʽ]/g, "")
        .replace(/[ŀĿ]/g, "l")
        .replace(/[^\p{L}\p{N}]/gu, "");
    fc.assert(
      fc.property(text, (each) => {
        expect(lettersOf(spelledAlike(each))).toBe(lettersOf(each));
      }),
    );
  });
});
