import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery, encodeVector } from "../../../src/index/vectors/codes.ts";
import { hnswGraphs } from "../../../src/index/vectors/hnsw.ts";
import { HNSW_PARAMETERS } from "../../../src/index/vectors/hnsw-parameters.ts";
import { NearPoints } from "../../../src/index/vectors/near-points.ts";
import { Choice } from "../../../src/index/vectors/number-room.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { GRAPH_BYTES_MAX } from "../../../src/model/limits.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";
import { SlotScores } from "../../../src/search/slot-scores.ts";
import { clusteredVectors } from "../../../testing/told-vectors.ts";
import { nearestOf } from "../../support/nearest.ts";
import { refusingMemory } from "../../support/refused-memory.ts";
import { IndexByGraph } from "./index-by-graph.ts";

const DIMENSIONS = 40;
const all = clusteredVectors(1_500, DIMENSIONS, 21);
const codes = all.map(encodeVector);
const codesAt = (i: number): Int8Array => codes[i % codes.length] ?? new Int8Array(DIMENSIONS);
const queries = clusteredVectors(6, DIMENSIONS, 22).map(encodeQuery);

describe("vectors where memory is refused", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 130 }), isStaged: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ replace: fc.nat(300), by: fc.nat(1_000) }) },
    { weight: 2, arbitrary: fc.record({ take: fc.nat(300), count: fc.nat(200) }) },
    { weight: 1, arbitrary: fc.record({ close: fc.constant(true) }) },
    { weight: 2, arbitrary: fc.record({ ask: fc.integer({ min: 1, max: 400 }) }) },
  );
  type Slice = typeof step extends fc.Arbitrary<infer T> ? T : never;
  /** So often it is refused, unless it asks less often: then it is done. */
  const once = fc.record({ step, times: fc.integer({ min: 1, max: 8 }) });

  /** Vectors of keys that are given once, until all are moved together. */
  class Tried {
    readonly vectors = new PassageVectors(DIMENSIONS);
    next = 0;
    /** What each key has. */
    readonly known = new Map<number, number>();

    constructor() {
      this.vectors.keepBackground();
    }

    does(step: Slice): void {
      const { vectors } = this;
      if ("add" in step) this.#add(step.add, step.isStaged);
      else if ("replace" in step) {
        if (vectors.has(step.replace)) this.#set(step.replace, step.by);
      } else if ("take" in step) {
        finished(vectors.take(step.take, step.take + step.count));
        for (let key = step.take; key < step.take + step.count; key++) this.known.delete(key);
      } else if ("ask" in step) this.answers(step.ask);
      else this.#close();
    }

    #set(key: number, vector: number): void {
      this.vectors.set(key, codesAt(vector));
      this.known.set(key, vector);
    }

    /** One after the other, or all at once. */
    #add(count: number, isStaged: boolean): void {
      const first = this.next;
      if (!isStaged) {
        // What was refused has its number no less.
        for (let i = 0; i < count; i++) this.#set(this.next++, first + i);
        return;
      }
      const staged = this.vectors.stage(first, count);
      for (let i = 0; i < count; i++) staged.add(codesAt(first + i));
      this.vectors.enter(staged);
      for (let i = 0; i < count; i++) this.known.set(first + i, first + i);
      this.next = first + count;
    }

    /** Lower numbers, without those that are gone, and the memory of these given back. */
    #close(): void {
      const { known, vectors } = this;
      let to = 0;
      for (const [key, vector] of [...known].sort(([a], [b]) => a - b)) {
        if (to < key) {
          vectors.move(key, to);
          known.delete(key);
          known.set(to, vector);
        }
        to++;
      }
      this.next = to;
      vectors.trim();
    }

    answers(count: number): unknown {
      const { vectors } = this;
      const keys = Uint32Array.from({ length: count }, (_, i) => i * 2);
      return queries.map((query) => [
        nearestOf(vectors, query, 5),
        [...vectors.cosinesOf(query, keys, count).subarray(0, count)],
        vectors.highestCosine(query, 3, 90),
        vectors.cosine(query, 7),
        nearestOf(vectors, query, 10_000),
      ]);
    }

    get seen(): string {
      return JSON.stringify([this.vectors.count, this.vectors.backgroundSimilarity, this.answers(200)]);
    }
  }

  /** The same vectors under the same keys, that nothing was ever refused to. */
  function asIfNothing(known: ReadonlyMap<number, number>): Tried {
    const other = new Tried();
    for (const [key, vector] of [...known].sort(([a], [b]) => a - b)) {
      other.vectors.set(key, codesAt(vector));
    }
    return other;
  }

  it("are those that were taken before, at any time, and go on", () => {
    refusingMemory((whileRefused) => {
      fc.assert(
        fc.property(fc.array(once, { minLength: 3, maxLength: 14, size: "max" }), fc.boolean(), (steps, goesOn) => {
          const tried = new Tried();
          for (const { step, times } of steps) {
            for (let refused = 1; refused <= times; refused++) {
              if (!whileRefused(() => tried.does(step), refused, goesOn)) break;
              // What is refused at the end of one is asked for by the next.
              if (refused < times) expect(tried.seen, `number ${refused}`).toBe(asIfNothing(tried.known).seen);
            }
          }
          expect(tried.seen).toBe(asIfNothing(tried.known).seen);
        }),
        { numRuns: lawRuns(80) },
      );
    });
  });
});

describe("arrays that belong together", () => {
  it("grow together or not at all", () => {
    refusingMemory((whileRefused) => {
      for (const refused of [1, 2]) {
        const near = new NearPoints();
        expect(whileRefused(() => near.begin(1_000), refused, false)).toBe(true);
        near.begin(1_000);
        for (let point = 0; point < 1_000; point++) near.offer(point, -point);
        expect(Array.from({ length: near.count }, (_, i) => near.point(i))).toEqual([...Array(1_000).keys()]);
        expect(near.cosines[999]).toBe(-999);
        const choice = new Choice();
        expect(whileRefused(() => choice.begin(1_000), refused, false)).toBe(true);
        const { candidates, cosines } = choice.begin(1_000);
        expect([candidates.length, cosines.length]).toEqual([2_000, 2_000]);
        const scores = new SlotScores();
        expect(whileRefused(() => scores.reset(1_000), refused + 1, false)).toBe(true);
        scores.reset(1_000);
        for (let slot = 0; slot < 1_000; slot++) scores.raise(slot, 1 + slot, slot + 7);
        expect([scores.slotAt(999), scores.scoreOf(999), scores.ordinalOf(999)]).toEqual([999, 1_000, 1_006]);
      }
    });
  });
});

describe("a graph where memory is refused", () => {
  /** Few links, so that lists are full soon and all layers have points. */
  const graphs = hnswGraphs(true, { ...HNSW_PARAMETERS, m: 6 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 200 }) }) },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat(400), count: fc.integer({ min: 1, max: 120 }) }) },
    { weight: 2, arbitrary: fc.record({ ask: fc.integer({ min: 1, max: 600 }) }) },
    { weight: 1, arbitrary: fc.record({ tidy: fc.constant(true) }) },
  );
  type Slice = typeof step extends fc.Arbitrary<infer T> ? T : never;

  class Tried {
    /** Rows that are compared without asking for memory: what is left is what the graph asks for. */
    readonly index = new IndexByGraph(graphs, DIMENSIONS, { ownMemoryBytesMin: 0 });
    readonly known = new Set<number>();
    next = 0;

    does(step: Slice): void {
      const { index } = this;
      if ("add" in step) {
        for (let i = 0; i < step.add; i++) {
          const key = this.next++;
          // A few are alike, and a few say nothing.
          const vector = key % 40 === 39 ? new Int8Array(DIMENSIONS) : codesAt(key - (key % 17 === 16 ? 1 : 0));
          index.rows.set(key, vector);
          try {
            index.graph.insert(key);
            this.known.add(key);
          } finally {
            if (!this.known.has(key)) index.rows.delete(key);
          }
        }
      } else if ("remove" in step) {
        for (let key = step.remove; key < step.remove + step.count; key++) {
          index.delete(key);
          this.known.delete(key);
        }
      } else if ("tidy" in step) index.tidy();
      else for (const query of queries) index.nearest(query, step.ask);
    }

    /** Nothing is misjudged, and not much missed, for so few links. */
    check(): void {
      const { index, known } = this;
      expect(index.count).toBe(known.size);
      let [found, wanted] = [0, 0];
      for (const query of queries) {
        const near = index.nearest(query, 20);
        const exact = [...known].map((key) => index.rows.cosine(query, key) ?? Number.NaN).sort((a, b) => b - a);
        wanted += Math.min(20, exact.length);
        const worst = exact[19] ?? -1;
        for (const { key, cosine } of near) {
          expect(known.has(key), `key ${key}`).toBe(true);
          expect(cosine).toBe(index.rows.cosine(query, key));
          if (cosine >= worst) found++;
        }
      }
      expect(found).toBeGreaterThanOrEqual(wanted * 0.7);
    }
  }

  it("has what was taken, and finds it, and can be kept", async () => {
    const steps = fc.array(step, { minLength: 3, maxLength: 8, size: "max" });
    const ended: Tried[] = [];
    refusingMemory((whileRefused) => {
      fc.assert(
        fc.property(steps, fc.boolean(), (all, goesOn) => {
          const tried = new Tried();
          for (const each of all) {
            for (let refused = 1; refused < 12; refused++) {
              if (!whileRefused(() => tried.does(each), refused, goesOn)) break;
              tried.check();
            }
          }
          tried.check();
          ended.push(tried);
        }),
        { numRuns: lawRuns(40) },
      );
    });
    for (const { index, known } of ended.slice(0, 10)) {
      if (known.size === 0) continue;
      const loaded = await graphs.load(index.rows, await index.graph.save(GRAPH_BYTES_MAX));
      expect(loaded === undefined ? "refused" : finished(loaded.match())).toBe(true);
      expect(loaded?.count).toBe(known.size);
    }
  });
});
