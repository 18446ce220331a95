import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { PieceReader, TEXT_UNITS_MAX } from "../../src/embedding/piece-reader.ts";

/** The teacher's own tokenizer and vocabulary. */
const TOKENIZER = fileURLToPath(new URL("../../../minilm/model/tokenizer.json", import.meta.url));
const json: { model: { vocab: Record<string, number> } } = JSON.parse(readFileSync(TOKENIZER, "utf8"));
const teacher = new Tokenizer(json, {});
const vocabulary = Object.entries(json.model.vocab)
  .sort((left, right) => left[1] - right[1])
  .map(([piece]) => piece);
const reader = new PieceReader(vocabulary);

function expected(text: string): number[] {
  return teacher.encode(text, { add_special_tokens: false }).ids;
}

function expectSame(text: string): void {
  expect([...reader.read(text)], JSON.stringify(text)).toEqual(expected(text));
}

describe("pieces", () => {
  it.each([
    "",
    " \t\r\n ",
    "How do I reset my password?",
    "Unaffable, ERR_CONN_0x80004005; rock'n'roll — “quoted” … don’t",
    "Crème brûlée, naïve, Ångström, İstanbul, ΟΔΟΣ ΟΔΟΣ. ﬁne",
    "日本語 漢字かな交じり 𠀀𠀁 한국어 العربية हिन्दी",
    "a\u0001b\u007fc\u000bd\u0085e\u00ade\u200bf\ufefff",
    "\ud800 lone \udc00 surrogates \ud83d",
    "😀😀 emoji 👩‍👩‍👧 🇩🇪 and\ufffd",
    "[CLS] [SEP][MASK] [mask] [PAD [UNK]x ## ##ing",
    `${"a".repeat(100)} ${"a".repeat(101)} ${"😀".repeat(100)} ${"ß".repeat(101)}`,
    "x".repeat(TEXT_UNITS_MAX),
    "+-*/=<>|~^`$ €£¥ ™®© ½²³ №℃ ₂ ∞≤",
  ])("of %j are the teacher's", (text) => {
    expectSame(text);
  });

  it("of any string are the teacher's", () => {
    const unit = fc.constantFrom(
      ..."aBc1 é\u0301ßİΣσ.,'’“—…[]#\t\n\u00a0\u2028\u200d漢😀ⅷ\u0000\u0007",
      "[CLS]",
      "ing",
      "un",
    );
    const texts = [
      fc.string({ maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit, maxLength: 60 }),
    ];
    fc.assert(fc.property(fc.oneof(...texts), expectSame), { numRuns: lawRuns(6_000) });
  });

  it("of prose are the teacher's, whether its words were met before or not", () => {
    const pages = [
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "docs/library.md",
      "docs/http-api.md",
      "docs/format.md",
    ];
    for (const page of [...pages, ...pages]) {
      const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), "utf8");
      for (const paragraph of text.split("\n\n")) expectSame(paragraph);
    }
  });

  it("stay right when more words come than are remembered", () => {
    const small = new PieceReader(vocabulary);
    for (let word = 0; word < 110_000; word += 1_000) {
      small.read(Array.from({ length: 1_000 }, (_, at) => `w${word + at}`).join(" "));
    }
    const text = "w1 w99999 w100001 w109999 reset password";
    expect([...small.read(text)]).toEqual(expected(text));
  });

  it("end where the teacher stops reading, never within a character", () => {
    const start = "a b ".repeat(TEXT_UNITS_MAX / 4 - 1);
    expect([...reader.read(`${start}abc😀`)]).toEqual(expected(`${start}abc`));
    expect([...reader.read(`${start}abcd${"unread ".repeat(100_000)}`)]).toEqual(expected(`${start}abcd`));
  });
});
