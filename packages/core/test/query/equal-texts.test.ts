import { beforeEach, expect, it, vi } from "vitest";
import type { SearchableDocument } from "../../src/domain/types.ts";
import { explainNow } from "../../src/explain.ts";
import { analyzeQuery } from "../../src/query/parsed-query.ts";
import { parseSearchRequest } from "../../src/query/request.ts";
import { SearchIndex } from "../../src/query/search-index.ts";
import { answer } from "../../src/search.ts";
import { UnicodeAnalyzer } from "../../src/text/unicode.ts";

const made = vi.hoisted(() => ({ forms: 0 }));

vi.mock("../../src/markdown/normal-form.ts", async (importActual) => {
  const actual = await importActual<typeof import("../../src/markdown/normal-form.ts")>();
  const normalFormOfPlain = (text: string): string => {
    made.forms += 1;
    return actual.normalFormOfPlain(text);
  };
  return { ...actual, normalFormOfPlain };
});

const analyzer = new UnicodeAnalyzer();
const QUESTION = "Where is it?";

function indexOf(documents: readonly { readonly title: string; readonly md: string }[]): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, { title, md }] of documents.entries()) {
    const id = String(i).padStart(4, "0");
    const document: SearchableDocument = {
      id,
      type: "DOCUMENT",
      status: "active",
      metaData: {},
      content: [{ md }],
      titles: [title],
    };
    index.replace(document, i + 1);
  }
  return index;
}

const request = parseSearchRequest({ query: QUESTION, options: { topK: 100 } });

/** How many normal forms of texts an answer has made. */
function formsOf(index: SearchIndex): number {
  const analyzed = analyzeQuery(QUESTION, analyzer);
  made.forms = 0;
  expect(answer(index, request, analyzed)[0]?.bestMatchScore).toBe(1);
  return made.forms;
}

const saying = (text: string, count: number): string => Array.from({ length: count }, () => `- ${text}`).join("\n");

beforeEach(() => {
  made.forms = 0;
});

it("of many pieces and titles that say the same as the question, one is read", () => {
  const documents = Array.from({ length: 200 }, () => ({ title: "Where is it?", md: saying("Where is it?", 20) }));
  // The piece is not the same text as the title: it has its mark.
  expect(formsOf(indexOf(documents))).toBeLessThanOrEqual(2);
});

it("of many that equal it in their own ways each is read once, also by an explanation", () => {
  const ways = (from: number): string =>
    Array.from({ length: 20 }, (_, i) => `- Where${" ".repeat(from * 20 + i + 1)}is it?`).join("\n");
  const documents = Array.from({ length: 10 }, (_, i) => ({ title: `Title ${i}`, md: ways(i) }));
  const index = indexOf(documents);
  expect(formsOf(index)).toBeLessThanOrEqual(200);
  const analyzed = analyzeQuery(QUESTION, analyzer);
  made.forms = 0;
  expect(explainNow(index, request, "0003", analyzed, undefined, 4)).toMatchObject({ equals: "text", score: 1 });
  expect(made.forms).toBeLessThanOrEqual(200);
});

it("what has only the question's hash does not equal it", () => {
  const index = indexOf([{ title: "Where is it?", md: "Here." }]);
  const document = index.documents.find("0000");
  if (document === undefined) throw new Error("The document is missing.");
  document.document = { ...document.document, titles: ["Somewhere else"] };
  const [found] = answer(index, request, analyzeQuery(QUESTION, analyzer));
  expect(found?.bestMatchScore ?? 0).toBeLessThan(1);
});
