import fc from "fast-check";
import { expect, it } from "vitest";
import { EnglishAnalyzer } from "../../src/analysis/english.ts";
import {
  fragmentAt,
  fragmentCountOf,
  fragmentsOfPassage,
  type IndexedDocument,
  windowCountOf,
  windowFragmentOf,
  windowOrdinalOf,
} from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";

const md = ["# Pears", "One. Two.", "| a | b |", "|---|---|", "| 1 | 2 |", "", "word ".repeat(300)].join("\n");

function indexed(): IndexedDocument {
  const index = new SearchIndex(new EnglishAnalyzer());
  index.replace({ id: "a", type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: ["Pears"] }, 1);
  const document = index.documents.find("a");
  if (document === undefined) throw new Error("The document is not indexed.");
  return document;
}

const document = indexed();
const readers = {
  fragment: { count: fragmentCountOf(document), read: (at: number) => fragmentAt(document, at) },
  passage: { count: document.passageCount, read: (at: number) => fragmentsOfPassage(document, at) },
  "ordinal of a window": { count: windowCountOf(document), read: (at: number) => windowOrdinalOf(document, at) },
  "fragment of a window": { count: windowCountOf(document), read: (at: number) => windowFragmentOf(document, at) },
};

it.each(Object.entries(readers))("reads every %s, and throws for a number that none has", (_, { count, read }) => {
  expect(count).toBeGreaterThan(1);
  for (let at = 0; at < count; at++) expect(() => read(at)).not.toThrow();
  // Numbers of another kind stand before and behind them: read as lines, they would be plausible.
  const others = fc.oneof(
    fc.integer({ min: count, max: document.numbers.length * 2 }),
    fc.integer({ min: -99, max: -1 }),
  );
  fc.assert(fc.property(others, (at) => void expect(() => read(at)).toThrow("A defect of Loredex")));
});

it("throws where a document has no numbers of its own", () => {
  const empty = { passageCount: 1, numbers: new Uint32Array(0) };
  expect(() => fragmentCountOf(empty)).toThrow("the number of fragments");
});
