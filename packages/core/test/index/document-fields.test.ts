import { expect, it } from "vitest";
import { EnglishAnalyzer } from "../../src/analysis/english.ts";
import { fieldsOf } from "../../src/index/document-fields.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { LexicalIndex } from "../../src/index/postings/lexical-index.ts";

it("gives every passage the terms of the headings above it and of no others", () => {
  const long = "word ".repeat(110).trim();
  const md = ["# Pears", long, long, "# Plums", long, "## Figs", long, "# Pears", long].join("\n\n");
  const cut = cutDocument({ id: "a", type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [] });
  const index = new LexicalIndex();
  const numbered = ["pear", "plum", "fig"].map((term) => [index.numberOf(term), term] as const);
  const names = new Map<number | string, string>(numbered);
  const above = [...fieldsOf(cut, new EnglishAnalyzer(), index)].map(([, headings]) =>
    [...(headings?.terms ?? [])].map((term) => names.get(term)).join(" "),
  );
  expect(above).toEqual(["pear", "pear", "plum", "plum fig", "pear"]);
});
