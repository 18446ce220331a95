import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { blocksOf } from "../../src/markdown/blocks.ts";
import { Lines } from "../../src/markdown/lines.ts";
import { joinContent, passagesOf } from "../../src/markdown/passages.ts";
import { cutIntoSentences } from "../../src/markdown/sentences.ts";
import { markdownArbitrary } from "../support/markdown-arbitrary.ts";

function quoted(md: string | string[]): { lines: string; headings: readonly string[]; text: string }[] {
  const content = (Array.isArray(md) ? md : [md]).map((block) => ({ md: block }));
  const markdown = joinContent(content);
  return passagesOf(content).passages.flatMap((passage) =>
    passage.fragments.map((fragment) => ({
      lines: `${fragment.startLine}-${fragment.stopLine}`,
      headings: passage.headings,
      text: markdown.slice(fragment.startOffset, fragment.endOffset),
    })),
  );
}

describe("pieces", () => {
  it("are paragraphs under their headings", () => {
    const md = "# Top\n\nFirst paragraph\nof two lines.\n\n## Sub **bold**\n\nSecond.\n\n# Other\n\nThird.";
    expect(quoted(md)).toEqual([
      { lines: "3-4", headings: ["Top"], text: "First paragraph\nof two lines." },
      { lines: "8-8", headings: ["Top", "Sub bold"], text: "Second." },
      { lines: "12-12", headings: ["Other"], text: "Third." },
    ]);
  });

  it("are single list items, whatever the nesting", () => {
    expect(quoted("- one\n- two\n  - inner\n\n1. three\n   goes on").map(({ lines }) => lines)).toEqual([
      "1-1",
      "2-2",
      "3-3",
      "5-6",
    ]);
  });

  it("are table rows that know their header", () => {
    const rows = quoted("| Name | Age |\n|---|---|\n| Ann | 30 |\n| Bob | 40 |");
    expect(rows.map(({ lines, text }) => [lines, text])).toEqual([
      ["1-1", "| Name | Age |"],
      ["3-3", "| Ann | 30 |"],
      ["4-4", "| Bob | 40 |"],
    ]);
    expect(rows[1]?.headings.join(" ")).toContain("Name");
  });

  it("know the header of their table however far above it stands, some rows together", () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `| Town ${i} | ${i} |`);
    const { passages } = passagesOf([{ md: `# Places\n\n| Name | People |\n|---|---|\n${rows.join("\n")}\n` }]);
    const [header, ...below] = passages;
    expect(header?.fragments).toHaveLength(1);
    expect(below.flatMap(({ fragments }) => fragments)).toHaveLength(20_000);
    for (const { headings, fragments } of below) {
      expect(headings.map((text) => text.split(/\W+/).filter((word) => word !== ""))).toEqual([
        ["Places"],
        ["Name", "People"],
      ]);
      const [first, last] = [fragments[0], fragments.at(-1)];
      expect((last?.endOffset ?? 0) - (first?.startOffset ?? 0)).toBeLessThan(200);
    }
  });

  it("are whole fences, closed or not", () => {
    expect(quoted("```js\nlet a;\n\nlet b;\n```\nafter").map(({ lines }) => lines)).toEqual(["1-5", "6-6"]);
    expect(quoted("text\n\n```\nnever closed\n\n").map(({ lines }) => lines)).toEqual(["1-1", "3-4"]);
  });

  it("are a heading only where no text follows it", () => {
    expect(quoted("# Alone").map(({ text }) => text)).toEqual(["# Alone"]);
    expect(quoted("# A\n\n# B\n\ntext").map(({ text }) => text)).toEqual(["# A", "text"]);
    expect(quoted("# A\n\n## B\n\ntext").map(({ text }) => text)).toEqual(["text"]);
  });

  it("keep link definitions and lone carriage returns as text", () => {
    expect(quoted("[a]: http://example.org").map(({ text }) => text)).toEqual(["[a]: http://example.org"]);
    expect(quoted("one\rtwo\n\nthree").map(({ lines }) => lines)).toEqual(["1-1", "3-3"]);
  });

  it("do not run from one content block into the next", () => {
    expect(quoted(["```\nopen", "# Page 2\n\ntext"]).map(({ lines }) => lines)).toEqual(["1-2", "5-5"]);
  });

  it("of a line over 2,000 characters are whole sentences of it", () => {
    const fragments = quoted("This is one sentence of the long line. ".repeat(100).trim());
    expect(fragments.length).toBeGreaterThan(2);
    for (const { text, lines } of fragments) {
      expect(lines).toBe("1-1");
      expect(text.length).toBeLessThanOrEqual(2_000);
      expect(text).toMatch(/^This .*line\.$/);
    }
  });

  it("of a line that is cut in stretches are those of its sentences", () => {
    const line = `${"Some words of a sentence. ".repeat(30_000)}harbour${" \t".repeat(400_000)}.`;
    const fragments = quoted(line).map(({ text }) => text);
    expect(fragments).toEqual(
      [...cutIntoSentences(line, 0, line.length, 1_000)].map(({ start, end }) => line.slice(start, end)),
    );
  });

  it("of a long line without white space are cut between characters", () => {
    for (const { text } of quoted("😀".repeat(5_000))) expect(text.isWellFormed()).toBe(true);
  });

  it("leave a line of 2,000 astral characters whole", () => {
    expect(quoted("😀".repeat(2_000)).map(({ text }) => text.length)).toEqual([4_000]);
  });

  it("are found in lines that are nested deeper than the parser goes", () => {
    for (const mark of [">", "> ", "- "]) {
      const md = `above\n\n${mark.repeat(10_000)}deep one\n${mark.repeat(10_000)}deep two\n\nbelow`;
      const texts = quoted(md).map(({ text }) => text);
      for (const words of ["above", "deep one", "deep two", "below"]) {
        expect(texts.some((text) => text.includes(words))).toBe(true);
      }
    }
  });

  it("of a megabyte on one line, or of deep nesting, are found all the same", () => {
    expect(quoted(`${"word ".repeat(200_000)}end`).length).toBeGreaterThan(500);
    expect(quoted("> ".repeat(50_000)).length).toBeLessThanOrEqual(200);
    expect(quoted("|".repeat(100_000)).length).toBeGreaterThan(0);
    expect(quoted(`${"[".repeat(50_000)}x${"](".repeat(50_000)}`).length).toBeGreaterThan(0);
  });

  it("slice back exactly, in order, without sharing a line unless the line is cut", () => {
    fc.assert(
      fc.property(fc.array(markdownArbitrary, { minLength: 1, maxLength: 3 }), (blocks) => {
        const content = blocks.map((md) => ({ md }));
        const { markdown, passages } = passagesOf(content);
        const lines = Lines.of(markdown);
        let lastStop = 0;
        let lastEnd = 0;
        for (const fragment of passages.flatMap((passage) => passage.fragments)) {
          const whole = lines.slice(fragment.startLine, fragment.stopLine);
          const text = markdown.slice(fragment.startOffset, fragment.endOffset);
          expect(fragment.stopLine).toBeGreaterThanOrEqual(fragment.startLine);
          expect(fragment.startOffset).toBeGreaterThanOrEqual(lastEnd);
          expect(text.trim()).not.toBe("");
          if (text !== whole) {
            expect(fragment.startLine).toBe(fragment.stopLine);
            expect([...whole].length).toBeGreaterThan(2_000);
            expect(whole).toContain(text);
            expect(fragment.startLine).toBeGreaterThanOrEqual(lastStop);
          } else {
            expect([...text].length).toBeLessThanOrEqual(2_000);
            expect(fragment.startLine).toBeGreaterThan(lastStop);
          }
          lastStop = fragment.stopLine;
          lastEnd = fragment.endOffset;
        }
      }),
      { numRuns: lawRuns(300) },
    );
  });
});

describe("blocks", () => {
  it("never share a line and never begin or end with a blank one", () => {
    fc.assert(
      fc.property(markdownArbitrary, (markdown) => {
        const lines = Lines.of(markdown);
        let last = 0;
        for (const block of blocksOf(lines)) {
          expect(block.startLine).toBeGreaterThan(last);
          expect(block.stopLine).toBeLessThanOrEqual(lines.count);
          expect(lines.isBlank(block.startLine)).toBe(false);
          expect(lines.isBlank(block.stopLine)).toBe(false);
          last = block.stopLine;
        }
      }),
      { numRuns: lawRuns(300) },
    );
  });
});
