import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { Block } from "../../src/markdown/block.ts";
import { blocksInSlices, blocksOf } from "../../src/markdown/blocks.ts";
import { Lines } from "../../src/markdown/lines.ts";
import { passagesInSlices } from "../../src/markdown/passages.ts";
import type { WindowSizes } from "../../src/markdown/windows.ts";
import { markdownArbitrary } from "../support/markdown-arbitrary.ts";

const WHOLE: WindowSizes = { units: 2 ** 30, unitsMax: 2 ** 30, lineUnits: 0, lineUnitsMax: 2 ** 30, plainLines: 0 };

function blocks(text: string, sizes: Partial<WindowSizes>): Block[] {
  return blocksOf(Lines.of(text), { ...WHOLE, ...sizes });
}

const REAL = "../shared/data/docs_hugo_en/docs";
const realTexts = (): string[] =>
  readdirSync(REAL, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => readFileSync(`${REAL}/${path}`, "utf8"));

const LINES = 60_000;

/** A text whose only block is far longer than a window, and what follows it. */
const LONG_BLOCKS: Readonly<Record<string, string>> = {
  fence: `\`\`\`js\n${"let a = 1;\n\n# no heading\n".repeat(80)}\`\`\``,
  "unclosed fence": `~~~\n${"text\n\n".repeat(80)}`,
  table: `| Name | Age |\n|---|---|\n${"| Ann | 30 |\n".repeat(80)}`,
  paragraph: "some words on a line\n1986. was a year\n".repeat(80),
  "indented code": "    let a = 1;\n\n".repeat(80),
  comment: `<!--\n${"# no heading\n\nwords\n".repeat(80)}-->`,
  html: `<div>\n${"# no heading\nwords\n".repeat(80)}</div>`,
  "tight list": "- item\n- second\n  - inner\n".repeat(80),
  "loose list": "1. item\n\n   goes on\n\n2. second\n\n".repeat(80),
  quote: "> words\n>\n> - item\n".repeat(80),
  "fence with blank lines": `\`\`\`\ncode\n${"\n".repeat(400)}code\n\`\`\``,
  "item with blank lines": `- item\n${"\n".repeat(400)}  more`,
  "comment in a quote with blank lines": `> <!-- one\n${">\n".repeat(200)}> two -->`,
  "fence in an item": `- item\n\n  \`\`\`\n${"  code\n\n  # no heading\n".repeat(80)}  \`\`\``,
  "fence in a quote": `> \`\`\`\n${"> code\n>\n> # no heading\n".repeat(80)}> \`\`\``,
};

describe("blocks that are read in windows", () => {
  it("are those of the whole text, however it is divided", () => {
    fc.assert(
      fc.property(markdownArbitrary, fc.integer({ min: 1, max: 400 }), (text, units) => {
        expect(blocks(text, { units })).toEqual(blocks(text, {}));
      }),
      { numRuns: lawRuns(500) },
    );
  });

  it("are those of the parser where it is not asked", () => {
    fc.assert(
      fc.property(markdownArbitrary, fc.integer({ min: 1, max: 40 }), (text, plainLines) => {
        expect(blocks(text, { plainLines })).toEqual(blocks(text, {}));
        expect(blocks(text, { plainLines, units: 200 })).toEqual(blocks(text, {}));
      }),
      { numRuns: lawRuns(2_000) },
    );
  });

  it.skipIf(!existsSync(REAL))("are those of the whole text on real documents", () => {
    for (const text of realTexts()) {
      expect(blocks(text, { plainLines: 512 })).toEqual(blocks(text, {}));
      expect(blocks(text, { units: 300 })).toEqual(blocks(text, {}));
      expect(blocks(text, { units: 2_000, unitsMax: 2_000, lineUnitsMax: 500 })).toEqual(blocks(text, {}));
    }
  });

  it.each(Object.entries(LONG_BLOCKS))(
    "are those of the whole text where a %s is longer than any window",
    (_, long) => {
      const text = `# Before\n\nwords\n\n${long}\n\n# After\n\nlast words`;
      for (const units of Array.from({ length: 120 }, (_, i) => 97 + i)) {
        expect(blocks(text, { units, unitsMax: units })).toEqual(blocks(text, {}));
      }
    },
  );

  it("lose no line and share none where blocks are longer than windows", () => {
    fc.assert(
      fc.property(markdownArbitrary, fc.integer({ min: 1, max: 200 }), (text, units) => {
        const lines = Lines.of(text);
        const held = new Set<number>();
        for (const { startLine, stopLine } of blocks(text, { units, unitsMax: units, lineUnitsMax: 64 })) {
          for (let line = startLine; line <= stopLine; line++) {
            expect(held.has(line)).toBe(false);
            held.add(line);
          }
        }
        for (let line = 1; line <= lines.count; line++) {
          if (/[\p{L}\p{N}]/u.test(lines.slice(line, line)) && !held.has(line)) {
            // Only the parser's own marks and rules may be passed over.
            expect(blocks(text, {}).some(({ startLine, stopLine }) => startLine <= line && line <= stopLine)).toBe(
              false,
            );
          }
        }
      }),
      { numRuns: lawRuns(300) },
    );
  });

  it("are those of the parser where a fence stands in a block of HTML", () => {
    const fence = "```\ncode\n\nwords\n\nmore\n```";
    for (const text of [
      `<div>\n\`\`\`\n</div>\n\nwords\n\n${fence}\n\nend`,
      `<div>\n\n${fence}\n\nend`,
      `- <pre>\n\nwords\n\nend`,
    ])
      expect(blocks(text, { plainLines: 512 })).toEqual(blocks(text, {}));
  });

  it("are found in as many windows as the text is long", () => {
    for (const long of Object.values(LONG_BLOCKS)) {
      expect(windowCount(long.repeat(8))).toBeLessThan(windowCount(long.repeat(4)) * 2.5);
    }
  });

  it.each([
    ["a fence", "```\n", "\n", "a\n```\n"],
    ["a comment", "<!--\n", "\n", "a\n-->\n"],
    ["indented code", "    a\n", "\n", "    b\n"],
    ["an item of a list", "- a\n", "\n", "  b\n"],
    ["a quote", "> a\n", ">\n", "> b\n"],
  ])("look at each blank line of %s a few times, and at some in a step", (_, before, line, after) => {
    const looks = (["isBlank", "slice", "endOffset"] as const).map((name) => vi.spyOn(Lines.prototype, name));
    const between: number[] = [];
    const steps = passagesInSlices([{ md: before + line.repeat(LINES) + after }]);
    while (steps.next().done !== true) {
      between.push(looks.reduce((sum, { mock }) => sum + mock.calls.length, 0));
      for (const look of looks) look.mockClear();
    }
    for (const look of looks) look.mockRestore();
    expect(between.reduce((sum, each) => sum + each, 0)).toBeLessThan(20 * LINES);
    expect(Math.max(...between)).toBeLessThan(32_768);
  });

  it("are read a few lines at a time however short these are", () => {
    const count = (text: string): number => [...blocksInSlices(Lines.of(text))].length;
    expect(count("- a\n".repeat(20_000))).toBeGreaterThan(30);
    expect(count("a\n".repeat(20_000))).toBeGreaterThan(8);
  });

  it.each([
    ["lists in one line", "- ".repeat(20)],
    ["quotes", "> ".repeat(20)],
    ["lists in quotes", "> - ".repeat(20)],
    ["numbered lists", "1. ".repeat(20)],
    ["lists", "- "],
  ])("are read a few marks at a time, however deep %s are", (_, marks) => {
    const parse = vi.spyOn(MarkdownIt.prototype, "parse");
    const read: number[] = [];
    for (const __ of blocksInSlices(Lines.of(`${marks}a\n\n`.repeat(3_000) + `${marks}a\n`.repeat(3_000)))) {
      read.push(parse.mock.calls.reduce((sum, [text]) => sum + (text.match(/[->]|\d\./g)?.length ?? 0), 0));
      parse.mockClear();
    }
    parse.mockRestore();
    expect(read.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual((6_000 * marks.length) / 3);
    expect(Math.max(...read)).toBeLessThan(2_500);
  });

  it("are those of a text whose longest line the parser has not read to its end", () => {
    const text = `# A\n\n<!-- ${"x ".repeat(500)} -->\n\nwords ${"y ".repeat(500)}\n\n# B\n\nend`;
    expect(blocks(text, { lineUnitsMax: 64 })).toEqual(blocks(text, {}));
  });
});

function windowCount(text: string): number {
  return [
    ...blocksInSlices(Lines.of(text), { units: 128, unitsMax: 256, lineUnits: 0, lineUnitsMax: 64, plainLines: 0 }),
  ].length;
}
