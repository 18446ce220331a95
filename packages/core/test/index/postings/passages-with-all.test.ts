import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { Postings } from "../../../src/index/postings/postings.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const TERM = fc.constantFrom("1", "2", "3", "4", "5");
const PASSAGES = fc.array(fc.record({ terms: fc.array(TERM, { maxLength: 6 }), isRemoved: fc.boolean() }));

describe("the passages that hold all of some terms", () => {
  it("are those of which each term is one, and no removed ones", () => {
    fc.assert(
      fc.property(PASSAGES, fc.array(TERM, { minLength: 1, maxLength: 4 }), fc.nat(12), (passages, asked, most) => {
        const index = new LexicalIndex();
        for (const { terms } of passages) index.add([{ terms, weight: 1 }]);
        for (const [ordinal, { isRemoved }] of passages.entries()) if (isRemoved) index.remove(ordinal);
        const holding = passages.flatMap(({ terms, isRemoved }, ordinal) =>
          !isRemoved && asked.every((term) => terms.includes(term)) ? [ordinal] : [],
        );
        expect([...finished(index.passagesWithAll(asked, most))]).toEqual(holding.length > most ? [] : holding);
      }),
    );
  });

  it("are none for a term that no passage holds, for one that most hold, and for no terms", () => {
    const index = new LexicalIndex();
    for (let i = 0; i < 5_000; i++) index.add([{ terms: i === 7 ? ["all", "one"] : ["all"], weight: 1 }]);
    const of = (...terms: string[]): number[] => [...finished(index.passagesWithAll(terms, 10_000))];
    expect(of("one", "all")).toEqual([7]);
    expect([of("all"), of("one", "none"), of()]).toEqual([[], [], []]);
  });

  it("are found in steps of some terms each, and no longer looked for than they are few", () => {
    const index = new LexicalIndex();
    const common = Array.from({ length: 60 }, (_, n) => `c${n}`);
    for (let i = 0; i < 2_000; i++) index.add([{ terms: ["a", ...common], weight: 1 }]);
    const found = vi.spyOn(Postings.prototype, "frequencyIn");
    let longest = 0;
    const finding = index.passagesWithAll(["a", ...common], 10_000);
    for (let step = finding.next(); step.done !== true; step = finding.next()) {
      longest = Math.max(longest, found.mock.calls.length);
      found.mockClear();
    }
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThanOrEqual(4_096 + 60);
    found.mockClear();
    expect(finished(index.passagesWithAll(["a", ...common], 32)).size).toBe(0);
    expect(found.mock.calls.length).toBeLessThanOrEqual(33 * 60);
    found.mockRestore();
  });
});
