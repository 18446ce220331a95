import { describe, expect, it } from "vitest";
import { FrontMatterError, splitFrontMatter } from "../../src/import/front-matter.ts";
import { tooDeepLine } from "../../src/import/yaml-nesting.ts";

describe("front matter that is nested too deeply", () => {
  it.each(["- ", "? ", "- ? ", "[", "{a: ", "-\t"])("as by a run of %j is refused before it is read", (run) => {
    const text = `---\ntitle: A\nb:\n  ${run.repeat(10_000)}\n---\nBody`;
    expect(() => splitFrontMatter(text)).toThrow(FrontMatterError);
    expect(() => splitFrontMatter(text)).toThrow("more than 64 levels deep");
  });

  it("names its line", () => {
    expect(tooDeepLine(`a: 1\nb:\n  ${"- ".repeat(65)}x`)).toBe(3);
    expect(tooDeepLine(`a: 1\n${" ".repeat(600)}b`)).toBe(2);
  });

  it("is none that has much beside each other", () => {
    expect(tooDeepLine("- a\n".repeat(1_000))).toBeUndefined();
    expect(tooDeepLine("a: [1, {b: 2}]\n".repeat(1_000))).toBeUndefined();
    expect(tooDeepLine(`a: ${"-".repeat(1_000)}`)).toBeUndefined();
    expect(tooDeepLine(`a: ${"- ".repeat(1_000)}`)).toBeUndefined();
  });
});
