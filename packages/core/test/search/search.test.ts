import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { compact, isMostlyGone } from "../../src/index/compaction.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { sectionsOf } from "../../src/index/snapshot/index-sections.ts";
import { indexFromSections } from "../../src/index/snapshot/load-index.ts";
import { Lines } from "../../src/markdown/lines.ts";
import { normalForm, normalFormOfPlain } from "../../src/markdown/normal-form.ts";
import { joinContent } from "../../src/markdown/passages.ts";
import { plainText } from "../../src/markdown/plain-text.ts";
import type { DocumentType, JsonObject, SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import type { LoadedSection, SnapshotSection } from "../../src/storage/store.ts";
import { answer } from "../support/answer.ts";
import { markdownArbitrary } from "../support/markdown-arbitrary.ts";

const found = await analyzerOf("en");
if (found === undefined) throw new Error("English is missing");
const analyzer = found;

interface Given {
  readonly type?: DocumentType;
  readonly titles?: readonly string[];
  readonly metaData?: JsonObject;
  readonly status?: "active" | "inactive" | "pending";
}

function document(id: string, md: string, given: Given = {}): SearchableDocument {
  return {
    id,
    type: given.type ?? "DOCUMENT",
    status: given.status ?? "active",
    metaData: given.metaData ?? {},
    content: [{ md }],
    titles: given.titles ?? [],
  };
}

function indexOf(documents: readonly SearchableDocument[]): SearchIndex {
  const index = new SearchIndex(analyzer);
  for (const [i, each] of documents.entries()) index.replace(each, i + 1);
  return index;
}

function ask(index: SearchIndex, query: string, options: object = {}, filters: object = {}): SearchResult[] {
  return answer(index, parseSearchRequest({ query, options, filters }), analyzeQuery(query, analyzer));
}

async function loaded(sections: readonly SnapshotSection[]): Promise<Map<string, LoadedSection>> {
  const map = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of sections) {
    const windows: Uint8Array[] = [];
    for await (const chunk of chunks) windows.push(chunk.slice());
    // At an odd offset in a larger buffer, as a file's bytes may be.
    const bytes = Buffer.concat([Buffer.of(0), ...windows]).subarray(1);
    map.set(name, { name, version, bytes });
  }
  return map;
}

describe("a question that waited for its vector", () => {
  it("is answered by what the index holds when it comes", () => {
    const index = indexOf([document("a", "Parcels leave at noon.")]);
    const analyzed = analyzeQuery("when do zebras and parcels leave", analyzer);
    const request = parseSearchRequest({ query: "when do zebras and parcels leave" });
    const first = answer(index, request, analyzed);
    index.replace(document("b", "Zebras are striped."), 2);
    const second = answer(index, request, analyzed);
    expect(second).toEqual(ask(index, request.query));
    expect(second).toHaveLength(2);
    index.remove("b");
    expect(answer(index, request, analyzed)).toEqual(first);
  });
});

describe("a search", () => {
  const animals = indexOf([
    document("cat", "# Cats\n\nA cat sleeps all day.\n\n- It purrs when happy.\n- It hunts mice at night."),
    document("dog", "# Dogs\n\nA dog guards the house.\n\nIt barks at strangers."),
    document("fish", "Fish swim.", { titles: ["Keeping an aquarium"], metaData: { title: "Keeping an aquarium" } }),
  ]);

  it("quotes the item that answers, with its line", () => {
    const [first] = ask(animals, "what hunts mice");
    expect(first?.resourceDocId).toBe("cat");
    expect(first?.similarTextParts[0]).toMatchObject({ text: "- It hunts mice at night.", start: 6, stop: 6 });
  });

  it("finds a document by its title, and quotes its first block", () => {
    const [first] = ask(animals, "aquarium");
    expect(first?.resourceDocId).toBe("fish");
    expect(first?.similarTextParts[0]).toMatchObject({ text: "Fish swim.", start: 1, stop: 1 });
  });

  it.each([
    ["a dog guards THE  house.", "dog"],
    ["**Keeping** an aquarium", "fish"],
    ["It purrs when happy.", "cat"],
  ])("gives 1 for %j, which equals a part or a title", (query, id) => {
    const [first, ...others] = ask(animals, query);
    expect(first?.resourceDocId).toBe(id);
    expect(first?.bestMatchScore).toBe(1);
    for (const other of others) expect(other.bestMatchScore).toBeLessThan(1);
  });

  it("stays below 1 for a query that equals a heading", () => {
    const [first] = ask(animals, "Dogs");
    expect(first?.resourceDocId).toBe("dog");
    expect(first?.bestMatchScore).toBeLessThanOrEqual(0.999);
  });

  it("finds nothing for marks, unknown words or an empty index", () => {
    expect(ask(animals, " ?! ")).toEqual([]);
    expect(ask(animals, "xylograph quux")).toEqual([]);
    expect(ask(indexOf([]), "anything")).toEqual([]);
  });

  it("no longer finds what was removed, and finds what replaced it", () => {
    const index = indexOf([document("a", "red apple"), document("b", "green pear")]);
    index.remove("a");
    expect(ask(index, "apple")).toEqual([]);
    index.replace(document("b", "yellow banana"), 9);
    expect(ask(index, "pear")).toEqual([]);
    expect(ask(index, "banana").map((result) => result.resourceDocId)).toEqual(["b"]);
    expect(index.versionOf("b")).toBe(9);
  });

  it("does not return a document without text, but knows its version", () => {
    const index = indexOf([document("empty", " \n\n---\n", { titles: ["A title that matches"] })]);
    expect(ask(index, "A title that matches")).toEqual([]);
    expect(index.versionOf("empty")).toBe(1);
  });

  it("orders equal scores by id and never returns more than topK", () => {
    const index = indexOf(["d", "b", "a", "c"].map((id) => document(id, "the same words here")));
    expect(ask(index, "same words", { topK: 3 }).map((result) => result.resourceDocId)).toEqual(["a", "b", "c"]);
  });

  it("applies filters before the best are taken", () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      document(`d${String(i).padStart(3, "0")}`, i < 190 ? "apple apple apple" : "an apple among other words", {
        metaData: { late: i >= 190, tags: ["x", i] },
      }),
    );
    const index = indexOf(many);
    expect(ask(index, "apple", { topK: 5 }, { "metaData.late": true })).toHaveLength(5);
    expect(ask(index, "apple", {}, { "metaData.tags": 195 }).map((r) => r.resourceDocId)).toEqual(["d195"]);
    expect(ask(index, "apple", {}, { "metaData.late": "true" })).toEqual([]);
  });

  it("returns the same best documents as a search for all of them", () => {
    const words = fc.constantFrom("the", "the", "of", "a", "apple", "pear", "plum", "rare");
    const text = fc.array(words, { minLength: 1, maxLength: 15 }).map((all) => all.join(" "));
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 80 }), text, fc.boolean(), (texts, query, filtered) => {
        const index = indexOf(texts.map((md, i) => document(`d${i}`, md, { metaData: { odd: i % 2 === 1 } })));
        const filters = filtered ? { "metaData.odd": true } : {};
        const all = ask(index, query, { topK: 100 }, filters);
        expect(ask(index, query, { topK: 3 }, filters)).toEqual(all.slice(0, 3));
      }),
    );
  });

  it("leaves out questions, or inactive ones, when asked to", () => {
    const index = indexOf([
      document("q1", "Press the button.", { type: "QNA", titles: ["How to reset?", "reboot the machine"] }),
      document("q2", "Press it long.", { type: "QNA", titles: ["How to reset it all?"], status: "pending" }),
      document("doc", "To reset, press.", { status: "inactive" }),
    ]);
    expect(
      ask(index, "reset")
        .map((r) => r.resourceDocId)
        .sort(),
    ).toEqual(["doc", "q1", "q2"]);
    expect(ask(index, "reset", { includeFaqs: false }).map((r) => r.resourceDocId)).toEqual(["doc"]);
    expect(
      ask(index, "reset", { onlyActiveIntents: true })
        .map((r) => r.resourceDocId)
        .sort(),
    ).toEqual(["doc", "q1"]);
    expect(ask(index, "Reboot the machine")[0]).toMatchObject({ resourceDocId: "q1", bestMatchScore: 1 });
  });

  it("takes amended metadata at once", () => {
    const index = indexOf([document("a", "red apple", { metaData: { shelf: 1 } })]);
    index.amend(document("a", "red apple", { metaData: { shelf: 2 } }));
    expect(ask(index, "apple", {}, { "metaData.shelf": 2 })).toHaveLength(1);
    index.amend(document("missing", "x"));
    expect(index.versionOf("missing")).toBeUndefined();
  });

  it("keeps answering the same when passages that are gone are reclaimed", () => {
    const index = indexOf([document("keep", "a lasting apple"), document("also", "apple pie")]);
    for (let round = 0; round < 3_000; round++) {
      index.replace(document("churn", `round ${round} of pear`), round + 10);
      if (isMostlyGone(index)) finished(compact(index));
    }
    expect(index.lexical.goneCount).toBeLessThan(2_000);
    const fresh = indexOf([
      document("keep", "a lasting apple"),
      document("also", "apple pie"),
      document("churn", "round 2999 of pear"),
    ]);
    for (const query of ["apple", "lasting apple", "pear 2999"]) expect(ask(index, query)).toEqual(ask(fresh, query));
  });
});

const corpus = fc.array(fc.tuple(markdownArbitrary, fc.constantFrom([], ["A heading"], ["plain words"])), {
  minLength: 1,
  maxLength: 6,
});
const question = fc.oneof(
  fc.constantFrom("plain words", "item", "Heading deeper", "A sentence of words.", "1 2", "escaped"),
  fc.string({ minLength: 1 }),
);

describe("every result", () => {
  it("slices back, is ordered, and has its scores in [0, 1]", () => {
    fc.assert(
      fc.property(corpus, question, (texts, query) => {
        const documents = texts.map(([md, titles], i) => document(`d${i}`, md, { titles }));
        const results = ask(indexOf(documents), query, { includeContent: true });
        let last = 1;
        for (const result of results) {
          const parts = result.similarTextParts;
          expect(parts.length).toBeGreaterThanOrEqual(1);
          expect(parts.length).toBeLessThanOrEqual(3);
          expect(result.bestMatchScore).toBe(Math.max(...parts.map((window) => window.similarity)));
          expect(result.bestMatchScore).toBeLessThanOrEqual(last);
          expect(result.bestMatchScore).toBeGreaterThan(0);
          last = result.bestMatchScore;
          const lines = Lines.of(joinContent(result.content));
          const titles = documents.find(({ id }) => id === result.resourceDocId)?.titles ?? [];
          const isTitle = titles.some((title) => normalForm(title) === normalForm(query));
          for (const [i, part] of parts.entries()) {
            const whole = lines.slice(part.start, part.stop);
            if ([...whole].length <= 2_000) expect(part.text).toBe(whole);
            else expect(whole).toContain(part.text);
            // What a part says is by what it is in its document, which it does not tell by itself.
            const readings = (["text", "code", "html"] as const).map((reading) =>
              normalFormOfPlain(plainText(part.text, reading)),
            );
            const equal = readings.filter((form) => form === normalForm(query)).length;
            const isEqualTitle = isTitle && i === 0;
            if (part.similarity > 0.999) expect(part.similarity === 1 && (equal > 0 || isEqualTitle)).toBe(true);
            if (equal === readings.length || isEqualTitle) expect(part.similarity).toBe(1);
            for (const other of parts.slice(0, i))
              expect(part.start > other.stop || part.stop < other.start).toBe(true);
          }
        }
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it("is the same after the index was saved and loaded", async () => {
    await fc.assert(
      fc.asyncProperty(corpus, fc.array(fc.nat(5)), question, async (texts, removals, query) => {
        const documents = new Map(texts.map(([md, titles], i) => [`d${i}`, document(`d${i}`, md, { titles })]));
        const index = indexOf([...documents.values()]);
        for (const removal of removals) {
          index.remove(`d${removal}`);
          documents.delete(`d${removal}`);
        }
        const again = finished(indexFromSections(analyzer, await loaded(sectionsOf(index)), (id) => documents.get(id)));
        expect(ask(again, query)).toEqual(ask(index, query));
        for (const id of documents.keys()) expect(again.versionOf(id)).toBe(index.versionOf(id));
      }),
      { numRuns: lawRuns(60) },
    );
  });
});

describe("a loaded index", () => {
  it("leaves out versions that are no longer the newest", async () => {
    const index = indexOf([document("old", "red apple"), document("kept", "green apple")]);
    const sections = await loaded(sectionsOf(index));
    const again = finished(
      indexFromSections(analyzer, sections, (id) => (id === "kept" ? document("kept", "green apple") : undefined)),
    );
    expect(again.versionOf("old")).toBeUndefined();
    expect(ask(again, "apple")).toEqual(ask(indexOf([document("kept", "green apple")]), "apple"));
    again.replace(document("new", "blue apple"), 7);
    expect(ask(again, "blue apple")[0]?.resourceDocId).toBe("new");
  });

  it("is empty if another analyzer or version made the sections", async () => {
    const sections = await loaded(sectionsOf(indexOf([document("a", "apple")])));
    const other = await analyzerOf("multi");
    if (other === undefined) throw new Error("multi is missing");
    expect(finished(indexFromSections(other, sections, () => document("a", "apple"))).versionOf("a")).toBeUndefined();
    const newer = new Map([...sections].map(([name, section]) => [name, { ...section, version: 99 }]));
    expect(finished(indexFromSections(analyzer, newer, () => document("a", "apple"))).versionOf("a")).toBeUndefined();
  });
});
