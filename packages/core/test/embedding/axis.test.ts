import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindAlong as kindOfEncoders } from "../../../encoder/src/axis.ts";
import { kindAlong } from "../../src/embedding/axis.ts";
import { openEnglishStatic } from "../../src/embedding/english-static.ts";
import { SMALL_TALK_AXIS_OF } from "../../src/embedding/small-talk-axis.ts";

const codesOf = (signed: readonly number[]): string => Buffer.from(Int8Array.from(signed).buffer).toString("base64");
const signed = fc
  .array(fc.integer({ min: -127, max: 127 }), { minLength: 3, maxLength: 3 })
  .filter((all) => all.some((code) => code !== 0));

describe("how much a vector is of a kind", () => {
  it("is the share of the way along the axis, from 0 to 1", () => {
    const along = kindAlong({ codes: codesOf([0, 127, 0]), from: 0.2, to: 0.4 });
    const shares = [-1, 0, 0.2, 0.25, 0.3, 0.4, 1].map((at) => along(Float32Array.of(0, at, 0)));
    expect(shares).toEqual([0, 0, 0, 0.25, 0.5, 1, 1].map((share) => expect.closeTo(share, 6)));
  });

  it("is the same in the packages of the encoders", () => {
    fc.assert(
      fc.property(signed, signed, (axis, vector) => {
        const given = { codes: codesOf(axis), from: 0.1, to: 0.6 };
        const of = Float32Array.from(vector, (value) => value / Math.hypot(...vector));
        expect(kindOfEncoders(given)(of)).toBe(kindAlong(given)(of));
      }),
    );
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
