import { describe, expect, it } from "vitest";
import { calibrationOf, choiceRow, rankedBy, type Setting, standardScore } from "../../bench/benches/rerank.ts";
import { recordOf, recordsIn } from "../../bench/bots/cached-token-codes.ts";
import { firstOfEach, type LookedAt, textsByPassage } from "../../bench/bots/compared.ts";

const SETTING: Setting = { bits: 384, documents: 2, slope: 0.75, low: 0, high: 1 };

const looked: LookedAt = {
  found: [
    { id: "a", score: 0.6 },
    { id: "b", score: 0.5 },
    { id: "c", score: 0.4 },
  ],
  similarities: new Map([
    [384, [0.1, 0.5, 0.9]],
    [128, [0.9, 0.1, 0.1]],
  ]),
};

describe("the bench of reranking", () => {
  it("ranks as reranking would, by the width and the number of documents that are asked for", () => {
    expect(rankedBy(looked, SETTING)).toEqual(["b", "a", "c"]);
    expect(rankedBy(looked, { ...SETTING, documents: 3 })).toEqual(["c", "b", "a"]);
    expect(rankedBy(looked, { ...SETTING, bits: 128 })).toEqual(["a", "b", "c"]);
    expect(rankedBy(looked, { ...SETTING, slope: 0 })).toEqual(["a", "b", "c"]);
  });

  it("has the same order between two levels as with none", () => {
    expect(calibrationOf({ ...SETTING, low: 0.2, high: 0.6 })).toEqual({
      low: 0.2,
      high: 0.6,
      weight: 0.75 * (0.6 - 0.2),
    });
  });

  it("tells rankings before and after, and whether noise comes as high as questions", () => {
    const asked = [{ judged: new Map([["b", 1]]), looked }];
    const noise: LookedAt[] = [
      { found: [{ id: "a", score: 0.65 }], similarities: new Map([[384, [0]]]) },
      { found: [], similarities: new Map([[384, []]]) },
    ];
    expect(choiceRow(asked, noise, SETTING)).toMatchObject({
      "nDCG@10": 1,
      "was nDCG": 1 / Math.log2(3),
      first: 1,
      "was first": 0,
      "noise above": 0,
      "was above": 0.5,
    });
  });

  it("tells how sure a difference is", () => {
    expect(standardScore([0.5, 0.5])).toBe(0);
    expect(standardScore([1, 1, 1, -1])).toBeCloseTo(0.5 / Math.sqrt(0.75 / 4));
  });

  it("keeps signs in a file, whose last record may be cut off", () => {
    const key = "ab".repeat(32);
    const record = { tokenCodes: Uint8Array.of(1, 2, 3), weights: Float32Array.of(0.5, 2) };
    const bytes = Buffer.concat([recordOf(key, record), recordOf(key, { ...record, weights: new Float32Array(0) })]);
    const read = [...recordsIn(bytes)];
    expect(read.map(([name]) => name)).toEqual([key, key]);
    expect([...(read[0]?.[1].tokenCodes ?? [])]).toEqual([1, 2, 3]);
    expect([...(read[0]?.[1].weights ?? [])]).toEqual([0.5, 2]);
    expect([...(read[1]?.[1].weights ?? [])]).toEqual([]);
    expect([...recordsIn(bytes.subarray(0, bytes.length - 1))]).toHaveLength(1);
  });

  it("takes the first bytes of every token", () => {
    expect([...firstOfEach(Uint8Array.of(1, 2, 3, 4, 5, 6), 3, 2)]).toEqual([1, 2, 4, 5]);
    expect([...firstOfEach(Uint8Array.of(1, 2, 3), 3, 3)]).toEqual([1, 2, 3]);
  });

  it("reads of a document what the product's encoder reads, passage by passage", () => {
    expect(
      textsByPassage({
        resourceDocId: "q",
        type: "QNA",
        question: "When is it?",
        answer: "At nine.",
        alternatives: ["At what time?"],
      }),
    ).toEqual([["When is it?\nAt nine."]]);
    const content = [{ md: "# Wings\n\nThey lift." }];
    expect(
      textsByPassage({ resourceDocId: "d", type: "DOCUMENT", metaData: { title: "Planes" }, content })
        .flat()
        .at(-1),
    ).toBe("Planes\nWings\nThey lift.");
  });
});
