import { expect, it, vi } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { passageOfFragment } from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { equalsQuestion } from "../../src/markdown/normal-form.ts";
import type { SearchableDocument } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { EqualToQuestion } from "../../src/search/equal-texts.ts";
import { type AnalyzedQuery, analyzeQuery, weighQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer, explainNow } from "../support/answer.ts";
import { slicesOf } from "../support/steps-of.ts";

const analyzer = new LanguageAnalyzer("multi");
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

/** The question, and how many texts were read for it. */
function counted(): { readonly analyzed: AnalyzedQuery; readonly readings: () => number } {
  let readings = 0;
  const equal = new EqualToQuestion(QUESTION, (...text) => {
    readings += 1;
    return equalsQuestion(...text);
  });
  return { analyzed: { ...analyzeQuery(QUESTION, analyzer), equal }, readings: () => readings };
}

/** How many texts an answer has read. */
function readingsOf(index: SearchIndex): number {
  const { analyzed, readings } = counted();
  expect(answer(index, request, analyzed)[0]?.bestMatchScore).toBe(1);
  expect(readings()).toBeGreaterThan(0);
  return readings();
}

const saying = (text: string, count: number): string => Array.from({ length: count }, () => `- ${text}`).join("\n");

it("of many pieces and titles that say the same as the question, one is read", () => {
  const documents = Array.from({ length: 200 }, () => ({ title: "Where is it?", md: saying("Where is it?", 20) }));
  // The piece is not the same text as the title: it has its mark.
  expect(readingsOf(indexOf(documents))).toBeLessThanOrEqual(2);
});

it("of many that equal it in their own ways each is read once, also by an explanation", () => {
  const ways = (from: number): string =>
    Array.from({ length: 20 }, (_, i) => `- Where${" ".repeat(from * 20 + i + 1)}is it?`).join("\n");
  const documents = Array.from({ length: 10 }, (_, i) => ({ title: `Title ${i}`, md: ways(i) }));
  const index = indexOf(documents);
  expect(readingsOf(index)).toBeLessThanOrEqual(200);
  const { analyzed, readings } = counted();
  expect(explainNow(index, request, "0003", analyzed, undefined, 4)).toMatchObject({ equals: "text", score: 1 });
  expect(readings()).toBeLessThanOrEqual(200);
});

it("of very many lines that equal it only the first that are quoted are read and kept", () => {
  const index = indexOf([{ title: "Title", md: saying("Where is it?", 50_000) }]);
  const { analyzed, readings } = counted();
  const [document] = [...index.documents];
  if (document === undefined) throw new Error("The document is missing.");
  const query = finished(weighQuery(analyzed, index));
  const looked = vi.spyOn(analyzed.equal, "in");
  expect(finished(index.equalTexts(query, document)).fragments).toEqual([0, 1, 2]);
  expect(looked).toHaveBeenCalledOnce();
  expect(readings()).toBe(1);
  const parts = answer(index, request, analyzed)[0]?.similarTextParts;
  expect(parts?.map(({ start, similarity }) => [start, similarity])).toEqual([1, 2, 3].map((line) => [line, 1]));
});

it("of pieces that share a line with one that equals it, the next with a line of its own is quoted", () => {
  const index = indexOf([{ title: "Title", md: "Where is it? Where is it?\n\nWhere is it?\n\nNo." }]);
  const parts = answer(index, request, counted().analyzed)[0]?.similarTextParts;
  expect(parts?.filter(({ similarity }) => similarity === 1).map(({ start }) => start)).toEqual([3]);
});

it("what has only the question's hash does not equal it", () => {
  const index = indexOf([{ title: "Where is it?", md: "Here." }]);
  const document = index.documents.find("0000");
  if (document === undefined) throw new Error("The document is missing.");
  document.document = { ...document.document, titles: ["Somewhere else"] };
  const [found] = answer(index, request, analyzeQuery(QUESTION, analyzer));
  expect(found?.bestMatchScore ?? 0).toBeLessThan(1);
});

it("lets others pass the more often the longer the texts are that are looked up", () => {
  const [said, count] = ["Where is it? ".repeat(60).trim(), 500];
  const document = indexOf([{ title: "Title", md: `${said}\n\n`.repeat(count) }]).documents.find("0000");
  if (document === undefined) throw new Error("The document is missing.");
  // All have the question's hash, and none is taken for equal: then all are looked up.
  const equal = new EqualToQuestion(said, () => false);
  expect(finished(equal.in(document)).fragments).toHaveLength(0);
  expect(slicesOf(equal.in(document))).toBeGreaterThan((said.length * count) / 20_000);
});

it("a piece lies in the last passage that begins with it or before it", () => {
  const document = { numbers: Uint32Array.of(0, 3, 5), passageCount: 3 };
  expect([0, 1, 2, 3, 4, 5, 9].map((fragment) => passageOfFragment(document, fragment))).toEqual([0, 0, 0, 1, 1, 2, 2]);
});
