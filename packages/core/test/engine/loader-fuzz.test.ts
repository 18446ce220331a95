import { describe, expect, it } from "vitest";
import { load, wholeDirectory } from "./loader-fuzz.ts";
import { expectTypedErrors } from "./loader-fuzz-runs.ts";

describe("a data directory with random changes, sampled", () => {
  it("is opened when nothing is changed", async () => {
    const outcome = await load(await wholeDirectory(), "whole");
    expect(outcome).toEqual({ articles: expect.arrayContaining(["Title 4: Changed.", "One more: A pear."]) });
  });

  it("is refused with an error of ours, or opened with what was written", async () => {
    const { refused, opened } = await expectTypedErrors(await wholeDirectory(), 60, { seal: false, seed: 1 });
    expect(refused).toBeGreaterThan(1);
    expect(opened).toBeGreaterThan(4);
  });

  it("ends in no other error where the checksums fit as well", async () => {
    const { refused, opened } = await expectTypedErrors(await wholeDirectory(), 60, { seal: true, seed: 2 });
    expect(refused).toBeGreaterThan(8);
    expect(opened).toBeGreaterThan(4);
  });
});
