import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { openPieces, openTokenizer, TEXT_UNITS_MAX } from "../src/worker/pieces.js";
import { readFixture } from "./fixture.ts";
import { bytesOf, manifest } from "./model-files.ts";

const MARK_OF_END = 102;
let piecesOf: (text: string) => number[];

beforeAll(async () => {
  piecesOf = openPieces(await bytesOf("tokenizer"), (await manifest()).tokensMax);
});

describe("word pieces", () => {
  it("are the same as those of the Python tokenizer", async () => {
    for (const row of await readFixture()) expect(piecesOf(row.text), row.text).toEqual(row.ids);
  });

  it("of any string are the tokenizer's, be they read without it", async () => {
    const { tokensMax } = await manifest();
    const byTokenizer = openTokenizer(JSON.parse(Buffer.from(await bytesOf("tokenizer")).toString()), tokensMax);
    const plain = fc.constantFrom(
      ..."aBZz190 -'\u2019\u2014[]#~\t\n\u00a0",
      "[cls]",
      "the",
      "ing",
      "Un",
      "x".repeat(100),
      "##",
    );
    const odd = fc.constantFrom(..."\u0301\u00e9\u0130K\u200b\ufffd\u0000\u2028漢", "\u{1f600}", "[CLS]", "[SEP]");
    const texts = [
      fc.string({ maxLength: 60 }),
      fc.string({ unit: plain, maxLength: 60 }),
      fc.string({ unit: fc.oneof({ weight: 9, arbitrary: plain }, odd), maxLength: 60 }),
      // The last that are read, and a word that they end in.
      fc.integer({ min: 250, max: 256 }).map((words) => `${"a ".repeat(words)}co\u00f6p z`),
    ];
    const expectSame = (text: string): void => {
      expect(piecesOf(text), JSON.stringify(text)).toEqual(byTokenizer(text));
    };
    fc.assert(fc.property(fc.oneof(...texts), expectSame), { numRuns: lawRuns(4_000) });
  });

  it("are at most 256, the last of them the mark of the end", () => {
    const ids = piecesOf("word ".repeat(1_000));
    expect(ids).toHaveLength(256);
    expect(ids.at(-1)).toBe(MARK_OF_END);
    expect(ids.filter((id) => id === MARK_OF_END)).toHaveLength(1);
  });

  it("of a text far beyond the maximum are those of its beginning", () => {
    const start = "a b ".repeat(TEXT_UNITS_MAX / 4);
    expect(piecesOf(`${start}${"unread ".repeat(100_000)}`)).toEqual(piecesOf(start));
  });

  it("of a long row of accents are those of the word, made from the first few", () => {
    const accents = (count: number): string => `cafe${"\u0301".repeat(count)}${"\u0323".repeat(count)}s`;
    const handed = vi.spyOn(String.prototype, "normalize");
    for (const count of [1, 10, 1_000, 2_000]) expect(piecesOf(accents(count))).toEqual(piecesOf("cafes"));
    const rows = handed.mock.contexts.map(String).filter((text) => /\p{M}{31}/u.test(text));
    handed.mockRestore();
    expect(rows).toEqual([]);
  });

  it("do not change when the cut falls into an astral character", () => {
    const filling = " ".repeat(TEXT_UNITS_MAX - 5);
    expect(piecesOf(`word${filling}\u{1f600} more`)).toEqual(piecesOf("word"));
  });
});
