import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument, cutInSlices } from "../../src/index/embedded-texts.ts";
import { windowCountOf } from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished, type Sliced } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });
const encode = (text: string): Int8Array => encodeVector(embedder.vectorOf(text));

const QUESTIONS = ["car", "pear", "buy a plum", "pear fig", "quick hound", "Harbour"];

const word = fc.constantFrom("pear", "plum", "fig", "car", "automobile", "buy", "hound", "fast", "penguin", "harbour");
const paragraph = fc.array(word, { minLength: 1, maxLength: 120 }).map((words) => words.join(" "));
const content = fc
  .array(paragraph, { minLength: 1, maxLength: 5 })
  .map((paragraphs) => paragraphs.join("\n\n## Next\n\n"));
const drawn = fc.record({ id: fc.constantFrom("a", "b", "c", "d"), md: content, title: word });

function searchable({ id, md, title }: { id: string; md: string; title: string }): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [title] };
}

function emptyIndex(): SearchIndex {
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  return index;
}

function put(index: SearchIndex, document: SearchableDocument, version: number): Sliced<unknown> {
  return index.replaceInSlices(document, { version, cut: cutDocument(document), current: () => document, encode });
}

function answers(index: SearchIndex): SearchResult[][] {
  return QUESTIONS.flatMap((query) => {
    const request = parseSearchRequest({ query });
    const embedded = { embedder, vector: embedder.vectorOf(query) };
    return [
      answer(index, request, analyzeQuery(query, analyzer)),
      answer(index, request, analyzeQuery(query, analyzer), embedded),
    ];
  });
}

function figures(index: SearchIndex) {
  const { passageCount, goneCount } = index.lexical;
  return { passageCount, gone: goneCount > 0, vectors: index.windowVectors.rows?.count, windows: index.windows.count };
}

describe("a document on its way into the index", () => {
  it("is seen whole or not at all, in every step of coming and of leaving", () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 5 }), drawn, (before, staged) => {
        const index = emptyIndex();
        for (const [i, document] of before.entries()) finished(put(index, searchable(document), i + 1));
        const old = { answers: answers(index), figures: figures(index), version: index.versionOf(staged.id) };
        const work = index.replaceInSlices(searchable(staged), {
          version: 100,
          cut: cutDocument(searchable(staged)),
          current: () => searchable(staged),
          encode,
        });
        let step = work.next();
        for (; step.done !== true; step = work.next()) {
          expect({ answers: answers(index), figures: figures(index), version: index.versionOf(staged.id) }).toEqual(
            old,
          );
        }
        const others = before.filter(({ id }, i) => id !== staged.id && before.findLastIndex((b) => b.id === id) === i);
        const fresh = emptyIndex();
        for (const [i, document] of others.entries()) finished(put(fresh, searchable(document), i + 1));
        finished(put(fresh, searchable(staged), 100));
        const now = answers(fresh);
        expect(answers(index)).toEqual(now);
        const left = step.value?.left ?? expect.fail("it was not entered");
        while (left.next().done !== true) expect(answers(index)).toEqual(now);
        expect(answers(index)).toEqual(now);
        const place = index.documents.find(staged.id) ?? expect.fail("it is not there");
        const gone = index.leave(staged.id);
        for (let i = 0; i < windowCountOf(place); i++) {
          expect(index.windowVectors.rows?.has(place.firstWindow + i)).toBe(false);
        }
        const without = emptyIndex();
        for (const [i, document] of others.entries()) finished(put(without, searchable(document), i + 1));
        const rest = answers(without);
        expect(answers(index)).toEqual(rest);
        while (gone.next().done !== true) expect(answers(index)).toEqual(rest);
      }),
      { numRuns: lawRuns(60) },
    );
  });

  it("leaves nothing behind when it is given up, wherever that is", () => {
    fc.assert(
      fc.property(drawn, drawn, fc.nat(60), (there, staged, steps) => {
        const index = emptyIndex();
        finished(put(index, searchable({ ...there, id: "a" }), 1));
        const [before, counted] = [answers(index), figures(index)];
        const work = put(index, searchable({ ...staged, id: "b" }), 2);
        let isDone = false;
        for (let i = 0; i < steps && !isDone; i++) isDone = work.next().done === true;
        if (isDone) return;
        work.return(undefined);
        expect(answers(index)).toEqual(before);
        expect({ ...figures(index), gone: false }).toEqual({ ...counted, gone: false });
        // Its slot and its numbers are in nobody's way.
        finished(put(index, searchable({ ...staged, id: "b" }), 3));
        const fresh = emptyIndex();
        finished(put(fresh, searchable({ ...there, id: "a" }), 1));
        finished(put(fresh, searchable({ ...staged, id: "b" }), 3));
        expect(answers(index)).toEqual(answers(fresh));
      }),
      { numRuns: lawRuns(60) },
    );
  });

  it("makes nobody's title one that others have when it is given up", () => {
    const index = emptyIndex();
    const known = searchable({ id: "a", md: "pear plum", title: "car" });
    finished(put(index, known, 1));
    const given = searchable({ id: "b", md: "fig", title: "car" });
    let steps = 0;
    for (const all = put(emptyIndex(), given, 1); all.next().done !== true; ) steps++;
    const work = put(index, given, 2);
    for (let i = 0; i < steps; i++) expect(work.next().done).toBe(false);
    work.return(undefined);
    const next = searchable({ id: "c", md: "penguin", title: "fast" });
    finished(put(index, next, 3));
    const fresh = emptyIndex();
    finished(put(fresh, known, 1));
    finished(put(fresh, next, 3));
    expect(answers(index)).toEqual(answers(fresh));
  });

  it("is not entered when it is no longer wanted", () => {
    const index = emptyIndex();
    const document = searchable({ id: "a", md: "pear", title: "car" });
    const version = 1;
    expect(
      finished(index.replaceInSlices(document, { version, cut: cutDocument(document), current: () => undefined })),
    ).toBeUndefined();
    expect(index.versionOf("a")).toBeUndefined();
    expect(answers(index).flat()).toEqual([]);
  });

  it.each([
    ["paragraphs", "Some words about a harbour and its boats.\n\n"],
    ["lines of one paragraph", "Some words about a harbour and its boats.\n"],
    ["one line", "Some words about a harbour and its boats. "],
    ["marks without words", "- - \n\n"],
    ["one word", "harbour"],
    ["a table", "| harbour | boats |\n|---|---|\n| many | few |\n"],
    ["code", "    let harbour = boats();\n"],
  ])("takes as many more steps as it is longer: %s", (_, md) => {
    const document = (times: number) => searchable({ id: "a", md: md.repeat(times), title: "car" });
    expect(sliceCount(document(8_000))).toBeGreaterThan(sliceCount(document(2_000)) * 2);
  });
});

/** Steps in which a document is cut and indexed. */
function sliceCount(document: SearchableDocument): number {
  let steps = 0;
  const cutting = cutInSlices(document);
  let cut = cutting.next();
  for (; cut.done !== true; cut = cutting.next()) steps++;
  const work = emptyIndex().replaceInSlices(document, { version: 1, cut: cut.value, current: () => document, encode });
  while (work.next().done !== true) steps++;
  return steps;
}
