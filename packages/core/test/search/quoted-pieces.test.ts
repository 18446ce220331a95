import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { fragmentAt, fragmentsOfPassage, type IndexedDocument } from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { SIMILARITY_INEXACT_MAX, TEXT_PARTS_MAX } from "../../src/model/limits.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { lexicalSimilarity } from "../../src/search/fusion.ts";
import { analyzeQuery, type ParsedQuery, weighQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { hitsOf, PASSAGES_QUOTED_MAX, scoresOf } from "../../src/search/retrieval.ts";
import { answer } from "../support/answer.ts";

const analyzer = new LanguageAnalyzer("multi");

const WORDS = ["the", "of", "parcel", "order", "harbour", "zebra", "lamp", "stone"];
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 7 })
  .map((words) => `Some ${words.join(" ")} there.`);
const line = fc.array(sentence, { minLength: 1, maxLength: 2 }).map((sentences) => `- ${sentences.join(" ")}`);
/** Of several pieces, which share it. */
const longLineOf = (sentences: readonly string[]): string =>
  sentences.map((text) => `${"So it is said, and said again".repeat(25)}. ${text}`).join(" ");
const longLine = fc.array(sentence, { minLength: 4, maxLength: 9 }).map(longLineOf);
const passage = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n"));
const partsOf = (texts: readonly string[]): string => texts.map((text, i) => `## Part ${i}\n\n${text}`).join("\n\n");
const longLines = fc.array(longLine, { maxLength: 3 });
const manyPassages = fc.array(passage, { minLength: 1, maxLength: 20, size: "max" });
/** Of the commonest words alone: pieces of long lines are better. */
const plainPassages = fc.array(fc.constantFrom("- Some the there.", "- Some of the there."), { maxLength: 4 });
const markdown = fc
  .tuple(fc.oneof(manyPassages, plainPassages), longLines)
  .map(([passages, long]) => partsOf([...passages, ...long]));
const question = fc
  .uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => `Find ${words.join(" ")} now`);

/** One line has the five best pieces, and two others a piece each, equally good. */
const FIVE_OF_ONE_LINE = partsOf([
  "- Some the there.",
  "- Some the there.",
  longLineOf(["zebra the", "of the", "zebra the", "zebra the", "the the"].map((words) => `Some ${words} there.`)),
]);

/** By the definition: every piece of every passage, the best of them that share no line. */
function quotedOf(index: SearchIndex, document: IndexedDocument, { lexical }: ParsedQuery): unknown[] {
  const fragments: { fragment: number; similarity: number }[] = [];
  for (let i = 0; i < document.passageCount; i++) {
    const ordinal = document.firstOrdinal + document.variantCount + i;
    const similarity = lexicalSimilarity(index.lexical.scoreOf(lexical, ordinal), lexical.upperBound);
    if (similarity === 0) continue;
    const inexact = Math.min(similarity, SIMILARITY_INEXACT_MAX);
    const [first, last] = fragmentsOfPassage(document, i);
    const weights = [...index.lexical.fragmentWeights(lexical, ordinal, last - first)];
    const highest = Math.max(...weights);
    if (highest === 0 || weights.length === 1) fragments.push({ fragment: first, similarity: inexact });
    else
      for (const [at, weight] of weights.entries())
        if (weight > 0) fragments.push({ fragment: first + at, similarity: inexact * (weight / highest) });
  }
  fragments.sort((a, b) => b.similarity - a.similarity || a.fragment - b.fragment);
  const quoted: { start: number; stop: number; similarity: number }[] = [];
  for (const { fragment, similarity } of fragments) {
    const { startLine: start, stopLine: stop } = fragmentAt(document, fragment);
    if (quoted.length < TEXT_PARTS_MAX && quoted.every((other) => stop < other.start || other.stop < start))
      quoted.push({ start, stop, similarity });
  }
  return quoted;
}

it("quotes the best three pieces of a document, though it looks at few of its passages", () => {
  let several = 0;
  fc.assert(
    fc.property(markdown, question, (md, text) => {
      const index = new SearchIndex(analyzer);
      const content = [{ md }];
      index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content, titles: [] }, 1);
      const analyzed = analyzeQuery(text, analyzer);
      const weighed = vi.spyOn(index.lexical, "fragmentWeights");
      const [found] = answer(index, parseSearchRequest({ query: text }), analyzed);
      const looks = weighed.mock.calls.length;
      weighed.mockRestore();
      expect(looks).toBeLessThanOrEqual(2 * TEXT_PARTS_MAX);
      if (found === undefined) return;
      const document = index.documents.find("d") ?? expect.fail();
      const wanted = quotedOf(index, document, finished(weighQuery(analyzed, index)));
      expect(found.similarTextParts.map(({ start, stop, similarity }) => ({ start, stop, similarity }))).toEqual(
        wanted,
      );
      if (wanted.length === TEXT_PARTS_MAX && document.passageCount > 2 * TEXT_PARTS_MAX) several++;
    }),
    { numRuns: lawRuns(300), examples: [[FIVE_OF_ONE_LINE, "Find of zebra the now"]] },
  );
  expect(several).toBeGreaterThan(5);
});

it("keeps the best passages of a document, whatever lines they share, if they fill all quotes", () => {
  let fills = 0;
  fc.assert(
    fc.property(markdown, question, (md, text) => {
      const index = new SearchIndex(analyzer);
      const content = [{ md }];
      index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content, titles: [] }, 1);
      const document = index.documents.find("d") ?? expect.fail();
      const query = finished(weighQuery(analyzeQuery(text, analyzer), index));
      const best = Array.from({ length: document.passageCount }, (_, i) => document.firstOrdinal + i)
        .map((ordinal) => ({ ordinal, similarity: scoresOf(index, query, ordinal).similarity }))
        .filter(({ similarity }) => similarity > 0)
        .sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal)
        .slice(0, PASSAGES_QUOTED_MAX);
      // Passages that start on the same line are pieces of a long one.
      const lines = best.map(({ ordinal }) => fragmentsOfPassage(document, ordinal - document.firstOrdinal)[0]);
      if (new Set(lines.map((first) => fragmentAt(document, first).startLine)).size < TEXT_PARTS_MAX) return;
      fills++;
      const { passages } = finished(hitsOf(index, query, { document, bestOrdinal: document.firstOrdinal }));
      expect(passages.map(({ ordinal, similarity }) => ({ ordinal, similarity }))).toEqual(best);
    }),
    { numRuns: lawRuns(300) },
  );
  expect(fills).toBeGreaterThan(5);
});

it("goes on to other lines where the best pieces are those of one", () => {
  const index = new SearchIndex(analyzer);
  const zebras = `${"It is said of a zebra again and again, ".repeat(24)}so it was. `.repeat(3);
  const md = `## A\n\n${zebras}\n\n${["B", "C", "D"].map((name) => `## ${name}\n\nSome lamp there.`).join("\n\n")}`;
  index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [] }, 1);
  const [found] = answer(index, parseSearchRequest({ query: "zebra lamp" }), analyzeQuery("zebra lamp", analyzer));
  expect(found?.similarTextParts.map(({ start }) => start)).toHaveLength(TEXT_PARTS_MAX);
});

it("looks for texts that equal the question in no document that holds none", () => {
  const index = new SearchIndex(analyzer);
  for (let i = 0; i < 30; i++) {
    const content = [
      { md: i === 7 ? "Where is the parcel?" : `Some ${i % 2 === 0 ? "parcel" : "order"} number ${i} is there.` },
    ];
    index.replace({ id: `d${i}`, type: "DOCUMENT", status: "active", metaData: {}, content, titles: [] }, i + 1);
  }
  const query = "Where is the parcel?";
  const analyzed = analyzeQuery(query, analyzer);
  const looked = vi.spyOn(analyzed.equal, "in");
  const results = answer(index, parseSearchRequest({ query, options: { topK: 20 } }), analyzed);
  expect(results.length).toBeGreaterThan(10);
  expect(results[0]).toMatchObject({ resourceDocId: "d7", bestMatchScore: 1 });
  expect(looked).toHaveBeenCalledTimes(1);
});

it("reads the numbers of a few texts that equal a question, however many such texts a document has", () => {
  const index = new SearchIndex(analyzer);
  const content = [{ md: "- zebra\n".repeat(3_000) }];
  index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content, titles: [] }, 1);
  const analyzed = analyzeQuery("zebra", analyzer);
  const { equal } = analyzed;
  const all = equal.in.bind(equal);
  let reads = 0;
  vi.spyOn(equal, "in").mockImplementation(function* (document) {
    const { title, fragments } = yield* all(document);
    const get = (target: readonly number[], name: string | symbol): unknown => {
      if (typeof name === "string" && /^\d+$/.test(name)) reads++;
      return Reflect.get(target, name);
    };
    return { title, fragments: new Proxy(fragments, { get }) };
  });
  const [found] = answer(index, parseSearchRequest({ query: "zebra" }), analyzed);
  expect(found?.similarTextParts.map(({ start, similarity }) => [start, similarity])).toEqual(
    [1, 2, 3].map((line) => [line, 1]),
  );
  expect(reads).toBeGreaterThanOrEqual(TEXT_PARTS_MAX);
  expect(reads).toBeLessThan(5 * TEXT_PARTS_MAX);
});

it("quotes other lines beside one in which several texts equal the question", () => {
  const index = new SearchIndex(analyzer);
  const said = `${"It is said of a zebra again and again, ".repeat(24)}so it was.`;
  const md = `## A\n\n${`${said} `.repeat(3)}\n\n## B\n\nSome zebra there.\n\n## C\n\n${said}`;
  index.replace({ id: "d", type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [] }, 1);
  const [found] = answer(index, parseSearchRequest({ query: said }), analyzeQuery(said, analyzer));
  const quoted = found?.similarTextParts.map(({ start, similarity }) => [start, similarity === 1]);
  expect(quoted).toEqual([
    [3, true],
    [11, true],
    [7, false],
  ]);
});
