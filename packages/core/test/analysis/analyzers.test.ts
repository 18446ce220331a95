import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { LANGUAGES } from "../../src/model/language-tags.ts";

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
    ["?!… —", []],
    [
      "O'Brien's rock'n'roll, b'secretvalue', y'all should've",
      [..."obrien brien rocknrol rock roll bsecretvalu secretvalu yall all should".split(" ")],
    ],
    ["C, C++, C#, F#, .NET and C++11", ["c", "c++", "c#", "f#", ".net", "net", "and", "c++", "11"]],
    [
      "Notepad++ (.docx) Disney+. end.Next ...net",
      [...["notepad++", "notepad", ".docx", "docx", "disney+", "disney", "end", "next", "net"]],
    ],
    ["5€ → $100+ 😀👍🏽 🇩🇪", ["5", "€", "→", "$", "100+", "100", "😀", "👍", "🇩🇪"]],
    [
      "a && b || !c === d => e->f x+=1",
      [...["a", "&&", "b", "||", "c", "===", "d", "=>", "e", "->", "f", "x", "+=", "1"]],
    ],
    ["Loredex™ AT&T Q&A -- *** `x` ???", ["loredex", "™", "at", "t", "q", "a", "x"]],
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

describe("an apostrophe", () => {
  it.each([
    ["de", "Andreas' Grimm'sche O'Brien auf'm", "Andreas Grimm OBrien Brien auf"],
    ["nl", "auto's A'tje d'Artagnan", "auto Atje tje dArtagnan Artagnan"],
    ["sv", "Anna's O'Brien", "Anna OBrien Brien"],
    ["da", "Anna's O'Brien", "Anna OBrien Brien"],
    ["fi", "IBM'n O'Brien", "IBM OBrien Brien"],
    ["tr", "İstanbul'dakiler O'Brien", "İstanbul OBrien Brien"],
    ["pl", "Kennedy'ego O'Brien", "Kennedy OBrien Brien"],
    ["es", "D'Artagnan", "DArtagnan Artagnan"],
    ["fr", "l'homme d'O'Brien presqu'île aujourd'hui", "homme Brien presquîle presqu île aujourdhui"],
    ["uk", "об'єкт", "обєкт"],
    ["multi", "O'Brien", "o'brien Brien"],
  ])("in %s cuts endings and articles alone: %s", async (language, text, words) => {
    const analyzer = await analyzerOf(language);
    const expected = words.split(" ").flatMap((word) => (word === "o'brien" ? [word] : (analyzer?.terms(word) ?? [])));
    expect(analyzer?.terms(text)).toEqual(expected);
  });

  const letters = fc.string({ unit: fc.constantFrom(..."bcdfgklmnprtvz"), minLength: 9, maxLength: 12 });
  const name = fc.tuple(
    fc.constantFrom("O", "d", "Mac", "rock", ""),
    letters,
    fc.constantFrom("", "'s", "'", "'n'"),
    letters,
  );

  it("hides no word of nine letters and more, in any language whose apostrophe is no letter", async () => {
    for (const language of ["en", "de", "nl", "sv", "da", "fi", "tr", "pl", "es", "fr", "it", "cs", "hu", "multi"]) {
      const analyzer = (await analyzerOf(language)) ?? expect.fail(language);
      fc.assert(
        fc.property(name, ([head, first, middle, second]) => {
          const held = new Set(analyzer.terms(`${head}${head === "" ? "" : "'"}${first}${middle} x'${second}`));
          for (const word of [first, second]) expect([...held]).toEqual(expect.arrayContaining(analyzer.terms(word)));
        }),
        { numRuns: lawRuns(100) },
      );
    }
  });

  it("is read in linear time, however many there are", async () => {
    for (const language of ["en", "fr", "de", "es", "multi"]) {
      const analyzer = await analyzerOf(language);
      expect(analyzer?.terms(`${"l's'".repeat(100_000)}homme`).length).toBeGreaterThan(0);
    }
  });
});

describe("a sign of a name", () => {
  it.each(["en", "de", "fr", "zh", "multi", "auto"])("makes another term of it in %s", async (language) => {
    const analyzer = (await analyzerOf(language)) ?? expect.fail(language);
    const terms = ["C", "C++", "C#", "F#", "F"].map((text) => analyzer.terms(text).join());
    expect(new Set(terms).size).toBe(5);
    expect(analyzer.terms(".NET")).toContain(".net");
    expect(analyzer.terms("net")).not.toContain(".net");
    for (const sign of ["🚀", "€", "&&", "→", "∑", "=", "™", "℠"])
      expect(analyzer.terms(`a ${sign} b`)).toContain(sign);
    expect(analyzer.terms("?!… — ** ` _ #")).toEqual([]);
  });
});
