import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { renumberPassages, renumberWindows } from "../../src/index/compaction.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import { OtherLanguage } from "../../src/index/language-change.ts";
import { ForwardLists } from "../../src/index/postings/forward-lists.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const english = (await analyzerOf("en")) ?? expect.fail("no English");
const german = (await analyzerOf("de")) ?? expect.fail("no German");
const embedder = new FakeEmbedder({ weight: 0.5, dimensions: 16 });

function document(id: string, md: string): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [`Titel ${id}`] };
}

function indexIn(analyzer: typeof english): SearchIndex {
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions));
  return index;
}

function put(index: SearchIndex, given: SearchableDocument, version: number): void {
  index.replace(given, version);
  const codes = [...embeddedTexts(cutDocument(given))].flatMap((text) => [...encodeVector(embedder.vectorOf(text))]);
  index.windowVectors.set(given.id, Int8Array.from(codes));
}

const QUERIES = ["Kündigung", "Paketnummer kaufen", "Frist", "walking"];

function answers(index: SearchIndex): SearchResult[][] {
  return QUERIES.flatMap((query) => {
    const [request, analyzed] = [parseSearchRequest({ query }), analyzeQuery(query, index.analyzer)];
    const embedded = { embedder, vector: embedder.vectorOf(query) };
    return [answer(index, request, analyzed), answer(index, request, analyzed, embedded)];
  });
}

const WORDS = [
  "Kündigungen",
  "kündigen",
  "Paket",
  "Paketnummer",
  "Nummer",
  "kauft",
  "Fristen",
  "walked",
  "walk",
  "der",
];
const md = fc
  .array(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 })
  .map((paragraphs) => paragraphs.map((words, i) => `# Teil ${i}\n\n${words.join(" ")}`).join("\n\n"));
const id = fc.nat(4).map((n) => `d${n}`);
const change = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), id, md }),
  fc.record({ kind: fc.constant("remove" as const), id }),
  fc.record({ kind: fc.constantFrom("passages" as const, "parts" as const) }),
);

describe("an index that is read in another language", () => {
  it("answers in the old one until all is there, and then as one that was made in the new one", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(id, md), { maxLength: 6 }),
        fc.array(fc.tuple(fc.nat(12), change), { maxLength: 6 }),
        (given, changes) => {
          const now = new Map<string, SearchableDocument>();
          const [index, old] = [indexIn(english), indexIn(english)];
          let version = 0;
          const enter = (each: string, text: string): void => {
            const next = document(each, text);
            now.set(each, next);
            version += 1;
            for (const one of [index, old]) put(one, next, version);
          };
          for (const [each, text] of given) enter(each, text);
          const other = new OtherLanguage(index, german);
          const work = other.follow();
          for (const [steps, next] of changes) {
            for (let i = 0; i < steps; i++) work.next();
            if (next.kind === "put") enter(next.id, next.md);
            else if (next.kind === "remove") {
              now.delete(next.id);
              for (const one of [index, old]) one.remove(next.id);
            } else finished(next.kind === "passages" ? renumberPassages(index) : renumberWindows(index));
            expect(answers(index)).toEqual(answers(old));
          }
          finished(work);
          const last = other.takeOver();
          while (index.analyzer === english) {
            expect(answers(index)).toEqual(answers(old));
            last.next();
          }
          const anew = indexIn(german);
          for (const each of now.values()) put(anew, each, 1);
          expect(answers(index)).toEqual(answers(anew));
          // It goes on as any other.
          for (const one of [index, anew]) put(one, document("later", "# Neu\n\nKündigungsfrist"), 2);
          finished(renumberPassages(index));
          expect(answers(index)).toEqual(answers(anew));
        },
      ),
      { numRuns: lawRuns(60) },
    );
  });

  it("loses what goes while it is taken over", () => {
    const index = indexIn(english);
    for (let i = 0; i < 5; i++) put(index, document(`d${i}`, "Die Kündigungen."), 1);
    const other = new OtherLanguage(index, german);
    finished(other.follow());
    const last = other.takeOver();
    for (let i = 0; i < 4; i++) last.next();
    index.remove("d3");
    finished(last);
    const found = answer(index, parseSearchRequest({ query: "kündigung" }), analyzeQuery("kündigung", german));
    expect(found.map(({ resourceDocId }) => resourceDocId)).toEqual(["d0", "d1", "d2", "d4"]);
  });

  it("has all of its terms counted when it is ready", () => {
    const index = indexIn(english);
    for (let n = 0; n < 5; n++) put(index, document(`d${n}`, "Die Kündigung, der Paketkauf."), n + 1);
    const other = new OtherLanguage(index, german);
    finished(other.follow());
    finished(other.takeOver());
    const read = vi.spyOn(ForwardLists.prototype, "read");
    finished(index.lexical.settle());
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });
});
