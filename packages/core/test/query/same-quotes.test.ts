import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { DocumentType, SearchableDocument } from "../../src/domain/types.ts";
import { SEARCH_BUDGET } from "../../src/query/effort.ts";
import { cutDocument } from "../../src/query/embedded-texts.ts";
import { analyzeQuery } from "../../src/query/parsed-query.ts";
import { parseSearchRequest } from "../../src/query/request.ts";
import { SearchIndex } from "../../src/query/search-index.ts";
import { finished } from "../../src/runtime/steps.ts";
import { answer } from "../../src/search.ts";
import { LanguageAnalyzer } from "../../src/text/language-analyzer.ts";
import { encodeVector } from "../../src/vector/codes.ts";
import { PassageVectors } from "../../src/vector/passage-vectors.ts";
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

function add(index: SearchIndex, id: string, type: DocumentType, paragraphs: readonly string[], title: string): void {
  const md = paragraphs.map((text) => `# P\n\n${text}`).join("\n\n");
  const document: SearchableDocument = {
    id,
    type,
    status: "active",
    metaData: {},
    content: [{ md }],
    titles: [title],
  };
  const encode = (text: string): Int8Array => encodeVector(embedder.vectorOf(text));
  const version = index.documents.count + 1;
  const steps = index.replaceInSteps(document, {
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
  index.partVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  const paragraphs = Array.from({ length: PARAGRAPHS }, (_, i) =>
    i === PARAGRAPHS >> 1 ? EQUAL : sentenceOf(i, 3 + (i % 9)),
  );
  add(index, "large", "PDF", paragraphs, TITLE);
  // Better by its words than the document with that title.
  add(index, "better", "DOCUMENT", [`${TITLE} ${TITLE} ${TITLE}`], `${TITLE}, ${TITLE}`);
  for (let i = 0; i < OTHERS; i++) add(index, `other${i}`, "DOCUMENT", [sentenceOf(i, 4)], `Other ${i}`);
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
          for (const [id, parts] of quotes[0] ?? []) {
            const others = quotes[1]?.get(id);
            if (others === undefined) continue;
            expect(others).toEqual(parts);
            if (id === "large") compared++;
          }
        },
      ),
      { numRuns: lawRuns(240) },
    );
    expect(compared).toBeGreaterThan(5);
  });
});
