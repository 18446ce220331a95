import { readFileSync } from "node:fs";
import { eld } from "eld/small";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { eldTable } from "../../../../tools/languages/table.ts";
import { openLanguageDetector } from "../../src/analysis/detector-file.ts";
import { readNgramTable, writtenNgramTable } from "../../src/analysis/ngram-table.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { slicesOf } from "../support/steps-of.ts";

const FILE = readFileSync(new URL("../../model/languages/table.bin", import.meta.url));
/** N-grams that may be read between two yields. */
const SLICE_NGRAMS = 8_192;

const detector = await openLanguageDetector();

/** Letters of languages that it knows and of others, quotes, digits, and what stands for nothing by itself. */
const LETTERS = [
  "abcdefghijklmnopqrstuvwxyz",
  "äöüßéèñçøåæœİıſKžşğ",
  "абвгдежзийклмнопрстуфхцчшщыэюяђћ",
  "αβγδεζηθικλμνξοπρστυφχψω",
  "漢字仮名交じり文日本語中文简体",
  "한국어조선말글",
  "ابپتثجچحخفارسیעברית",
  "हिन्दीमराठीதமிழ்తెలుగుไทยລາວ",
  "ქართულიհայերենአማርኛ",
  "ǆǉʰʒϰԥܐނߊ",
  "'`’",
  "0123456789-_.,!?\n\t",
  "𝒜😀\ud800\udc00\u0307",
].map((letters) => [...letters]);
const text = fc
  .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: 3 })
  .chain((some) => fc.array(fc.constantFrom(...some.flat(), " ", " "), { maxLength: 200 }))
  .map((letters) => letters.join(""));
const long = fc.tuple(text, fc.integer({ min: 1, max: 12 })).map(([some, times]) => some.repeat(times));

/** One of each of the bytes that none of the languages has. */
const STRANGE_LETTERS = ["ǆ", "ʰ", "ˆ", "İ", "ʹ", "ԥ", "ܐ", "ݐ", "ނ", "ߊ"];

const SAID = {
  de: "Die Rechnung finden Sie in Ihrem Konto unter den Bestellungen.",
  en: "You will find the invoice in your account, below the orders.",
  fr: "Vous trouverez la facture dans votre compte, avec les commandes.",
  ja: "請求書はアカウントの注文履歴にあります。",
  pl: "Fakturę znajdziesz na swoim koncie, obok zamówień.",
};

function expectAsEld(some: string): void {
  const [own, theirs] = [detector.detect(some), eld.detect(some)];
  expect(own, some).toEqual({ tag: theirs.language, isReliable: theirs.isReliable() });
}

describe("what tells the language of a text", () => {
  it("tells it as eld does, and as reliably", () => {
    fc.assert(fc.property(fc.oneof(text, long), expectAsEld), { numRuns: lawRuns(3_000) });
  });

  it.each(Object.entries(SAID))("knows %s, and tells as eld does of any part of a text", (tag, said) => {
    expect(detector.detect(said)).toEqual({ tag, isReliable: true });
    const others = Object.values(SAID).join(" ");
    for (const whole of [`${said} ${others} ${said}`, `${said}${others}`.replaceAll(/\P{L}/gu, "")])
      for (let end = 1; end <= whole.length; end++) expectAsEld(whole.slice(0, end));
  });

  it.each(STRANGE_LETTERS)("tells as eld does of a text with %s", (letter) => {
    for (const said of Object.values(SAID))
      for (let at = 0; at < said.length; at++) {
        expectAsEld(said.slice(0, at) + letter + said.slice(at));
        expectAsEld(said.slice(0, at) + letter);
        expectAsEld(said.slice(at, at + 3) + letter.repeat(3));
      }
  });

  it.each(Object.entries(SAID))("reads as much of a text and of a word as eld does: %s", (_, said) => {
    const word = said.replaceAll(/\P{L}/gu, "");
    for (let bytes = 40; bytes < 90; bytes++) expectAsEld("q".repeat(bytes) + word);
    for (let units = 900; units < 1_010; units++) expectAsEld("1".repeat(units) + said);
    for (let bytes = 320; bytes < 400; bytes++) {
      const words = "q ".repeat(bytes / 2) + (bytes % 2 === 0 ? "" : "qq ");
      for (const last of [said, word, word.slice(0, 3), word.slice(0, 7)]) {
        expectAsEld(words + last);
        expectAsEld("q".repeat(bytes) + last);
      }
    }
  });

  it("knows the languages that eld knows", () => {
    expect(detector.tags).toEqual(Object.values(eld.info().Languages));
  });
});

describe("its table", () => {
  it("is made of eld's data", async () => {
    expect(Buffer.compare(writtenNgramTable(await eldTable()), FILE)).toBe(0);
  });

  it("is read in steps, and is what was written", async () => {
    const wanted = await eldTable();
    const read = finished(readNgramTable(FILE));
    expect(read.languages).toEqual(wanted.languages);
    for (const part of ["ngrams", "starts", "pairs"] as const)
      expect(Buffer.compare(Buffer.from(read[part].buffer), Buffer.from(wanted[part].buffer)), part).toBe(0);
    expect(slicesOf(readNgramTable(FILE))).toBeGreaterThanOrEqual(Math.floor(wanted.ngrams.length / SLICE_NGRAMS));
  });

  it("is refused where a bit has changed or the end is missing", () => {
    for (const at of [0, 5, 9, 30, FILE.length >> 1, FILE.length - 1]) {
      const damaged = Buffer.from(FILE);
      damaged[at] = (damaged[at] ?? 0) ^ 4;
      expect(() => finished(readNgramTable(damaged))).toThrow(expect.objectContaining({ code: "CORRUPT" }));
    }
    for (const length of [0, 19, FILE.length - 1])
      expect(() => finished(readNgramTable(FILE.subarray(0, length)))).toThrow("The table of languages is damaged");
  });
});
