import { beforeAll, describe, expect, it, vi } from "vitest";
import { openPieces, TEXT_UNITS_MAX } from "../src/worker/pieces.js";
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
