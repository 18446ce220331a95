import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedMetadata } from "../src/answers/bounded-metadata.ts";
import { edited } from "../src/answers/edits.ts";
import { lineWindow } from "../src/answers/line-window.ts";
import { cutAt, oneLine, quoted } from "../src/answers/plain.ts";

const text = fc.string({ unit: fc.constantFrom("a", " ", "\n", "\r", "é", "😀", "\u2028", "|"), maxLength: 200 });

describe("windows of lines", () => {
  it("never are longer than they may be, and one after the other are the text", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 80 }), (whole, charactersMax) => {
        const lines = whole.split("\n");
        const pieces: string[] = [];
        for (let from = 1; from <= lines.length; ) {
          const window = lineWindow(whole, from, charactersMax);
          expect(window.text.length).toBeLessThanOrEqual(charactersMax);
          expect(window).toMatchObject({ startLine: from, totalLines: lines.length });
          expect(window.isWhole).toBe(window.text === whole && from === 1);
          const said = lines.slice(from - 1, window.stopLine).join("\n");
          if (window.isLineCut) expect(said.startsWith(window.text)).toBe(true);
          else expect(window.text).toBe(said);
          pieces.push(said);
          from = window.stopLine + 1;
        }
        expect(pieces.join("\n")).toBe(whole);
      }),
    );
  });

  it("behind the end are the last line", () => {
    expect(lineWindow("a\nb", 9, 10)).toMatchObject({ text: "b", startLine: 2, stopLine: 2, isWhole: false });
  });
});

/** All that ends a line somewhere. */
const BREAKS = ["\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];
const ANY_BREAK = new RegExp(BREAKS.join("|"));

describe("what models are shown", () => {
  it("has no line of a document's that is not marked", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "|", "😀", "\ud800", ...BREAKS, "\u0007"), maxLength: 60 }),
        (document) => {
          const lines = quoted(document).split(ANY_BREAK);
          expect(lines.filter((line) => !/^\|(?: .+)?$/u.test(line))).toEqual([]);
          expect(oneLine(document, 20).split(ANY_BREAK)).toHaveLength(1);
          expect(oneLine(document, 20).length).toBeLessThanOrEqual(20);
        },
      ),
      { examples: [["\r\r\n"], ["a\r\r\r\nb"]] },
    );
  });

  it("is not cut within a character", () => {
    expect(cutAt("a😀b", 3)).toBe("a…");
    expect(cutAt("a😀b", 4)).toBe("a😀b");
  });

  it("of metadata is as much as fits", () => {
    const value = fc.oneof(fc.string({ maxLength: 60 }), fc.integer(), fc.boolean());
    const metadata = fc.dictionary(fc.string({ maxLength: 20 }), value, { noNullPrototype: true });
    fc.assert(
      fc.property(metadata, fc.integer({ min: 0, max: 300 }), (given, charactersMax) => {
        const { metadata: kept, isWhole } = boundedMetadata(given, charactersMax);
        expect(Object.keys(kept).length === 0 || JSON.stringify(kept).length <= charactersMax).toBe(true);
        if (isWhole) expect(kept).toEqual(given);
        else expect(JSON.stringify(given)).not.toBe(JSON.stringify(kept));
      }),
    );
    expect(boundedMetadata({ a: "x".repeat(100), b: 1 }, 50)).toMatchObject({
      metadata: { a: expect.stringMatching(/^x+…$/) },
      isWhole: false,
    });
  });
});

describe("edits", () => {
  it("put one text in the place of another where it stands once, and change nothing else", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "$&", "\n"), { maxLength: 9 }), fc.string(), (around, replacement) => {
        const [before, after] = [around.join(""), around.toReversed().join("")];
        const edits = [{ old_text: "OLD", new_text: replacement }];
        fc.pre(!replacement.includes("OLD"));
        expect(edited(`${before}OLD${after}`, edits)).toBe(before + replacement + after);
        expect(() => edited(before + after, edits)).toThrow("not in the article");
        expect(() => edited(`OLD${before}OLD`, edits)).toThrow("more than once");
      }),
    );
    expect(() => edited("aaa", [{ old_text: "aa", new_text: "b" }])).toThrow("more than once");
  });
});
