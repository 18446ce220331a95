import { describe, expect, it } from "vitest";
import { FrontMatterError, splitFrontMatter } from "../../../src/convert/markdown/front-matter.ts";
import { tooDeepLine } from "../../../src/convert/markdown/yaml-nesting.ts";

it("a key that a map of the front matter has twice is named with its line", () => {
  for (const [yaml, line] of [
    ["a: 1\nb: 2\na: 3", 4],
    ["a: 1\nb:\n  c: 1\n  d: 2\n  c: 3", 6],
    ["a: {b: 1, b: 2}", 2],
    ["1: a\n1: b", 3],
  ] as const) {
    expect(() => splitFrontMatter(`---\n${yaml}\n---\n`)).toThrow("Map keys must be unique");
    expect(() => splitFrontMatter(`---\n${yaml}\n---\n`)).toThrow(expect.objectContaining({ line }));
  }
  expect(splitFrontMatter('---\na: {c: 1}\nb: {c: 1}\n1: x\n"01": y\n---\n').metaData).toMatchObject({ a: { c: 1 } });
});

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
