import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LexicalIndex } from "../../src/lexical/lexical-index.ts";
import { finished } from "../../src/runtime/steps.ts";

const TERM = fc.constantFrom("1", "2", "3", "4", "5");
const PASSAGES = fc.array(fc.record({ terms: fc.array(TERM, { maxLength: 6 }), isRemoved: fc.boolean() }));

describe("the passages that hold all of some terms", () => {
  it("are those of which each term is one, and no removed ones", () => {
    fc.assert(
      fc.property(PASSAGES, fc.array(TERM, { minLength: 1, maxLength: 4 }), (passages, asked) => {
        const index = new LexicalIndex();
        for (const { terms } of passages) index.add([{ terms, weight: 1 }]);
        for (const [ordinal, { isRemoved }] of passages.entries()) if (isRemoved) index.remove(ordinal);
        const holding = passages.flatMap(({ terms, isRemoved }, ordinal) =>
          !isRemoved && asked.every((term) => terms.includes(term)) ? [ordinal] : [],
        );
        expect([...finished(index.passagesWithAll(asked))]).toEqual(holding);
      }),
    );
  });

  it("are none for a term that no passage holds, for one that most hold, and for no terms", () => {
    const index = new LexicalIndex();
    for (let i = 0; i < 5_000; i++) index.add([{ terms: i === 7 ? ["all", "one"] : ["all"], weight: 1 }]);
    const of = (...terms: string[]): number[] => [...finished(index.passagesWithAll(terms))];
    expect(of("one", "all")).toEqual([7]);
    expect([of("all"), of("one", "none"), of()]).toEqual([[], [], []]);
  });

  it("are found in steps", () => {
    const index = new LexicalIndex();
    for (let i = 0; i < 4_000; i++) index.add([{ terms: ["a", i % 2 === 0 ? "b" : "c"], weight: 1 }]);
    let steps = 0;
    const finding = index.passagesWithAll(["a", "b"]);
    while (finding.next().done !== true) steps++;
    expect(steps).toBeGreaterThan(5);
  });
});
