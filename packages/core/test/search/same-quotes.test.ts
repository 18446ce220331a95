import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { DocumentType, SearchableDocument } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { SEARCH_BUDGET } from "../../src/search/budget.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = new LanguageAnalyzer("multi");
const embedder = new FakeEmbedder({ dimensions: 16 });

const WORDS = ["parcel", "order", "harbour", "zebra", "lamp", "stone", "river", "cloud", "fig", "plum"].flatMap(
  (word) => ["ing", "gate", "wood", "port"].map((end) => `${word}${end}`),
);
const PARAGRAPHS = 9_000;
const OTHERS = 110;
/** Equals a paragraph in the middle of the large document. */
const EQUAL = `${WORDS[12]} ${WORDS[16]} ${WORDS[12]}`;
/** Stands below that one, and has its words. */
const NEAR = `${EQUAL} ${WORDS[20]}`;
/** More than are compared with a question. */
const VARIANTS = 700;
const TITLE = `${WORDS[0]} ${WORDS[24]}`;
/** Less than the large document has passages for. */
const FEW_COMPARISONS = 40_000;

/** Words as if by chance: the best paragraphs of a question lie far from each other. */
function wordAt(n: number): string {
  return WORDS[(Math.imul(n ^ (n >>> 7), 0x9e37_79b1) >>> 12) % WORDS.length] ?? "";
}

function sentenceOf(from: number, words: number): string {
  return `${Array.from({ length: words }, (_, i) => wordAt(from * 16 + i)).join(" ")} ${from % 41}`;
}

function add(
  index: SearchIndex,
  id: string,
  type: DocumentType,
  paragraphs: readonly string[],
  titles: readonly string[],
): void {
  const md = paragraphs.map((text) => `# P\n\n${text}`).join("\n\n");
  const document: SearchableDocument = {
    id,
    type,
    status: "active",
    metaData: {},
    content: [{ md }],
    titles,
  };
  const encode = (text: string): Int8Array => encodeVector(embedder.vectorOf(text));
  const version = index.documents.count + 1;
  const steps = index.replaceInSlices(document, {
    version,
    cut: cutDocument(document),
    current: () => document,
    encode,
  });
  const replaced = finished(steps);
  if (replaced !== undefined) finished(replaced.left);
}

function botWith(comparisonsOfDocument: number): SearchIndex {
  const index = new SearchIndex(analyzer, undefined, { ...SEARCH_BUDGET, comparisonsOfDocument });
  index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  for (let i = 0; i < OTHERS; i++) add(index, `other${i}`, "DOCUMENT", [sentenceOf(i, 4)], [`Other ${i}`]);
  const middle = PARAGRAPHS >> 1;
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, i) =>
    i === middle ? EQUAL : i === middle + 1 ? NEAR : sentenceOf(i, 3 + (i % 9)),
  );
  const titles = Array.from({ length: VARIANTS }, (_, i) => (i === 0 ? TITLE : `Wording ${i}`));
  add(index, "large", "PDF", paragraphs, titles);
  // Better by its words than the document with that text or title.
  for (const text of [EQUAL, TITLE]) add(index, text, "DOCUMENT", [`${text} ${text} ${text}`], [`${text}, ${text}`]);
  return index;
}

const question = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((w) => w.join(" ")) },
  { weight: 1, arbitrary: fc.constantFrom(EQUAL, TITLE) },
);
const asked = fc.record({
  topK: fc.constantFrom(1, 2, 10, 100),
  filters: fc.constantFrom({}, { type: "PDF" }, { status: "active" }),
});

describe("quotes of a document", () => {
  const ample = botWith(SEARCH_BUDGET.comparisonsOfDocument);
  const scarce = botWith(FEW_COMPARISONS);

  it("depend on the question and the document alone, however large it is and whatever else is found", () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(ample, scarce),
        fc.boolean(),
        question,
        asked,
        asked,
        (index, isDense, query, a, b) => {
          const embedded = isDense ? { embedder, vector: embedder.vectorOf(query) } : undefined;
          const quotes = [a, b].map(({ topK, filters }) => {
            const request = parseSearchRequest({ query, filters, options: { topK } });
            const found = answer(index, request, analyzeQuery(query, analyzer), embedded);
            return new Map(found.map(({ resourceDocId, similarTextParts }) => [resourceDocId, similarTextParts]));
          });
          for (const [id, windows] of quotes[0] ?? []) {
            const others = quotes[1]?.get(id);
            if (others === undefined) continue;
            expect(others).toEqual(windows);
            if (id === "large") compared++;
          }
        },
      ),
      { numRuns: lawRuns(240) },
    );
    expect(compared).toBeGreaterThan(5);
  });

  it.each([EQUAL, TITLE])("are the same where a text of it or its title equals the question: %s", (query) => {
    for (const isDense of [false, true]) {
      const embedded = isDense ? { embedder, vector: embedder.vectorOf(query) } : undefined;
      const quotes = [1, 2, 10, 100].flatMap((topK) =>
        [{}, { type: "PDF" }, { status: "active" }].map((filters) => {
          const request = parseSearchRequest({ query, filters, options: { topK } });
          const found = answer(scarce, request, analyzeQuery(query, analyzer), embedded);
          if ("type" in filters) expect(scarce.effort.spent.comparisons).toBeLessThanOrEqual(FEW_COMPARISONS);
          return found.find(({ resourceDocId }) => resourceDocId === "large")?.similarTextParts;
        }),
      );
      for (const quote of quotes) expect(quote).toEqual(quotes[0]);
      if (query === EQUAL) expect(quotes[0]?.map(({ text }) => text).slice(0, 2)).toEqual([EQUAL, NEAR]);
    }
  });
});
