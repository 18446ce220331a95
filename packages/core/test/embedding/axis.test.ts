import { describe, expect, it } from "vitest";
import { kindAlong } from "../../src/embedding/axis.ts";
import { openEnglishStatic } from "../../src/embedding/english-static.ts";
import { SMALL_TALK_AXIS_OF } from "../../src/embedding/small-talk-axis.ts";

const codesOf = (signed: readonly number[]): string => Buffer.from(Int8Array.from(signed).buffer).toString("base64");

describe("how much a vector is of a kind", () => {
  it("is the share of the way along the axis, from 0 to 1", () => {
    const along = kindAlong({ codes: codesOf([0, 127, 0]), from: 0.2, to: 0.4 });
    const shares = [-1, 0, 0.2, 0.25, 0.3, 0.4, 1].map((at) => along(Float32Array.of(0, at, 0)));
    expect(shares).toEqual([0, 0, 0, 0.25, 0.5, 1, 1].map((share) => expect.closeTo(share, 6)));
  });

  it("is refused for an axis that is no base64, or whose end is not above its beginning", () => {
    const codes = codesOf([0, 127, 0]);
    for (const wrong of ["no axis", "A", "AAAAA", "AA="])
      expect(() => kindAlong({ codes: wrong, from: 0.2, to: 0.4 })).toThrow("axis.codes must be base64");
    for (const to of [0.2, 0.1])
      expect(() => kindAlong({ codes, from: 0.2, to })).toThrow("axis.to must be above axis.from");
  });

  it("is none for a vector without numbers, and refused for one of other dimensions", () => {
    const along = kindAlong({ codes: codesOf([0, 127, 0]), from: 0.2, to: 0.4 });
    expect(along(Float32Array.of(0, Number.NaN, 0))).toBe(0);
    expect(() => along(Float32Array.of(0, 1))).toThrow("the axis has 3 dimensions, and the vector 2");
    const long = kindAlong({ codes: codesOf(new Array<number>(200_000).fill(1)), from: 0.2, to: 0.4 });
    expect(long(new Float32Array(200_000))).toBe(0);
  });

  it("is none along an axis of no direction", () => {
    expect(kindAlong({ codes: codesOf([0, 0, 0]), from: 0.2, to: 0.4 })(Float32Array.of(1, 0, 0))).toBe(0);
  });
});

describe("small talk by the static embedder", () => {
  it("is told by an axis that was found with this version of it", async () => {
    expect(SMALL_TALK_AXIS_OF).toBe((await openEnglishStatic()).version);
  });

  it("is most of greetings and thanks, and none of questions", async () => {
    const embedder = await openEnglishStatic();
    const told = (text: string): number => embedder.smallTalk?.(embedder.embed(text)) ?? 0;
    for (const text of ["hello, nice to see you", "thank you", "you are stupid", "good morning"])
      expect(told(text), text).toBeGreaterThan(0.2);
    for (const text of ["How do I reset my password?", "refund", "Where is my order", "invoice for March"])
      expect(told(text), text).toBe(0);
  });
});
