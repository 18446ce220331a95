import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";

const TERMS = ["e", "1042", "e1042", "kb", "kb1042", "v2", "2", "10", "note"];
const SPELLINGS = [
  { asked: ["e1042"], instead: ["e", "1042"] },
  { asked: ["e", "1042"], instead: ["e1042"] },
  { asked: ["kb", "1042"], instead: ["kb1042"] },
  { asked: ["2", "10"], instead: ["v2", "10"] },
  { asked: ["v2", "10"], instead: ["2", "10"] },
];

function indexOf(passages: readonly (readonly string[])[]): LexicalIndex {
  const index = new LexicalIndex();
  for (const terms of passages) index.add([{ terms, weight: 1 }]);
  return index;
}

describe("other spellings of a code", () => {
  const passage = fc.array(fc.constantFrom(...TERMS), { minLength: 1, maxLength: 6 });

  it("score every passage the same in whatever way it is asked, and in whatever order passages came", () => {
    fc.assert(
      fc.property(
        fc.array(passage, { minLength: 1, maxLength: 8 }),
        fc.array(fc.constantFrom(...TERMS), { maxLength: 3 }),
        fc.subarray(SPELLINGS, { minLength: 1 }),
        (passages, others, spellings) => {
          const query = [...spellings.flatMap(({ asked }) => asked), ...others];
          const [index, reversed] = [indexOf(passages), indexOf([...passages].reverse())];
          const weighted = index.weigh(query, { spellings });
          const scoring = index.score(weighted);
          while (scoring.hasNext) scoring.addTerm();
          const other = reversed.weigh(query, { spellings });
          const between = index.scoresBetween(weighted, 0, passages.length);
          for (let ordinal = 0; ordinal < passages.length; ordinal++) {
            const score = index.scoreOf(weighted, ordinal);
            expect(scoring.complete(ordinal)).toBeCloseTo(score, 9);
            expect(between[ordinal]).toBeCloseTo(score, 9);
            expect(reversed.scoreOf(other, passages.length - 1 - ordinal)).toBeCloseTo(score, 9);
          }
          scoring.close();
        },
      ),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("lower no score", () => {
    const codes = fc.constantFrom(...SPELLINGS);
    fc.assert(
      fc.property(fc.array(passage, { minLength: 1, maxLength: 8 }), codes, (passages, spelling) => {
        const index = indexOf([...passages, spelling.asked]);
        const [plain, spelled] = [index.weigh(spelling.asked), index.weigh(spelling.asked, { spellings: [spelling] })];
        for (let ordinal = 0; ordinal <= passages.length; ordinal++)
          expect(index.scoreOf(spelled, ordinal)).toBeGreaterThanOrEqual(index.scoreOf(plain, ordinal));
        expect(spelled.upperBound).toBe(plain.upperBound);
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("stand for terms that no passage holds, which weigh as much as they do", () => {
    const weighted = indexOf([["kb1042"], ["note"], ["note"]]).weigh(["kb", "1042"], { spellings: SPELLINGS });
    expect(weighted.asked.map(({ text, frequency, meant }) => [text, frequency, meant])).toEqual([
      ["kb", 1, ["kb1042"]],
      ["1042", 1, ["kb1042"]],
    ]);
    expect(weighted.terms.map(({ weight }) => weight)).toEqual(weighted.asked.map(({ weight }) => weight));
  });

  it("are left out where no passage holds all of their terms", () => {
    const index = indexOf([["e"], ["1042"], ["2", "10"]]);
    expect(index.weigh(["e1042"], { spellings: SPELLINGS }).terms).toEqual([]);
    expect(
      index
        .weigh(["v2", "10"], { spellings: SPELLINGS })
        .terms.map(({ text }) => text)
        .sort(),
    ).toEqual(["10", "v2"]);
  });
});
