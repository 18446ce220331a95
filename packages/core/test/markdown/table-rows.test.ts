import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import MarkdownIt, { type MarkdownIt as Parser } from "markdown-it";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { blocksOf } from "../../src/markdown/blocks.ts";
import { Lines } from "../../src/markdown/lines.ts";
import { BODY_ROW, HEADER_ROW, readTableRows } from "../../src/markdown/table-rows.ts";
import { markdownArbitrary } from "../support/markdown-arbitrary.ts";

type Found = readonly [type: string, level: number, map: readonly [number, number] | null, content: string];

const stock = blockParser();
const ours = blockParser();
readTableRows(ours);

function blockParser(): Parser {
  const parser = new MarkdownIt("default", { html: true }).disable(["reference"]);
  parser.core.ruler.enableOnly(["normalize", "block"]);
  return parser;
}

function found(text: string): Found[] {
  return ours.parse(text, {}).map(({ type, level, map, content }) => [type, level, map, content]);
}

/** The tokens of the parser's own rule, a row for all that stands in one. */
function foundByStock(text: string): Found[] {
  const all: Found[] = [];
  let isHeader = false;
  let isInRow = false;
  for (const { type, level, map, content } of stock.parse(text, {})) {
    if (type === "thead_open" || type === "thead_close") isHeader = type === "thead_open";
    else if (type === "tr_open") {
      isInRow = true;
      all.push([isHeader ? HEADER_ROW : BODY_ROW, level - 1, map, ""]);
    } else if (type === "tr_close") isInRow = false;
    else if (!isInRow && !type.startsWith("tbody_")) all.push([type, level, map, content]);
  }
  return all;
}

const LINES = `|a|b|
a|b
|-|-|
-|-
|:-:|--|
:-- | --:
|-
| - |
||
|
\\|
a\\|b|c
a \\\\| b
|a\\|
- |a|
- |-|
  |-|
  |b|
1. a|b
> |a|
> |-|
> a|b
    |x|
    -|-
\t|-|
\u00a0
|a\u00a0
\u3000|a|
- - -
***
\`\`\`
# head
<div>
text
===
---`.split("\n");

const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("", ...LINES) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(..."|--:: a\\\t>"), maxLength: 8 }) },
);
const tables = fc.array(line, { maxLength: 10 }).map((lines) => lines.join("\n"));

const DATA = "../shared/data";
const realTexts = (): string[] =>
  readdirSync(DATA, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => readFileSync(`${DATA}/${path}`, "utf8"));

/** Rows that lack all cells but one. */
function shortRows(columns: number, rows: number): string {
  return `${"|a".repeat(columns)}\n${"|-".repeat(columns)}\n${"|\n".repeat(rows)}`;
}

describe("the rows of tables", () => {
  it("are those that the parser's own rule finds, with everything around them", () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 4, arbitrary: tables }, markdownArbitrary), (text) => {
        expect(found(text)).toEqual(foundByStock(text));
      }),
      { numRuns: lawRuns(5_000) },
    );
  });

  it.skipIf(!existsSync(DATA))("are the same in real documents", () => {
    let rows = 0;
    for (const text of realTexts()) {
      const all = found(text);
      if (JSON.stringify(all) !== JSON.stringify(foundByStock(text))) expect(all).toEqual(foundByStock(text));
      rows += all.filter(([type]) => type === BODY_ROW).length;
    }
    expect(rows).toBeGreaterThan(1_000);
  });

  it("are all that a table is read as: its cells, and those that it lacks, make no work", () => {
    for (const [columns, rows] of [
      [120, 540],
      [256, 255],
      [1_000, 65],
    ] as const) {
      expect(ours.parse(shortRows(columns, rows), {})).toHaveLength(rows + 3);
      expect(ours.parse(shortRows(2 * columns, rows), {})).toHaveLength(rows + 3);
    }
  });

  it("go on however many cells they lack", () => {
    const blocks = blocksOf(Lines.of(shortRows(256, 400)));
    expect(blocks).toHaveLength(401);
    expect(blocks.at(-1)).toEqual({ kind: "row", startLine: 402, stopLine: 402, headingLevel: 0, headerLine: 1 });
  });
});
