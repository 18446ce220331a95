import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { FrontMatterError, splitFrontMatter } from "../../../src/convert/markdown/front-matter.ts";

function refusal(text: string): FrontMatterError {
  try {
    splitFrontMatter(text);
  } catch (error) {
    if (error instanceof FrontMatterError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const metaData = (yaml: string): unknown => splitFrontMatter(`---\n${yaml}\n---\n`).metaData;

describe("front matter", () => {
  it("is cut off, and the body's first line is known", () => {
    const text = "---\ntitle: Hours\ntags: [a, b]\n---\n\n# Open\n";
    expect(splitFrontMatter(text)).toEqual({
      metaData: { title: "Hours", tags: ["a", "b"] },
      body: "\n# Open\n",
      firstLine: 5,
    });
  });

  it("may end its lines with a carriage return, and the file", () => {
    expect(splitFrontMatter("---\r\na: 1\r\n---\r\nText\r\n")).toEqual({
      metaData: { a: 1 },
      body: "Text\r\n",
      firstLine: 4,
    });
    expect(splitFrontMatter("--- \na: 1\n---")).toEqual({ metaData: { a: 1 }, body: "", firstLine: 4 });
  });

  it("may be empty", () => {
    expect(splitFrontMatter("---\n---\nText")).toEqual({ metaData: {}, body: "Text", firstLine: 3 });
    expect(splitFrontMatter("---\n\n---\nText")).toEqual({ metaData: {}, body: "Text", firstLine: 4 });
  });

  it.each([
    ["no fence", "Text\n---\na: 1\n---\n"],
    ["a fence that is never closed", "---\na: 1\n"],
    ["one fence and nothing else", "---"],
    ["a longer line of dashes", "----\na: 1\n----\n"],
    ["a sentence between two thematic breaks", "---\nOnly a sentence.\n\n---\nMore\n"],
    ["a heading between two thematic breaks", "---\n# Heading\n---\nMore\n"],
  ])("is not found with %s: the text stays whole", (_, text) => {
    expect(splitFrontMatter(text)).toEqual({ metaData: {}, body: text, firstLine: 1 });
  });

  it("loses and changes no character of any text", () => {
    const line = fc.constantFrom("---", "a: 1", "# b", "", "c\r", "- d", "text");
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join("\n");
        try {
          const { body, firstLine } = splitFrontMatter(text);
          expect(text.endsWith(body)).toBe(true);
          expect(text.slice(0, text.length - body.length).split("\n")).toHaveLength(
            body === "" && !text.endsWith("\n") && firstLine > 1 ? firstLine - 1 : firstLine,
          );
        } catch (error) {
          expect(error).toBeInstanceOf(FrontMatterError);
        }
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});

describe("values of front matter", () => {
  it("are what JSON can hold", () => {
    expect(metaData("a: 1\nb: 1.5\nc: true\nd: null\ne:\nf: {g: [1, {h: x}]}")).toEqual({
      a: 1,
      b: 1.5,
      c: true,
      d: null,
      e: null,
      f: { g: [1, { h: "x" }] },
    });
    expect(metaData("a: .inf\nb: .nan\n1: c\n? [x, y]\n: d")).toMatchObject({ a: "Infinity", b: "NaN", "1": "c" });
  });

  it("keep dates as ISO strings", () => {
    expect(metaData("day: 2024-01-05\nat: 2001-12-14 21:59:43.10 -5\nutc: 2001-12-14T21:59:43Z")).toEqual({
      day: "2024-01-05",
      at: "2001-12-15T02:59:43.100Z",
      utc: "2001-12-14T21:59:43.000Z",
    });
    expect(metaData("a: 2001-99-14 21:59:43\nb: '2001-12-14 21:59:43'")).toEqual({
      a: "2001-99-14 21:59:43",
      b: "2001-12-14 21:59:43",
    });
  });

  it("lose no digit of a number", () => {
    expect(metaData("id: 12345678901234567890\nn: 9007199254740991")).toEqual({
      id: "12345678901234567890",
      n: 9_007_199_254_740_991,
    });
  });

  it("treat __proto__ as a key like any other", () => {
    const { metaData } = splitFrontMatter("---\n__proto__: {polluted: true}\n---\n");
    expect(Object.hasOwn(metaData, "__proto__")).toBe(true);
    expect("polluted" in {}).toBe(false);
  });
});

describe("front matter that cannot be understood", () => {
  it("is named with the line of the file", () => {
    const error = refusal("---\ntitle: ok\nbroken: [1, 2\n---\nText\n");
    expect(error.message).toContain("no valid YAML");
    expect([3, 4]).toContain(error.line);
    expect(refusal("---\na: 1\nb: 2\na: 3\n---\n").line).toBe(4);
  });

  it("is refused if it is a list", () => {
    expect(refusal("---\n- a\n- b\n---\n").message).toContain("keys with values");
  });

  it("cannot eat memory by aliases, nor the stack by depth or by a circle", () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(10).fill(`*l${i}`)}]`);
    expect(refusal(`---\nl0: &l0 x\n${levels.join("\n")}\n---\n`)).toBeInstanceOf(FrontMatterError);
    expect(refusal(`---\na: ${"[".repeat(200)}${"]".repeat(200)}\n---\n`).message).toContain("levels deep");
    expect(refusal("---\na: &a [*a]\n---\n")).toBeInstanceOf(FrontMatterError);
  });
});
