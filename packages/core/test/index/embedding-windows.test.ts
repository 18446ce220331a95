import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowsOf } from "../../src/index/embedding-windows.ts";

const withoutSpace = (text: string): string => text.replace(/\s/g, "");

const fragment = fc
  .array(fc.constantFrom("a", "word", "Sentence.", "and", "more!", "it's", "\n", "extraordinarily"), {
    minLength: 1,
    maxLength: 200,
    size: "max",
  })
  .map((words) => words.join(" "));

describe("the parts of a passage", () => {
  it("hold all of its text, in order, and each tells its first piece", () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 6 }), (fragments) => {
        const windows = windowsOf(fragments);
        expect(withoutSpace(windows.map(({ text }) => text).join(""))).toBe(withoutSpace(fragments.join("")));
        for (const [i, { text, fragment: first }] of windows.entries()) {
          expect(first).toBeGreaterThanOrEqual(windows[i - 1]?.fragment ?? 0);
          const beginning = withoutSpace(text).slice(0, 10);
          expect(withoutSpace(fragments[first] ?? "")).toContain(
            beginning.slice(0, withoutSpace(fragments[first] ?? "").length),
          );
          expect(text.length).toBeLessThanOrEqual(270);
        }
      }),
    );
  });

  it("join short pieces, and cut a long one between its sentences", () => {
    const long = Array.from({ length: 9 }, (_, i) => `This is the sentence with the number ${i}.`).join(" ");
    const windows = windowsOf(["One.", "Two.", long, "Three."]);
    expect(windows.map(({ fragment }) => fragment)).toEqual([0, 2, 2, 3]);
    expect(windows[0]?.text).toBe("One.\nTwo.");
    expect(windows.slice(1, 3).map(({ text }) => text.slice(-2))).toEqual(["5.", "8."]);
    expect(windowsOf([])).toEqual([{ text: "", fragment: 0 }]);
  });
});
