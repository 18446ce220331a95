import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsOf } from "../../src/index/embedding-windows.ts";

const withoutSpace = (text: string): string => text.replace(/\s/g, "");

const piece = fc
  .array(fc.constantFrom("a", "word", "Sentence.", "and", "more!", "it's", "\n", "extraordinarily"), {
    minLength: 1,
    maxLength: 200,
    size: "max",
  })
  .map((words) => words.join(" "));

describe("the parts of a passage", () => {
  it("hold all of its text, in order, and each tells its first piece", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const parts = partsOf(pieces);
        expect(withoutSpace(parts.map(({ text }) => text).join(""))).toBe(withoutSpace(pieces.join("")));
        for (const [i, { text, piece: first }] of parts.entries()) {
          expect(first).toBeGreaterThanOrEqual(parts[i - 1]?.piece ?? 0);
          const beginning = withoutSpace(text).slice(0, 10);
          expect(withoutSpace(pieces[first] ?? "")).toContain(
            beginning.slice(0, withoutSpace(pieces[first] ?? "").length),
          );
          expect(text.length).toBeLessThanOrEqual(270);
        }
      }),
    );
  });

  it("join short pieces, and cut a long one between its sentences", () => {
    const long = Array.from({ length: 9 }, (_, i) => `This is the sentence with the number ${i}.`).join(" ");
    const parts = partsOf(["One.", "Two.", long, "Three."]);
    expect(parts.map(({ piece }) => piece)).toEqual([0, 2, 2, 3]);
    expect(parts[0]?.text).toBe("One.\nTwo.");
    expect(parts.slice(1, 3).map(({ text }) => text.slice(-2))).toEqual(["5.", "8."]);
    expect(partsOf([])).toEqual([{ text: "", piece: 0 }]);
  });
});
