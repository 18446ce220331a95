import { describe, expect, it } from "vitest";
import { must } from "../../src/model/must.ts";

describe("a value that an invariant promises", () => {
  it.each([0, "", false, Number.NaN, []])("is returned, also where it counts as false: %j", (value) => {
    expect(must(value, "the value")).toBe(value);
  });

  it.each([undefined, null])("is never replaced by a plausible one: %s throws INTERNAL", (missing) => {
    expect(() => must<number>(missing, "the document of a slot")).toThrow(
      expect.objectContaining({
        name: "LoredexError",
        code: "INTERNAL",
        message: expect.stringContaining("the document of a slot is missing"),
      }),
    );
  });
});
