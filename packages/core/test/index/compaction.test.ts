import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { compact, isMostlyGone, renumberPassages, renumberWindows } from "../../src/index/compaction.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import { LexicalIndex } from "../../src/index/postings/lexical-index.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { sectionsOf } from "../../src/index/snapshot/index-sections.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchableDocument, SearchResult } from "../../src/model/types.ts";
import { finished, type Sliced } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ weight: 0.5, dimensions: 16 });

function document(id: string, md: string): SearchableDocument {
  return { id, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [`About ${id}`] };
}

function emptyIndex(): SearchIndex {
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions));
  return index;
}

const encode = (text: string): Int8Array => encodeVector(embedder.vectorOf(text));

function giveVectors(index: SearchIndex, given: SearchableDocument): void {
  const codes = [...embeddedTexts(cutDocument(given))].flatMap((text) => [...encode(text)]);
  index.windowVectors.set(given.id, Int8Array.from(codes));
}

function ask(index: SearchIndex, query: string): SearchResult[] {
  const request = parseSearchRequest({ query, options: { topK: 50 } });
  const analyzed = analyzeQuery(query, analyzer);
  const embedded = { embedder, vector: embedder.vectorOf(query) };
  return [...answer(index, request, analyzed), ...answer(index, request, analyzed, embedded)];
}

/** One step; whether there are no more. */
function one(steps: Sliced<unknown> | undefined): boolean {
  return steps?.next().done ?? true;
}

const WORDS = ["pear", "plum", "fig", "apple", "quince", "sorb"];
const QUERIES = ["pear plum", "aple", "About d1", "quince sorb fig"];

const text = fc
  .array(
    fc.array(
      fc.oneof(
        fc.constantFrom(...WORDS),
        fc.nat(999).map((n) => `w${n}`),
      ),
      { minLength: 1, maxLength: 8 },
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((paragraphs) => paragraphs.map((words, i) => `# Part ${i}\n\n${words.join(" ")}`).join("\n\n"));

type Command =
  | { readonly kind: "replace" | "come"; readonly id: string; readonly md: string }
  | { readonly kind: "remove" | "vectors"; readonly id: string }
  | { readonly kind: "passages" | "parts" | "step" };

const id = fc.nat(6).map((n) => `d${n}`);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("replace" as const), id, md: text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("come" as const), id, md: text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), id }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("vectors" as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("passages" as const, "parts" as const, "step" as const) }),
  },
);

describe("an index that is compacted", () => {
  it("answers at every step as one that was made anew of what is there, to the bit", () => {
    const runs = lawRuns(60);
    let compactions = 0;
    fc.assert(
      fc.property(fc.array(command, { minLength: 5, maxLength: 40, size: "max" }), fc.nat(7), (commands, pace) => {
        const index = emptyIndex();
        const there = new Map<string, { readonly document: SearchableDocument; vectors: boolean }>();
        let staged: Sliced<unknown> | undefined;
        let compacting: Sliced<void> | undefined;
        let version = 0;
        for (const each of commands) {
          if (each.kind === "replace") {
            // One at a time may be on its way.
            while (!one(staged));
            staged = undefined;
            index.replace(document(each.id, each.md), ++version);
            there.delete(each.id);
            there.set(each.id, { document: document(each.id, each.md), vectors: false });
          } else if (each.kind === "come") {
            while (!one(staged));
            const given = document(each.id, each.md);
            staged = index.replaceInSlices(given, {
              version: ++version,
              cut: cutDocument(given),
              current: () => {
                there.delete(given.id);
                there.set(given.id, { document: given, vectors: true });
                return given;
              },
              encode,
            });
          } else if (each.kind === "remove") {
            index.remove(each.id);
            there.delete(each.id);
          } else if (each.kind === "vectors") {
            const known = there.get(each.id);
            if (known !== undefined) giveVectors(index, known.document);
            if (known !== undefined) known.vectors = true;
          } else if (each.kind !== "step" && compacting === undefined) {
            compacting = each.kind === "passages" ? renumberPassages(index) : renumberWindows(index);
          }
          one(staged);
          for (let i = 0; i <= pace; i++) {
            if (compacting === undefined || !one(compacting)) continue;
            compacting = undefined;
            compactions++;
          }
          const fresh = emptyIndex();
          for (const { document: given, vectors } of there.values()) {
            fresh.replace(given, 1);
            if (vectors) giveVectors(fresh, given);
          }
          for (const query of QUERIES) expect(ask(index, query)).toEqual(ask(fresh, query));
        }
      }),
      { numRuns: runs },
    );
    expect(compactions).toBeGreaterThan(runs / 4);
  }, 60_000);

  it("takes out what goes while it is being copied, and nothing else", () => {
    const md = "# One\n\npear\n\n# Two\n\nplum\n\n# Three\n\nfig";
    for (let at = 0; at < 12; at++) {
      const index = emptyIndex();
      for (const [i, name] of ["a", "b", "c", "d"].entries()) index.replace(document(name, md), i + 1);
      index.remove("a");
      const work = renumberPassages(index);
      for (let step = 0; step < at; step++) one(work);
      index.remove("b");
      finished(work);
      const fresh = emptyIndex();
      for (const name of ["c", "d"]) fresh.replace(document(name, md), 1);
      for (const query of ["pear", "plum", "fig"]) expect(ask(index, query)).toEqual(ask(fresh, query));
      expect(index.lexical.passageCount).toBe(6);
    }
  });

  it("holds what is there now, not what once was", () => {
    const words = (round: number): string =>
      Array.from(
        { length: 40 },
        (_, i) => `# Part ${i}\n\n${Array.from({ length: 25 }, (_, j) => `w${round}x${i}x${j}`).join(" ")}`,
      ).join("\n\n");
    const sizes = (rounds: number): number[] => {
      const index = emptyIndex();
      index.replace(document("keep", "a lasting apple"), 1);
      for (let round = 0; round < rounds; round++) {
        index.replace(document("churn", words(round)), round + 2);
        giveVectors(index, document("churn", words(round)));
        if (isMostlyGone(index)) finished(compact(index));
      }
      return [
        index.lexical.vocabularySize,
        index.lexical.nextOrdinal,
        index.windows.next,
        index.bytes + index.vectorBytes,
      ];
    };
    const [few, many] = [sizes(30), sizes(120)];
    for (const [i, size] of many.entries()) expect(size).toBeLessThan(2 * (few[i] ?? 0));
    expect(many[0]).toBeLessThan(1_000 * 4);
  });

  it("is written as it is now, also while much that is gone is still in memory", async () => {
    const bytesOf = async (index: SearchIndex): Promise<number> => {
      let bytes = 0;
      for (const { chunks } of sectionsOf(index)) for await (const chunk of chunks) bytes += chunk.length;
      return bytes;
    };
    const [updated, fresh] = [emptyIndex(), emptyIndex()];
    const md = (round: number): string => Array.from({ length: 800 }, (_, i) => `w${round * 1_000 + i}`).join(" ");
    for (let round = 10; round < 40; round++) updated.replace(document("a", md(round)), 1);
    fresh.replace(document("a", md(39)), 1);
    expect(updated.lexical.vocabularySize).toBeGreaterThan(20 * fresh.lexical.vocabularySize);
    expect(await bytesOf(updated)).toBe(await bytesOf(fresh));
  });

  it("works in steps of a passage", () => {
    const index = emptyIndex();
    const md = Array.from({ length: 200 }, (_, i) => `# Part ${i}\n\npear w${i}`).join("\n\n");
    index.replace(document("large", md), 1);
    const passages = index.lexical.passageCount;
    let steps = 0;
    for (const work = renumberPassages(index); work.next().done !== true; ) steps++;
    expect(passages).toBeGreaterThan(100);
    expect(steps).toBeGreaterThanOrEqual(passages);
  });
});

describe("an index without room", () => {
  it("refuses a document and keeps the version before it; once what is gone is reclaimed, it takes it", () => {
    const index = new SearchIndex(analyzer, new LexicalIndex(undefined, undefined, 4));
    const three = "# One\n\npear\n\n# Two\n\nplum\n\n# Three\n\nfig";
    index.replace(document("a", "apple"), 1);
    index.replace(document("b", "quince"), 2);
    const before = ask(index, "apple quince");
    expect(() => index.replace(document("a", three), 3)).toThrow(/at most 16777216 passages: remove/);
    expect(ask(index, "apple quince")).toEqual(before);
    expect(index.versionOf("a")).toBe(1);
    index.remove("b");
    expect(() => index.replace(document("c", three), 3)).toThrow(RangeError);
    finished(renumberPassages(index));
    index.replace(document("c", three), 3);
    expect(ask(index, "apple").map(({ resourceDocId }) => resourceDocId)).toContain("a");
    expect(ask(index, "plum").map(({ resourceDocId }) => resourceDocId)).toContain("c");
  });
});
