import { describe, expect, it } from "vitest";
import { Documents } from "../../src/index/documents.ts";
import { LexicalIndex } from "../../src/index/postings/lexical-index.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { Effort } from "../../src/search/budget.ts";
import { type Identified, identified } from "../../src/search/identified-passages.ts";

/** What decides between passages where the words weigh so much; `holding` passages hold the identifier, and one does not. */
function decided(weight: number, { terms = ["e42"], holding = 1 } = {}): Identified | undefined {
  const index = new LexicalIndex();
  index.add([{ terms: ["error"], weight: 1 }]);
  for (let i = 0; i < holding; i++) index.add([{ terms: ["error", "e42"], weight: 1 }]);
  const asked = [
    { text: "e42", weight, count: 1, frequency: 1, idf: 1, meant: [] },
    { text: "error", weight: 10 - weight, count: 1, frequency: 1, idf: 1, meant: [] },
  ];
  const searched = { lexical: index, documents: new Documents(), effort: new Effort() };
  const weighted = { ...index.weigh(["e42", "error"]), asked, upperBound: 10 };
  return finished(identified({ terms, texts: terms, spellings: [], synonyms: [] }, weighted, searched));
}

describe("what the meaning of a passage without the question's identifiers counts", () => {
  it.each([
    [0.5, 0.8],
    [1, 0.6],
    [2, 0.2],
    [9, 0.2],
  ])("is, where they weigh %d of 10, %d", (weight, meaning) => {
    const found = decided(weight);
    expect(found?.meaningCounts).toBeCloseTo(meaning);
    expect([0, 1].map((ordinal) => found?.holding.has(ordinal))).toEqual([false, true]);
  });

  it("is all where there are none, where no passage holds them, and where many do", () => {
    expect(decided(5, { terms: [] })).toBeUndefined();
    expect(decided(5, { holding: 0 })).toBeUndefined();
    expect(decided(5, { holding: 32 })).toBeDefined();
    expect(decided(5, { holding: 33 })).toBeUndefined();
  });
});
