import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LANGUAGES } from "../../src/domain/language-tags.ts";
import { analyzerOf } from "../../src/text/languages.ts";

const analyzer = await analyzerOf("en");

function english(text: string): string[] {
  return analyzer?.terms(text) ?? [];
}

describe("the English analyzer", () => {
  it.each([
    ["Running keys, policies!", ["run", "key", "polici"]],
    ["I don't; can't, won't", ["i", "do", "not", "can", "not", "will", "not"]],
    ["the café's menu", ["the", "cafe", "menu"]],
    ["it’s", ["it"]],
    ["ERR_CONN 0x80004005 v1.6", ["err", "conn", "0x80004005", "v1", "6"]],
    ["so\u00adft hy\u200bphen", ["soft", "hyphen"]],
    ["Ｆｕｌｌ ｗｉｄｔｈ", ["full", "width"]],
    ["ΟΔΟΣ οδος", ["οδοσ", "οδοσ"]],
    ["?!… 😀 —", []],
  ])("turns %j into %j", (text, terms) => {
    expect(english(text)).toEqual(terms);
  });

  it.each([
    ["façde", "facde"],
    ["user’s", "user's"],
    ["word", "word"],
  ])("compares %j as its terms are written: %j", (word, compared) => {
    expect(analyzer?.compared(word)[0]?.[0]?.word).toBe(compared);
  });

  it("takes a megabyte without a space as one term", () => {
    expect(english("a".repeat(1_000_000))).toHaveLength(1);
  });
});

describe("words that are remembered", () => {
  it("have the same terms as words that are not", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({
        unit: fc.constantFrom("a", "B", "é", "1", "'", "’", "_", "-", " ", "…", "\u00a0", "™", "İ", "\u0301"),
      }),
      fc.constantFrom("Running", "don't", "DON’T", "rock'n'roll", "x'1", "'s", "cafe\u0301", "ﬁne", "K\u212a"),
    );
    const terms = fc.array(word).map((all) => all.join(" "));
    fc.assert(
      fc.property(terms, (text) => {
        // The last character makes the whole text go the way of Unicode's rules.
        const slow = english(`${text} ß`);
        expect(english(text)).toEqual(slow.slice(0, -1));
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});

describe("every analyzer", () => {
  it("reads an i with a dot as it is, however it was made small", async () => {
    for (const language of ["az", "tr"]) {
      const each = await analyzerOf(language);
      for (const text of ["İzmir", "İ\u0323z", "İ੦"])
        expect(each?.terms(text.toLowerCase())).toEqual(each?.terms(text));
    }
  });

  it("gives the same terms for the same text, whatever its case and whatever came before", async () => {
    const all = await Promise.all(LANGUAGES.map(analyzerOf));
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.string({ unit: "grapheme" }), fc.string(), (each, text, other) => {
        const before = each?.terms(text);
        each?.terms(other);
        expect(each?.terms(text)).toEqual(before);
        // The capital of ı is I, which is the capital of i in all other languages.
        const language = /^(?:az|tr)-/.exec(each?.id ?? "") === null ? "en" : "tr";
        expect(each?.terms(text.toLocaleLowerCase(language))).toEqual(before);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  it("is undefined for a language that is not known", () => {
    expect(analyzerOf("toString")).toBeUndefined();
    expect(analyzerOf("xx")).toBeUndefined();
  });
});
