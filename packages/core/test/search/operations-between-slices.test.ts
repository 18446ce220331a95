import { describe, expect, it } from "vitest";
import { hnswGraphs } from "../../src/index/vectors/hnsw.ts";
import { ArticleTable, versioned } from "../../src/log/article-table.ts";
import { articlesIn, documentsIn, sortedArticlesIn } from "../../src/log/listings.ts";
import type { BotState } from "../../src/log/state.ts";
import { SLICE_OPERATIONS_MAX } from "../../src/model/limits.ts";
import type { ArticleFields } from "../../src/model/records.ts";
import type { StoredDocument } from "../../src/model/types.ts";
import type { Sliced } from "../../src/scheduling/time-slices.ts";
import { askCounted, askEagerly } from "./operations-between-slices.ts";

const MANY = 50_000;
const PASSAGES = 300;

/** Reads of fields between two yields, at most, and of all. */
function readsOf(count: () => number, steps: Sliced<readonly unknown[]>): { longest: number; all: number } {
  let longest = 0;
  for (;;) {
    const before = count();
    const { done } = steps.next();
    longest = Math.max(longest, count() - before);
    if (done === true) return { longest, all: count() };
  }
}

/** The same object, whose reads are counted. */
function counted<Value extends object>(value: Value, onRead: () => void): Value {
  const read = (of: Value, name: string | symbol): unknown => {
    onRead();
    return Reflect.get(of, name);
  };
  return new Proxy(value, { get: read });
}

describe("between two yields", () => {
  it("a search does at most so many operations, whatever its question and its filters", async () => {
    const { longest, all } = await askCounted(2_000);
    // A bot of a twenty-fifth of the passages: what grows with them unnoticed would be above it.
    const most = SLICE_OPERATIONS_MAX / 25;
    expect(longest).toBeLessThanOrEqual(most);
    expect(all).toBeGreaterThan(20 * most);
  });

  it("a search does no more than what it has counted at once", async () => {
    for (const options of [undefined, { graphs: hnswGraphs(true), graphVectorsMin: 100 }]) {
      const { countsASlice, uncounted, counts } = await askEagerly(PASSAGES, options);
      expect(countsASlice).toBe(1);
      // A glance at each document is all that is not counted. A walk through a graph counts as the scan that takes as long.
      if (options === undefined) expect(uncounted).toBeLessThanOrEqual(PASSAGES);
      expect(counts).toBeGreaterThan(5_000);
    }
  });

  it("a list of articles reads at most so many fields, of those with some metadata as well", () => {
    let reads = 0;
    const articles = new ArticleTable();
    for (let i = 0; i < MANY; i++) {
      const id = i.toString(16).padStart(24, "0");
      const text = { title: "Title", body: "Body", activeOn: [], metadata: { team: `t${i % 3}`, n: i } };
      const fields: ArticleFields = { id, ...text, createdAtMs: i, updatedAtMs: i, characterCount: 9 };
      articles.set(id, { ...versioned(fields, 1), fields: counted(fields, () => reads++) });
    }
    const state = { articles } as BotState;
    const metadata = new Map([
      ["team", "t1"],
      ["n", "7"],
    ]);
    for (const filter of [{}, { title: "Title" }, { metadata }, { metadata: new Map([["team", "t1"]]) }]) {
      reads = 0;
      const { longest, all } = readsOf(() => reads, articlesIn(state, filter));
      expect(longest).toBeLessThanOrEqual(SLICE_OPERATIONS_MAX);
      expect(longest * 4).toBeLessThan(Math.max(all, MANY * 4));
      for (const max of [20, MANY]) {
        reads = 0;
        const sorted = readsOf(() => reads, sortedArticlesIn(state, filter, { sort: "updatedAt:desc", max }));
        expect(sorted.longest).toBeLessThanOrEqual(SLICE_OPERATIONS_MAX);
        expect(sorted.longest * 4).toBeLessThan(Math.max(sorted.all, MANY * 4));
      }
    }
  });

  it("a list of documents reads at most so many fields", () => {
    let reads = 0;
    const documents = new Map(
      Array.from({ length: MANY }, (_, i) => {
        const document: StoredDocument = {
          resourceDocId: `d${(i * 7_919) % MANY}`,
          type: "DOCUMENT",
          status: "active",
          metaData: {},
          content: [],
        };
        return [document.resourceDocId, { document: counted(document, () => reads++), version: 1 }];
      }),
    );
    const state = { documents } as unknown as BotState;
    const { longest, all } = readsOf(() => reads, documentsIn(state, { type: "DOCUMENT", status: "active" }));
    expect(all).toBeGreaterThan(4 * longest);
    expect(longest).toBeLessThanOrEqual(SLICE_OPERATIONS_MAX / 32);
  });
});
