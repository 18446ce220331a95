import { describe, expect, it, vi } from "vitest";
import { optionalPart } from "./optional-part.ts";

describe("a part that an installation may lack", () => {
  it("leaves names as they are where it is there, whatever is expected", () => {
    for (const environment of [{}, { TESTS_EXPECT_ALL: "1" }]) {
      const part = optionalPart("the graph library", undefined, environment);
      expect([part.isMissing, part.named("a graph")]).toEqual([false, "a graph"]);
    }
  });

  it("says why tests are skipped, once and in their names", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const part = optionalPart("the graph library", "It was not built.\nAt some line.", {});
    expect([part.isMissing, part.named("a graph")]).toEqual([true, "a graph (skipped: It was not built.)"]);
    expect(warn.mock.calls).toEqual([["Skipped: all tests that need the graph library. It was not built."]]);
    warn.mockRestore();
  });

  it("is an error where nothing may be missing", () => {
    expect(() => optionalPart("the graph library", "It was not built.", { TESTS_EXPECT_ALL: "1" })).toThrow(
      "This run expects the graph library. It was not built.",
    );
  });
});
