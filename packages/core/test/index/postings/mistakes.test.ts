import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { isBegun, isTyped } from "../../../src/index/postings/mistakes.ts";

/** Few letters: equal ones side by side and swapped ones are common. */
const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });

/** The fewest mistakes from every beginning of `a` to every beginning of `b`, from the definition (optimal string alignment). */
function distances(a: string, b: string): number[][] {
  const table: number[][] = [];
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [
        i === 0 && j === 0 ? 0 : Number.POSITIVE_INFINITY,
        at(i - 1, j) + 1,
        (row[j - 1] ?? Number.POSITIVE_INFINITY) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      row.push(Math.min(...ways));
    }
  }
  return table;
}

describe("a mistyped word", () => {
  it("is told by the fewest mistakes between it and the word", () => {
    fc.assert(
      fc.property(word, word, fc.nat(3), (right, typed, mistakes) => {
        const fewest = distances(right, typed)[right.length]?.[typed.length] ?? 0;
        expect(isTyped(right, typed, mistakes)).toBe(fewest <= mistakes);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  it("begins as a word does if some beginning of it is that word but for the mistakes", () => {
    fc.assert(
      fc.property(word, word, fc.nat(8), fc.nat(3), (right, typed, letters, mistakes) => {
        const length = Math.min(letters, right.length);
        const fewest = Math.min(...(distances(right, typed)[length] ?? []));
        expect(isBegun(right, length, typed, mistakes)).toBe(fewest <= mistakes);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});
