import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery, encodeVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { HnswGraph, hnswGraphs } from "../../../src/index/vectors/hnsw.ts";
import { HNSW_PARAMETERS } from "../../../src/index/vectors/hnsw-parameters.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { GRAPH_BYTES_MAX } from "../../../src/model/limits.ts";
import { clusteredVectors } from "../../../testing/told-vectors.ts";
import { nearestOf } from "../../support/nearest.ts";
import { IndexByGraph } from "./index-by-graph.ts";

const DIMENSIONS = 16;
const all = clusteredVectors(3_000, DIMENSIONS, 11);
const queries = clusteredVectors(30, DIMENSIONS, 12).map(encodeQuery);
const codesAt = (i: number): Int8Array => encodeVector(all[i % all.length] ?? new Float32Array(DIMENSIONS));
const STILL = { wallMs: () => 0, monotonicMs: () => 0 };

function filled(count: number): IndexByGraph {
  const index = new IndexByGraph(hnswGraphs(true), DIMENSIONS);
  for (let key = 0; key < count; key++) index.set(key, codesAt(key));
  return index;
}

/** Share of the 10 nearest that are found; as near as the tenth is good enough. */
function recall(index: IndexByGraph): number {
  const exact = new ExactScan(index.rows);
  let [found, wanted] = [0, 0];
  for (const query of queries) {
    const best = nearestOf(exact, query, 10);
    const worst = best.at(-1)?.cosine ?? 1;
    wanted += best.length;
    found += index.nearest(query, 10).filter(({ cosine }) => cosine >= worst).length;
  }
  return found / wanted;
}

describe("a graph over codes", () => {
  it("is the same of the same vectors in the same order, tidied in between or not begun yet", async () => {
    const [one, other] = [filled(0), filled(0)];
    for (const index of [one, other]) {
      for (let key = 0; key < 800; key++) index.set(key, codesAt(key));
      for (let key = 0; key < 800; key += 3) index.delete(key);
      index.tidy();
      for (let key = 0; key < 800; key += 6) index.set(key, codesAt(key + 1_000));
    }
    expect(await one.graph.save(GRAPH_BYTES_MAX)).toEqual(await other.graph.save(GRAPH_BYTES_MAX));
  });

  it("built in portions is the one built at once", async () => {
    const built = async (step: (vectors: PassageVectors) => void) => {
      const vectors = new PassageVectors(DIMENSIONS, { graphs: hnswGraphs(true), graphVectorsMin: 10 });
      const isBuilding = (): boolean => vectors.hasWork;
      for (let key = 0; key < 500; key++) vectors.set(key, codesAt(key));
      while (isBuilding()) step(vectors);
      for (let key = 0; key < 200; key++) vectors.delete(key);
      while (isBuilding()) step(vectors);
      return vectors.saveGraph();
    };
    const whole = await built((vectors) => vectors.work(Number.POSITIVE_INFINITY, STILL));
    expect(whole?.length).toBeGreaterThan(1_000);
    expect(await built((vectors) => vectors.work(0, STILL))).toEqual(whole);
  });

  it("finds all copies of one text, and all that is not one", () => {
    const index = filled(0);
    const copy = codesAt(0);
    for (let key = 0; key < 1_000; key++) index.set(key, copy);
    for (let key = 1_000; key < 1_500; key++) index.set(key, codesAt(key));
    const query = encodeQuery(Float32Array.from(copy));
    const keysOf = (k: number) => index.nearest(query, k).map(({ key }) => key);
    expect(keysOf(64)).toEqual(Array.from({ length: 64 }, (_, key) => key));
    expect(keysOf(1_000)).toEqual(Array.from({ length: 1_000 }, (_, key) => key));
    expect(recall(index)).toBeGreaterThan(0.98);
    // They go one by one, the one that stands for all of them too.
    for (let key = 0; key < 998; key++) {
      index.delete(key);
      if (key % 100 === 0) expect(keysOf(2)).toEqual([key + 1, key + 2]);
    }
    index.rows.move(999, 3);
    index.graph.move(999, 3);
    expect(keysOf(2)).toEqual([3, 998]);
    index.delete(3);
    index.delete(998);
    expect(keysOf(1)[0]).toBeGreaterThanOrEqual(1_000);
    expect(index.count).toBe(500);
  });

  it("takes little room for copies", () => {
    const [copies, others] = [filled(0), filled(1_100)];
    for (let key = 0; key < 1_100; key++) copies.set(key, codesAt(0));
    expect(copies.graph.graphBytes).toBeLessThan(others.graph.graphBytes);
  });

  it("finds vectors of zeros, which are near to nothing", () => {
    const index = filled(300);
    for (let key = 300; key < 400; key++) index.set(key, new Int8Array(DIMENSIONS));
    const none = encodeQuery(new Float32Array(DIMENSIONS));
    expect(index.nearest(none, 400).map(({ cosine }) => cosine)).toEqual(new Array(400).fill(0));
    for (let key = 300; key < 400; key++) index.delete(key);
    expect(index.nearest(none, 400)).toHaveLength(300);
  });

  it("passes through what is gone until that is tidied, and forgets it then", () => {
    const index = filled(1_000);
    for (let key = 0; key < 1_000; key++) if (key % 3 > 0) index.delete(key);
    expect(index.graph.isUntidy).toBe(true);
    expect(recall(index)).toBeGreaterThan(0.95);
    index.tidy();
    expect(recall(index)).toBeGreaterThan(0.98);
  });

  it("holds together when most of it goes", () => {
    const index = filled(1_500);
    // In an order that has nothing to do with what is near.
    const order = Array.from({ length: 1_500 }, (_, i) => (i * 7_919) % 1_500);
    for (let gone = 0; gone < 1_400; gone += 100) {
      for (const key of order.slice(gone, gone + 100)) index.delete(key);
      index.tidy();
    }
    for (const query of queries) expect(index.nearest(query, 100).length).toBeGreaterThanOrEqual(98);
  });

  it("does not grow while as many come as go, and finds as much as before", () => {
    const index = filled(900);
    const before = index.graph.graphBytes;
    // Each is replaced some three times, at random places.
    let next = 900;
    for (let i = 0; i < 2_700; i++) {
      index.set((i * 7_919) % 900, codesAt(next++));
      if (i % 10 === 0) index.tidy();
    }
    expect(index.count).toBe(900);
    expect(index.graph.graphBytes).toBeLessThanOrEqual(before * 1.1);
    expect(recall(index)).toBeGreaterThan(0.98);
  });

  it("does not find rows that are hidden, and gets along through them", () => {
    const index = filled(1_000);
    index.rows.hide(0, 500);
    const exact = new ExactScan(index.rows);
    let found = 0;
    for (const query of queries) {
      const near = index.nearest(query, 500);
      expect(near.every(({ key }) => key >= 500)).toBe(true);
      const keys = new Set(near.map(({ key }) => key));
      found += nearestOf(exact, query, 10).filter(({ key }) => keys.has(key)).length;
    }
    expect(found).toBeGreaterThan(queries.length * 9.5);
    // What stood at the end may not even have a row any more.
    index.rows.hide(500, 1_000);
    index.rows.trim();
    for (const query of queries) expect(index.nearest(query, 10)).toEqual([]);
  });

  it("begins anew when the last is gone, and when the highest is", () => {
    const index = filled(300);
    const [query = encodeQuery(new Float32Array(DIMENSIONS))] = queries;
    let [found, wanted] = [0, 0];
    for (let left = 299; left >= 0; left--) {
      index.delete(299 - left);
      const { length } = index.nearest(query, 5);
      expect(length > 0).toBe(left > 0);
      found += length;
      wanted += Math.min(5, left);
    }
    // Of the last few, walks may miss some that only gone points led to.
    expect(found / wanted).toBeGreaterThan(0.98);
    for (let key = 0; key < 300; key++) index.set(key, codesAt(key));
    expect(recall(index)).toBeGreaterThan(0.98);
  });

  it("keeps its promises through any life, in steps of any size", () => {
    type Change = { readonly kind: "set" | "delete" | "move" | "tidy"; readonly key: number; readonly codes: number };
    const change = fc.record<Change>({
      kind: fc.constantFrom("set", "set", "set", "delete", "delete", "move", "tidy"),
      key: fc.nat(300),
      codes: fc.nat(60),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 100, maxLength: 1_500, size: "max" }), (changes) => {
        const index = filled(0);
        const model = new Map<number, number>();
        for (const { kind, key, codes } of changes) {
          const to = key >> 1;
          if (kind === "set") {
            index.set(key, codesAt(codes));
            model.set(key, codes);
          } else if (kind === "delete") expect(index.delete(key)).toBe(model.delete(key));
          else if (kind === "tidy") index.graph.tidy();
          else if (model.has(key) && !model.has(to)) {
            index.rows.move(key, to);
            index.graph.move(key, to);
            model.set(to, model.get(key) ?? 0);
            model.delete(key);
          }
        }
        expect(index.count).toBe(model.size);
        const exact = new ExactScan(index.rows);
        for (const query of queries.slice(0, 3)) {
          const near = index.nearest(query, 400);
          expect(near).toEqual(nearestOf(exact, query, 400).filter(({ key }) => near.some((one) => one.key === key)));
          expect(near.length).toBeGreaterThanOrEqual(model.size * 0.9);
        }
      }),
      { numRuns: lawRuns(20) },
    );
  });

  it("refuses vectors when it is closed", () => {
    const index = filled(10);
    index.graph.close();
    index.graph.close();
    expect(() => index.graph.insert(3)).toThrow("closed");
    expect([index.graph.count, index.graph.graphBytes]).toEqual([0, 0]);
    const [query = encodeQuery(new Float32Array(DIMENSIONS))] = queries;
    expect(index.nearest(query, 5)).toEqual([]);
  });

  it("is read by no other parameters than it was built by", async () => {
    const index = filled(100);
    const bytes = await index.graph.save(GRAPH_BYTES_MAX);
    expect(await HnswGraph.load(index.rows, bytes)).toBeDefined();
    for (const other of [{ m: 17 }, { efConstruction: 7 }, { detour: 3 }]) {
      expect(await HnswGraph.load(index.rows, bytes, { ...HNSW_PARAMETERS, ...other })).toBeUndefined();
    }
  });
});
