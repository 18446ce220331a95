import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../../src/analysis/languages.ts";
import { SearchIndex } from "../../../src/index/search-index.ts";
import type { Suggestion } from "../../../src/model/suggestions.ts";
import type { SearchableDocument } from "../../../src/model/types.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { type PlainText, plainSuggestions } from "./plain-suggestions.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

/** A document with these titles, and a section for each heading. */
function document(id: string, titles: readonly string[], headings: readonly string[] = []): SearchableDocument {
  const md = ["Text.", ...headings.map((heading) => `## ${heading}\n\nText.`)].join("\n\n");
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles };
}

function indexOf(...documents: readonly SearchableDocument[]): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, each] of documents.entries()) index.replace(each, i + 1);
  return index;
}

function suggested(index: SearchIndex, prefix: string, limit = 20): Suggestion[] {
  return finished(index.suggestions.find(prefix, limit));
}

function texts(index: SearchIndex, prefix: string, limit = 20): string[] {
  return suggested(index, prefix, limit).map(({ text }) => text);
}

const WORD = fc.constantFrom(
  ...["refund", "Refunds", "refnud", "Réfund", "order", "orders", "of", "policy", "police", "a", "27"],
  ...["international", "internatoinal", "internal", "inter", "抹茶", "茶道", "Ａ茶", "iphone抹茶の本", "の本"],
);
const TEXT = fc.array(WORD, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const TYPED = fc
  .array(fc.tuple(WORD, fc.nat(14), fc.nat(14), fc.constantFrom("", "x", "n", "R", "茶")), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) =>
    words.map(([word, end, at, letter]) => {
      const begun = word.slice(0, end + 1);
      return letter === "" || at > begun.length ? begun : begun.slice(0, at) + letter + begun.slice(at + (end % 2));
    }),
  )
  .map((words) => words.join(" "));

describe("suggestions", () => {
  it("are the best of a plain scan over all texts, while documents come, change and leave", () => {
    let [several, mistaken] = [0, 0];
    const change = fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e"),
      titles: fc.array(TEXT, { maxLength: 2 }),
      headings: fc.array(TEXT, { maxLength: 3 }),
      isRemoved: fc.boolean(),
      typed: TYPED,
      limit: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const index = new SearchIndex(analyzer);
        const plain = new Map<string, PlainText[]>();
        for (const [version, { id, titles, headings, isRemoved, typed, limit }] of changes.entries()) {
          if (isRemoved) {
            index.remove(id);
            plain.delete(id);
          } else {
            index.replace(document(id, titles, headings), version + 1);
            const own = [
              ...titles.map((text) => ({ id, text, kind: "title" as const })),
              ...headings.map((text) => ({ id, text, kind: "heading" as const })),
            ];
            plain.set(id, own);
          }
          const expected = plainSuggestions([...plain.values()].flat(), typed, limit);
          expect(suggested(index, typed, limit)).toEqual(expected);
          if (expected.length > 1) several++;
          if (plainSuggestions([...plain.values()].flat(), typed, 1)[0]?.text.includes("nter")) mistaken++;
        }
      }),
      { numRuns: lawRuns(1_000) },
    );
    expect(Math.min(several, mistaken)).toBeGreaterThan(5);
  });

  it("stand in the order that users of search boxes expect", () => {
    const titles = ["How refunds work", "Refund", "Refund policy", "Policy of refunds", "Rifund", "Refunded orders"];
    const index = indexOf(...titles.map((title, i) => document(`d${i}`, [title])));
    expect(texts(index, "refund")).toEqual([
      "Refund",
      "Refund policy",
      "Refunded orders",
      "How refunds work",
      "Policy of refunds",
    ]);
    // A text that fits without a mistake hides those that do not.
    expect(texts(index, "rifu")).toEqual(["Rifund"]);
    expect(texts(index, "refnu pol")).toEqual(["Refund policy", "Policy of refunds"]);
    expect(texts(index, "pol ref")).toEqual(["Refund policy", "Policy of refunds"]);
    expect(texts(index, "REFUND POL")).toEqual(["Refund policy", "Policy of refunds"]);
    expect(texts(index, "refund", 2)).toEqual(["Refund", "Refund policy"]);
    expect(texts(index, "?! ")).toEqual([]);
  });

  it.each([
    ["café", "Cafe prices"],
    ["cafe", "Café prices"],
    ["strasse", "Straße sperren"],
    ["kiel", "Kielſ"],
    ["brien", "Who is O’Brien?"],
    ["obri", "Who is O'Brien?"],
    ["net", ".NET guide"],
    [".ne", ".NET guide"],
    ["c++", "C++ guide"],
    ["dont", "Why don't I see it?"],
    ["٢٧", "Form 27"],
    ["退款", "如何申请退款"],
    ["申请退", "如何申请退款"],
    ["如何", "如何申请退款"],
    ["こと", "できないこと"],
    ["하", "환불하는 방법"],
    ["환부", "환불하는 방법"],
    ["คืนเงิน", "วิธีขอคืนเงิน"],
    ["iphone の", "iPhoneの設定"],
    ["Réfund茶", "refund 茶道"],
    ["привет", "Привёт мир"],
  ])("has for %s the text %s", (typed, title) => {
    expect(texts(indexOf(document("d", [title])), typed)).toEqual([title]);
  });

  it.each([
    ["rea", "Rxa"],
    ["c++", "C# 1"],
    ["款退", "如何申请退款"],
    ["申款", "如何申请退款"],
    ["form 28", "Form 27"],
    ["kb50013", "KB50014"],
    ["read mee", "Read"],
    ["ref bar", "Refund"],
  ])("has for %s no text %s", (typed, title) => {
    expect(texts(indexOf(document("d", [title])), typed)).not.toContain(title);
  });

  it("tolerates one mistake in four letters, and two in eight", () => {
    const index = indexOf(document("d", ["International shipping", "Cart"]));
    for (const typed of ["cart", "cxrt", "catr", "carx", "internxt", "xnternaxi", "nitrenational"])
      expect([typed, texts(index, typed).length]).toEqual([typed, 1]);
    for (const typed of ["cxt", "xxrt", "inxxrna", "ixxxrnational"]) expect(texts(index, typed)).toEqual([]);
  });

  it("names of equal texts the smallest id, and of one document the first kind", () => {
    const index = indexOf(document("b", ["Refunds"]), document("c", ["Refunds"]), document("a", ["x"], ["Refunds"]));
    expect(suggested(index, "ref")).toEqual([{ text: "Refunds", resourceDocId: "a", kind: "heading" }]);
    index.replace(document("a", ["Refunds"], ["Refunds"]), 9);
    expect(suggested(index, "ref")).toEqual([{ text: "Refunds", resourceDocId: "a", kind: "title" }]);
    index.remove("a");
    expect(suggested(index, "ref")).toEqual([{ text: "Refunds", resourceDocId: "b", kind: "title" }]);
  });

  it("are questions of a QNA with its alternatives, and have no document without text", () => {
    const qna = { ...document("q", ["How do I pay?", "Ways of paying"]), type: "QNA" as const };
    const index = indexOf(qna, { ...document("e", ["How empty"]), content: [{ md: "" }] });
    expect(suggested(index, "how")).toEqual([{ text: "How do I pay?", resourceDocId: "q", kind: "question" }]);
    expect(suggested(index, "way")).toEqual([{ text: "Ways of paying", resourceDocId: "q", kind: "question" }]);
  });

  it("have their memory counted, which grows with use and stays bounded while documents are replaced", () => {
    const headings = Array.from({ length: 400 }, (_, i) => `Heading ${i} of many`);
    const index = indexOf(document("d", [], headings));
    const unused = index.bytes;
    expect(index.suggestions.bytes).toBeLessThan(1_000);
    suggested(index, "h");
    expect(index.bytes).toBeGreaterThan(unused + 400 * 50);
    const { bytes } = index.suggestions;
    for (let version = 2; version < 12; version++) {
      index.replace(
        document(
          "d",
          [],
          headings.map((heading) => `${heading} ${version}`),
        ),
        version,
      );
      expect(texts(index, `heading 7 of many ${version}`)[0]).toBe(`Heading 7 of many ${version}`);
    }
    expect(index.suggestions.bytes).toBeLessThan(5 * bytes);
  });

  it("can be given up and called again at any yield, and documents may change there", () => {
    const all = Array.from({ length: 30 }, (_, i) => document(`d${i}`, [`Title ${i}`], [`Heading ${i}`]));
    let isDone = false;
    for (let given = 0; !isDone; given++) {
      const index = indexOf(...all);
      const work = index.suggestions.find("title", 20);
      for (let i = 0; i < given && !isDone; i++) isDone = work.next().done === true;
      if (isDone) expect(given).toBeGreaterThan(30);
      index.replace(document("d3", ["Other title"]), 99);
      index.remove("d29");
      if (given % 2 === 0 || isDone) work.return([]);
      else for (const { text } of finished(work)) expect(text).toMatch(/^(Other title|Title \d+)$/);
      expect(texts(index, "title 2", 20)).toContain("Title 28");
      expect(texts(index, "title 29")).not.toContain("Title 29");
      expect(suggested(index, "other")).toEqual([{ text: "Other title", resourceDocId: "d3", kind: "title" }]);
      expect(texts(index, "heading 3")).not.toContain("Heading 3");
    }
  });
});
