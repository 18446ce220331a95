import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Lines } from "../../src/markdown/lines.ts";
import { markdownArbitrary } from "../support/markdown-arbitrary.ts";

describe("lines", () => {
  it("end at a line feed, with a carriage return before it or without", () => {
    const lines = Lines.of("a\r\nb\n\nc");
    expect(lines.count).toBe(4);
    expect([1, 2, 3, 4].map((line) => lines.slice(line, line))).toEqual(["a", "b", "", "c"]);
    expect(lines.slice(1, 2)).toBe("a\r\nb");
  });

  it("are not ended by a lone carriage return", () => {
    const lines = Lines.of("a\rb\nc");
    expect(lines.count).toBe(2);
    expect(lines.slice(1, 1)).toBe("a\rb");
  });

  it("end in an empty one after a last line feed", () => {
    expect(Lines.of("a\n").count).toBe(2);
    expect(Lines.of("").count).toBe(1);
  });

  it("agree with splitting the text", () => {
    fc.assert(
      fc.property(markdownArbitrary, (text) => {
        const lines = Lines.of(text);
        const split = text.split("\n").map((line, i, all) => (i < all.length - 1 ? line.replace(/\r$/, "") : line));
        expect(Array.from({ length: lines.count }, (_, i) => lines.slice(i + 1, i + 1))).toEqual(split);
      }),
    );
  });
});
