import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { TextSearch } from "../../src/search/filters/text-search.ts";

/** Texts of few letters, which repeat themselves, and so have many places that nearly fit. */
const repeating = fc
  .tuple(fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 200 }))
  .map(([part, times]) => part.repeat(times));
const text = fc.array(repeating, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));

describe("a search for one text in others", () => {
  it("finds what is in them, and nothing else", () => {
    let [found, missed] = [0, 0];
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (whole, other, from, length) => {
        const at = from % whole.length;
        const part = whole.slice(at, at + 1 + (length % (whole.length - at)));
        for (const wanted of [part, `${part}b`, `a${part}`, other]) {
          const search = new TextSearch(wanted);
          for (const each of [whole, other, whole + other, ""]) {
            const isIn = each.split(wanted).length > 1;
            expect(search.isIn(each)).toBe(isIn);
            if (each.length * wanted.length > 65_536) isIn ? found++ : missed++;
          }
        }
      }),
      { numRuns: lawRuns(500) },
    );
    // The linear search has done some of both.
    expect(Math.min(found, missed)).toBeGreaterThan(10);
  });

  it("counts long texts by their length, and not by that of the wanted text", () => {
    const long = "a".repeat(100_000);
    const search = new TextSearch(`b${"a".repeat(9_999)}`);
    expect(search.isIn(long)).toBe(false);
    const operations = search.operationsFor(long);
    expect(operations).toBeGreaterThan(long.length / 8);
    expect(operations).toBeLessThan(long.length);
    expect(search.operationsFor("a")).toBe(1);
    expect(new TextSearch("a").operationsFor("a".repeat(640))).toBe(11);
  });
});
