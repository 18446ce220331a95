import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery, encodeVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { HnswGraph, hnswGraphs } from "../../../src/index/vectors/hnsw.ts";
import { GRAPH_VECTORS_MIN, PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { VectorRows } from "../../../src/index/vectors/rows.ts";
import type { Graphs } from "../../../src/index/vectors/vector-graph.ts";
import type { Clock } from "../../../src/platform/clock.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { byBruteForce, clusteredVectors } from "../../../testing/told-vectors.ts";
import { KINDS_OF_GRAPHS } from "../../support/graph-kinds.ts";
import { nearestOf } from "../../support/nearest.ts";
import { renumber } from "./renumber.ts";

const DIMENSIONS = 12;
/** A clock that goes on by a millisecond each time it is asked. */
function tickingClock(): Clock {
  let now = 0;
  return { wallMs: () => now, monotonicMs: () => now++ };
}
/** No walk comes to any odd key. */
class Island extends HnswGraph {
  override insert(key: number): void {
    super.insert(key);
    if (key % 2 === 1) this.forget(key);
  }
}
/** All keys that are used here. */
const KEYS = Array.from({ length: 10_000 }, (_, key) => key);
const UNTIL_DONE = Number.POSITIVE_INFINITY;

describe("vectors of passages", () => {
  it("scan without the graph library, however many they are", () => {
    const vectors = new PassageVectors(2, { graphVectorsMin: 1 });
    vectors.set(3, Int8Array.of(1, 0));
    expect([vectors.graph, vectors.work(UNTIL_DONE, tickingClock())]).toEqual(["none", false]);
    expect(nearestOf(vectors, vectors.prepare(Float32Array.of(1, 0)), 1)).toEqual([{ key: 3, cosine: 1 }]);
  });

  it("are looked for in a graph that is built once those it lacks are compared in less time than all are scanned", () => {
    const vectors = new PassageVectors(DIMENSIONS, { graphs: hnswGraphs(false), graphVectorsMin: 100 });
    for (const [key, vector] of clusteredVectors(400, DIMENSIONS, 3).entries()) vectors.set(key, encodeVector(vector));
    let built = 0;
    for (; !vectors.mayMiss(5); built++) vectors.work(0, tickingClock());
    // A search in the graph is worth 50 rows, and each that it lacks two.
    expect(400 - built).toBe((400 - 50) / 2);
  });

  it("save no graph and take none where there is none", async () => {
    const vectors = new PassageVectors(2);
    expect(await vectors.saveGraph()).toBeUndefined();
    expect(await vectors.loadGraph(new Uint8Array(100))).toBe("unneeded");
  });

  it("give back what they were given", () => {
    const vectors = new PassageVectors(2);
    vectors.set(0, Int8Array.of(3, 4));
    vectors.set(2, Int8Array.of(-3, -4));
    const query = vectors.prepare(Float32Array.of(3, 4));
    expect([0, 1, 2].map((key) => Math.round(vectors.cosine(query, key) ?? Number.NaN))).toEqual([1, Number.NaN, -1]);
    expect([vectors.cosine(query, 1), vectors.codesOf(1), vectors.delete(1)]).toEqual([undefined, undefined, false]);
    expect([...(vectors.codesOf(2) ?? [])]).toEqual([-3, -4]);
  });

  it("are as many as were asked for where the graph finds fewer", () => {
    const graphs: Graphs<VectorRows> = { ...hnswGraphs(false), empty: (rows) => new Island(rows) };
    const vectors = new PassageVectors(2, { graphs, graphVectorsMin: 1 });
    for (let key = 0; key < 9; key++) vectors.set(key, Int8Array.of(100, key));
    vectors.work(UNTIL_DONE, tickingClock());
    const query = vectors.prepare(Float32Array.of(1, 0));
    const keysOf = (k: number): number[] => nearestOf(vectors, query, k).map(({ key }) => key);
    expect(keysOf(3)).toEqual([0, 2, 4]);
    expect(keysOf(5)).toEqual([0, 2, 4, 6, 8]);
    expect(keysOf(6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(keysOf(20)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it("build a graph only where it pays", () => {
    expect(GRAPH_VECTORS_MIN).toBeGreaterThan(1000);
  });
});

describe.each(KINDS_OF_GRAPHS)("the graph $name", ({ isHere, hasTombstones, graphs: graphsHere }) => {
  describe.runIf(isHere)("of passages' vectors", () => {
    const all = clusteredVectors(3000, DIMENSIONS, 7);
    const queries = clusteredVectors(20, DIMENSIONS, 8).map(encodeQuery);
    const codesAt = (i: number): Int8Array => encodeVector(all[i] ?? new Float32Array(DIMENSIONS));

    function filled(count: number, graphVectorsMin: number, graphs = graphsHere()): PassageVectors {
      const vectors = new PassageVectors(DIMENSIONS, { graphs, graphVectorsMin });
      for (let key = 0; key < count; key++) vectors.set(key, codesAt(key));
      return vectors;
    }

    /** Share of the 10 nearest that are found. */
    function recall(vectors: PassageVectors): number {
      let [found, wanted] = [0, 0];
      for (const query of queries) {
        const near = new Set(nearestOf(vectors, query, 10).map(({ key }) => key));
        const exact = byBruteForce(vectors, KEYS, query);
        wanted += Math.min(10, exact.length);
        found += exact.slice(0, 10).filter(({ key }) => near.has(key)).length;
      }
      return wanted === 0 ? 1 : found / wanted;
    }

    it("goes on after the last vector was taken out that a successor lacked", () => {
      const [vectors, clock] = [filled(400, 100), tickingClock()];
      vectors.work(UNTIL_DONE, clock);
      for (let key = 0; key < 200; key++) vectors.delete(key);
      // The successor gets some hundred of the two hundred that are left, and then all others go.
      vectors.work(clock.monotonicMs() + 100, clock);
      for (let key = 399; vectors.count > 60; key--) vectors.delete(key);
      while (vectors.hasWork) vectors.work(0, clock);
      vectors.set(500, codesAt(500));
      for (let i = 0; i < 5; i++) vectors.work(0, clock);
      expect(vectors.graph).toBe("ready");
    });

    it("is built from the threshold on, and dropped when half are gone", () => {
      const vectors = filled(99, 100);
      expect(vectors.graph).toBe("none");
      vectors.set(99, codesAt(99));
      expect(vectors.graph).toBe("building");
      expect(vectors.work(UNTIL_DONE, tickingClock())).toBe(false);
      expect(vectors.graph).toBe("ready");
      const withGraph = vectors.bytes;
      for (let key = 0; key < 50; key++) vectors.delete(key);
      expect(vectors.graph).toBe("ready");
      vectors.delete(50);
      expect([vectors.graph, vectors.count]).toEqual(["none", 49]);
      expect(vectors.bytes).toBeLessThan(withGraph);
    });

    it("works in steps until the time is up, at least one", () => {
      const vectors = filled(100, 50);
      const clock = tickingClock();
      // The clock is asked after each step: 10 steps take it to 9.
      expect(vectors.work(9, clock)).toBe(true);
      expect(vectors.work(0, clock)).toBe(true);
      let calls = 0;
      while (vectors.work(0, clock)) calls++;
      expect(calls).toBe(100 - 10 - 1 - 1);
      expect(vectors.graph).toBe("ready");
    });

    it("counts what it lacks among what it finds, and goes on building when more comes", () => {
      const vectors = filled(2500, 2000);
      vectors.work(UNTIL_DONE, tickingClock());
      for (let key = 2500; key < 2550; key++) vectors.set(key, codesAt(key));
      expect(vectors.graph).toBe("building");
      const exact = exactOf(vectors);
      for (let key = 2500; key < 2550; key++) {
        const query = encodeQuery(all[key] ?? new Float32Array(DIMENSIONS));
        expect(nearestOf(vectors, query, 1)).toEqual(nearestOf(exact, query, 1));
      }
      expect(recall(vectors)).toBeGreaterThanOrEqual(0.95);
      vectors.work(UNTIL_DONE, tickingClock());
      expect(vectors.graph).toBe("ready");
      vectors.set(9999, codesAt(0));
      vectors.delete(9999);
      expect(vectors.graph).toBe("ready");
    });

    it("gets rid of what is gone when that is too much, and serves meanwhile", () => {
      const vectors = filled(1000, 100);
      vectors.work(UNTIL_DONE, tickingClock());
      const before = vectors.bytes;
      for (let key = 0; key < 400; key++) vectors.delete(key);
      expect(vectors.hasWork).toBe(true);
      vectors.work(0, tickingClock());
      if (hasTombstones) expect(vectors.bytes).toBeGreaterThan(before);
      expect(recall(vectors)).toBeGreaterThanOrEqual(0.95);
      // Some that the new graph has already, and some that it has not.
      vectors.work(300, tickingClock());
      for (let key = 400; key < 800; key += 2) vectors.delete(key);
      for (let key = 401; key < 450; key += 2) vectors.set(key, codesAt(key + 1000));
      vectors.work(UNTIL_DONE, tickingClock());
      expect([vectors.graph, vectors.count]).toEqual(["ready", 400]);
      expect(recall(vectors)).toBeGreaterThanOrEqual(0.95);
      if (hasTombstones) expect(vectors.bytes).toBeLessThan(before);
      else expect(vectors.bytes).toBeLessThanOrEqual(before);
    });

    it("comes back from its bytes: what changed since is caught up with", async () => {
      const saved = filled(1000, 100);
      saved.work(UNTIL_DONE, tickingClock());
      const bytes = await saved.saveGraph();
      const vectors = filled(0, 100);
      // Other keys; 0 to 49 are gone, 1000 to 1199 are new.
      for (let i = 50; i < 1200; i++) vectors.set(i - 50, codesAt(i));
      expect(await vectors.loadGraph(bytes ?? new Uint8Array())).toBe("loaded");
      expect(vectors.graph).toBe("building");
      let steps = 1;
      while (vectors.work(0, tickingClock())) steps++;
      // A few more to see whether walks come to all of it.
      expect(steps).toBeGreaterThanOrEqual(200);
      expect(steps).toBeLessThan(220);
      expect(recall(vectors)).toBeGreaterThanOrEqual(0.95);
    });

    it("is not replaced by one that is off, or that knows less", async () => {
      const small = filled(500, 100);
      small.work(UNTIL_DONE, tickingClock());
      const bytes = (await small.saveGraph()) ?? new Uint8Array();
      const vectors = filled(600, 100);
      vectors.work(UNTIL_DONE, tickingClock());
      expect(await vectors.loadGraph(bytes)).toBe("unneeded");
      expect(await vectors.loadGraph(bytes.fill(0, 1000, 1001))).toBe("unusable");
      expect(vectors.graph).toBe("ready");
      expect(await filled(10, 100).loadGraph(bytes)).toBe("unneeded");
    });

    it("returns a vector that is replaced while the graph is saved once, with its new cosine", async () => {
      const vectors = filled(300, 100);
      vectors.work(UNTIL_DONE, tickingClock());
      const saving = vectors.saveGraph();
      vectors.set(5, codesAt(5).fill(0, 0, 1));
      const query = encodeQuery(all[5] ?? new Float32Array(DIMENSIONS));
      expect(nearestOf(vectors, query, 10).filter(({ key }) => key === 5)).toEqual([
        { key: 5, cosine: vectors.cosine(query, 5) },
      ]);
      await saving;
    });

    it("rests while it is saved, and saves once at a time", async () => {
      const vectors = filled(300, 100);
      vectors.work(UNTIL_DONE, tickingClock());
      const saving = vectors.saveGraph();
      const again = vectors.saveGraph();
      vectors.set(300, codesAt(300));
      expect(vectors.work(UNTIL_DONE, tickingClock())).toBe(true);
      expect(await again).toBe(await saving);
      expect(vectors.work(UNTIL_DONE, tickingClock())).toBe(false);
    });

    it("finds as much as before right after many near vectors were taken out, before their points are marked", () => {
      for (const gone of [20, 1000]) {
        const vectors = filled(0, 500);
        const axis = (i: number, other = 0) =>
          Int8Array.from({ length: DIMENSIONS }, (_, at) => (at === i ? 127 : other));
        for (let key = 0; key < 2000; key++)
          vectors.set(key, key < 2000 - gone ? axis(1, key % 40) : axis(0, key % 10));
        vectors.work(UNTIL_DONE, tickingClock());
        const query = vectors.prepare(Float32Array.from(axis(0)));
        const left = vectors.take(2000 - gone, 2000);
        // Step by step, up to the last.
        let isDone = false;
        for (let step = 0; !isDone; step++) {
          if (step % 100 < 2) expect(nearestOf(vectors, query, 64)).toHaveLength(64);
          isDone = left.next().done === true;
        }
        expect(vectors.graph).not.toBe("none");
        expect(nearestOf(vectors, query, 64)).toHaveLength(64);
      }
    });

    it("keeps a vector that has got the key of one that was taken out, whenever what was left is done", () => {
      for (const isBegun of [true, false]) {
        const vectors = filled(400, 100);
        vectors.keepBackground();
        vectors.work(UNTIL_DONE, tickingClock());
        const left = vectors.take(5, 7);
        if (isBegun) left.next();
        vectors.move(399, 5);
        finished(left);
        vectors.work(UNTIL_DONE, tickingClock());
        const [nearest] = nearestOf(vectors, vectors.prepare(Float32Array.from(codesAt(399))), 1);
        expect(nearest?.key).toBe(5);
        const anew = new PassageVectors(DIMENSIONS);
        for (let key = 0; key < 399; key++) if (key !== 6) anew.set(key, vectors.codesOf(key) ?? codesAt(0));
        expect(vectors.backgroundSimilarity).toBeCloseTo(anew.backgroundSimilarity, 6);
      }
    });

    it("can be closed at any time, and is not built again", async () => {
      const vectors = filled(300, 100);
      vectors.work(UNTIL_DONE, tickingClock());
      const saving = vectors.saveGraph();
      vectors.close();
      vectors.close();
      expect([vectors.graph, vectors.work(UNTIL_DONE, tickingClock())]).toEqual(["none", false]);
      expect(await saving).toBeInstanceOf(Uint8Array);
      expect(await vectors.loadGraph((await saving) ?? new Uint8Array())).toBe("unneeded");
      expect(recall(vectors)).toBe(1);
    });

    it("that fails is given up for good: the error is told, and searches scan", () => {
      const broken: Graphs<VectorRows> = {
        ...graphsHere(),
        empty: (...of) =>
          Object.assign(graphsHere().empty(...of), {
            insert: (): never => {
              throw new Error("no memory");
            },
          }),
      };
      const vectors = filled(200, 100, broken);
      expect(() => vectors.work(UNTIL_DONE, tickingClock())).toThrow("no memory");
      expect([vectors.graph, vectors.work(UNTIL_DONE, tickingClock()), recall(vectors)]).toEqual(["none", false, 1]);
    });

    it("never returns what is gone and finds nearly all, through any changes, saves and loads", async () => {
      type Command = { readonly kind: "set" | "delete" | "work" | "renumber" | "reload"; readonly n: number };
      const command = fc.record<Command>({
        kind: fc.constantFrom("set", "set", "delete", "work", "renumber", "reload"),
        n: fc.nat(200),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 20, size: "max" }), async (commands) => {
          let vectors = filled(0, 30);
          let model = new Map<number, number>();
          let next = 0;
          for (const { kind, n } of commands) {
            if (kind === "set") {
              for (let i = 0; i < n; i++) {
                const key = (n + i * 7) % 400;
                vectors.set(key, codesAt(next));
                model.set(key, next++ % 3000);
              }
            } else if (kind === "delete") {
              for (let i = 0; i < n / 2; i++) {
                const key = (n * 3 + i * 11) % 400;
                expect(vectors.delete(key)).toBe(model.delete(key));
              }
            } else if (kind === "work") {
              vectors.work(n, tickingClock());
            } else if (kind === "renumber") {
              const kept = [...model].sort(([a], [b]) => a - b).filter((_, i) => (i + n) % 5 !== 0);
              const newKeys = new Map(kept.map(([key], i) => [key, i]));
              renumber(vectors, 400, (key) => newKeys.get(key));
              model = new Map(kept.map(([, vector], i) => [i, vector]));
            } else {
              const bytes = await vectors.saveGraph();
              const other = filled(0, 30);
              for (const [key, vector] of model) other.set(key, codesAt(vector));
              if (bytes !== undefined) await other.loadGraph(bytes);
              vectors.close();
              vectors = other;
            }
            expect(vectors.count).toBe(model.size);
            for (const query of queries.slice(0, 3)) {
              const near = nearestOf(vectors, query, 10);
              expect(new Set(near.map(({ key }) => key)).size).toBe(near.length);
              for (const { key, cosine } of near) {
                expect(model.has(key)).toBe(true);
                expect(cosine).toBe(vectors.cosine(query, key));
              }
            }
          }
          for (const [key, vector] of model) expect(vectors.codesOf(key)).toEqual(codesAt(vector));
          expect(recall(vectors)).toBeGreaterThanOrEqual(0.9);
        }),
        { numRuns: lawRuns(25) },
      );
    });
  });
});

function exactOf(vectors: PassageVectors): ExactScan {
  const rows = new VectorRows(vectors.dimensions);
  for (let key = 0; key < 5000; key++) {
    const codes = vectors.codesOf(key);
    if (codes !== undefined) rows.set(key, codes);
  }
  return new ExactScan(rows);
}
