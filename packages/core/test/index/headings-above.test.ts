import fc from "fast-check";
import { expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { headingsAbove } from "../../src/index/headings-above.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { finished, UNCOUNTED } from "../../src/scheduling/time-slices.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("English is missing");

const LINES = [
  "# One",
  "## Two",
  "### Three",
  "Setext\n===",
  "Below\n---",
  "Some text.",
  "- item",
  "",
  "| a |\n|---|\n| 1 |",
];

it("the headings above a passage are those that it was indexed with", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 20 }), (lines) => {
      const md = lines.join("\n\n");
      const document = {
        id: "d",
        type: "DOCUMENT" as const,
        status: "active" as const,
        metaData: {},
        content: [{ md }],
        titles: [],
      };
      const { cut } = cutDocument(document);
      const index = new SearchIndex(analyzer);
      index.replace(document, 1);
      const indexed = index.documents.find("d") ?? expect.fail("not indexed");
      for (const [passage, { headings, fragments }] of cut.passages.entries()) {
        // A heading without text is a passage itself: it is read as text.
        if (/^#|\n[=-]/.test(md.slice(fragments[0]?.startOffset, fragments[0]?.endOffset))) continue;
        const found = finished(headingsAbove(indexed, passage, UNCOUNTED)).reverse();
        const words = (texts: readonly string[]): string[] => texts.flatMap((text) => text.match(/\w+/g) ?? []);
        // The header row of a table is no heading.
        expect(words(found)).toEqual(words(headings).filter((word) => word !== "a"));
      }
    }),
  );
});

it("the headings of a passage far below them are not found", () => {
  const index = new SearchIndex(analyzer);
  const md = `# One\n\n${Array.from({ length: 80 }, () => "word ".repeat(130)).join("\n\n")}`;
  index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [] }, 1);
  const indexed = index.documents.find("d") ?? expect.fail("not indexed");
  const above = (passage: number): string[] => finished(headingsAbove(indexed, passage, UNCOUNTED));
  expect([above(0), above(64), above(65)]).toEqual([["# One"], ["# One"], []]);
});
