import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../../src/analysis/languages.ts";
import { SearchIndex } from "../../../src/index/search-index.ts";
import { suggestedTexts } from "../../../src/index/suggestions/suggested-texts.ts";
import { blocksOf } from "../../../src/markdown/blocks.ts";
import { Lines } from "../../../src/markdown/lines.ts";
import { plainText } from "../../../src/markdown/plain-text.ts";
import { SUGGESTED_TEXTS_MAX } from "../../../src/model/limits.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

/** The texts of a document with this title and these content blocks. */
function textsOf(pages: readonly string[], title = "Title"): (readonly [text: string, kind: string])[] {
  const index = new SearchIndex(analyzer);
  const known = { id: "d", type: "DOCUMENT", status: "active", metaData: {} } as const;
  index.replace({ ...known, content: pages.map((md) => ({ md })), titles: [title] }, 1);
  const indexed = index.documents.find("d") ?? expect.fail("not indexed");
  return finished(suggestedTexts(indexed)).map(({ text, kind }) => [text, kind]);
}

const PARTS = [
  "# One",
  "## Two *marked* [link](https://example.com)",
  "### Three ###",
  "#",
  "Setext\n===",
  "Below\nof two lines\n---",
  "Some text. # no heading",
  "- item\n- # in an item",
  "> # quoted",
  "> quoted setext\n> ---",
  "> text\n>\n> ## quoted below",
  "```\n# in code\n```",
  "    # indented",
  "<div>\n# in html\n</div>",
  "| # | b |\n|---|---|\n| 1 | 2 |",
  "---",
  "<!-- # -->",
  `${"A long sentence without an end. ".repeat(120)}`,
  "",
];

it("are the title and all headings of the markdown", () => {
  let several = 0;
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }), { maxLength: 3 }), (pages) => {
      const blocks = pages.map((parts) => parts.join("\n\n"));
      const headings = blocks.flatMap((md) => {
        const lines = Lines.of(md);
        return blocksOf(lines)
          .filter(({ headingLevel }) => headingLevel > 0)
          .map(({ startLine, stopLine }) => plainText(lines.slice(startLine, stopLine)).replace(/\s+/g, " ").trim());
      });
      const texts = textsOf(blocks).filter(([, kind]) => kind === "heading");
      expect(new Set(texts.map(([text]) => text))).toEqual(new Set(headings.filter((text) => text !== "")));
      expect(new Set(texts).size).toBe(texts.length);
      if (texts.length > 1) several++;
    }),
    { numRuns: lawRuns(500) },
  );
  expect(several).toBeGreaterThan(5);
});

it("are in one line, and those that are too long or too many are left out", () => {
  const long = "x".repeat(500);
  expect(textsOf([`# ${long}\n\n## ${long}y\n\nText.`], "Of\n two  lines ")).toEqual([
    ["Of two lines", "title"],
    [long, "heading"],
  ]);
  const many = Array.from({ length: 1_200 }, (_, i) => `# Heading ${i}\n\nText.`).join("\n\n");
  expect(textsOf([many]).at(-1)).toEqual([`Heading ${SUGGESTED_TEXTS_MAX - 2}`, "heading"]);
});
