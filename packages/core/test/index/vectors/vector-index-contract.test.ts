import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery, encodeVector, type QueryVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { VectorRows } from "../../../src/index/vectors/rows.ts";
import type { Neighbour, VectorIndex } from "../../../src/index/vectors/vector-index.ts";
import { KINDS_OF_GRAPHS } from "../../support/graph-kinds.ts";
import { IndexByGraph } from "./index-by-graph.ts";
import { clusteredVectors } from "./random-vectors.ts";

interface Implementation {
  readonly name: string;
  readonly isHere: boolean;
  /** Whether it finds every neighbour, or may miss some. */
  readonly isExact: boolean;
  readonly open: (dimensions: number) => VectorIndex;
}

const IMPLEMENTATIONS: readonly Implementation[] = [
  {
    name: "the exact scan",
    isHere: true,
    isExact: true,
    open: (dimensions) => new ExactScan(new VectorRows(dimensions)),
  },
  {
    name: "the vectors of passages",
    isHere: true,
    isExact: true,
    open: (dimensions) => new PassageVectors(dimensions),
  },
  ...KINDS_OF_GRAPHS.flatMap(({ name, isHere, graphs }): Implementation[] => [
    {
      name: `the graph ${name}`,
      isHere,
      isExact: false,
      open: (dimensions) => new IndexByGraph(graphs(), dimensions),
    },
    {
      name: `the graph ${name}, tidied before it is asked`,
      isHere,
      isExact: false,
      open: (dimensions) => new TidyBeforeSearch(graphs(), dimensions),
    },
    {
      name: `the vectors of passages with a graph ${name}`,
      isHere,
      isExact: false,
      open: (dimensions) => new BuiltBeforeSearch(dimensions, { graphs: graphs(), graphVectorsMin: 2 }),
    },
  ]),
];

class TidyBeforeSearch extends IndexByGraph {
  override nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[] {
    this.tidy();
    return super.nearest(query, k, allowed);
  }
}

class BuiltBeforeSearch extends PassageVectors {
  override nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[] {
    this.work(Number.POSITIVE_INFINITY, { wallMs: () => 0, monotonicMs: () => 0 });
    return super.nearest(query, k, allowed);
  }
}

const DIMENSIONS = 6;
const codesUpTo = (max: number): fc.Arbitrary<Int8Array> =>
  fc
    .array(fc.integer({ min: -max, max }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
    .map((all) => Int8Array.from(all));
/** Every other vector is so coarse that many are equally near. */
const codes = fc.oneof(codesUpTo(127), codesUpTo(1));
const query = codes.map((all) => encodeQuery(Float32Array.from(all)));
type Change = { readonly key: number; readonly codes: Int8Array | undefined };
const changes = fc.array(fc.record<Change>({ key: fc.nat(40), codes: fc.option(codes, { nil: undefined, freq: 4 }) }), {
  maxLength: 100,
  size: "max",
});

function apply(index: VectorIndex, list: readonly Change[]): Map<number, Int8Array> {
  const model = new Map<number, Int8Array>();
  for (const { key, codes: vector } of list) {
    if (vector === undefined) {
      expect(index.delete(key)).toBe(model.delete(key));
    } else {
      index.set(key, vector);
      model.set(key, vector);
    }
  }
  return model;
}

/** All vectors in the order in which they must come. */
function sorted(model: ReadonlyMap<number, Int8Array>, of: ReturnType<typeof encodeQuery>): Neighbour[] {
  const rows = new VectorRows(DIMENSIONS, { simd: false });
  for (const [key, vector] of model) rows.set(key, vector);
  return [...model.keys()]
    .map((key) => ({ key, cosine: rows.cosine(of, key) ?? Number.NaN }))
    .sort((a, b) => b.cosine - a.cosine || a.key - b.key);
}

describe.each(IMPLEMENTATIONS)("$name", ({ isHere, isExact, open }) => {
  // A graph takes megabytes and milliseconds to set up, however small it is.
  const numRuns = lawRuns(isExact ? 100 : 30);
  describe.runIf(isHere)("keeps the obligations of a vector index:", () => {
    it("knows what it has", () => {
      fc.assert(
        fc.property(changes, (list) => {
          const index = open(DIMENSIONS);
          const model = apply(index, list);
          expect([index.count, index.dimensions]).toEqual([model.size, DIMENSIONS]);
          for (let key = 0; key <= 41; key++) expect(index.has(key)).toBe(model.has(key));
        }),
        { numRuns },
      );
    });

    it("returns only what is there, with exact cosines, in order, each once, at most k", () => {
      fc.assert(
        fc.property(changes, query, fc.integer({ min: 0, max: 45 }), (list, of, k) => {
          const index = open(DIMENSIONS);
          const expected = sorted(apply(index, list), of);
          const near = index.nearest(of, k);
          expect(near.length).toBeLessThanOrEqual(k);
          const found = new Set(near.map(({ key }) => key));
          expect(near).toEqual(expected.filter(({ key }) => found.has(key)));
          if (isExact) expect(near).toEqual(expected.slice(0, k));
        }),
        { numRuns },
      );
    });

    it("filters before it counts", () => {
      fc.assert(
        fc.property(changes, query, fc.integer({ min: 1, max: 10 }), (list, of, k) => {
          const index = open(DIMENSIONS);
          const expected = sorted(apply(index, list), of).filter(({ key }) => key % 3 === 0);
          expect(index.nearest(of, k, (key) => key % 3 === 0)).toEqual(expected.slice(0, k));
        }),
        { numRuns },
      );
    });

    it("finds nearly all of the nearest among many, also after a third was replaced and a third deleted", () => {
      const index = open(24);
      const vectors = clusteredVectors(1500, 24, 1);
      for (const [key, vector] of vectors.entries()) index.set(key, encodeVector(vector));
      for (let key = 0; key < 500; key++) index.set(key, encodeVector(vectors[1499 - key] ?? new Float32Array(24)));
      for (let key = 500; key < 1000; key++) index.delete(key);
      const exact = new ExactScan(new VectorRows(24));
      for (let key = 0; key < 500; key++) exact.set(key, encodeVector(vectors[1499 - key] ?? new Float32Array(24)));
      for (let key = 1000; key < 1500; key++) exact.set(key, encodeVector(vectors[key] ?? new Float32Array(24)));
      let found = 0;
      for (const vector of clusteredVectors(50, 24, 2)) {
        const near = new Set(index.nearest(encodeQuery(vector), 10).map(({ key }) => key));
        found += exact.nearest(encodeQuery(vector), 10).filter(({ key }) => near.has(key)).length;
      }
      expect(found).toBeGreaterThanOrEqual(isExact ? 500 : 480);
    });

    it("gives what there is if more is asked for", () => {
      const index = open(24);
      for (const [key, vector] of clusteredVectors(300, 24, 4).entries()) index.set(key, encodeVector(vector));
      const near = index.nearest(encodeQuery(new Float32Array(24).fill(1)), 1_000_000);
      expect(near.length).toBeGreaterThanOrEqual(isExact ? 300 : 290);
    });

    it("is empty at first and again when all are deleted", () => {
      const index = open(2);
      const of = encodeQuery(Float32Array.of(1, 0));
      expect(index.nearest(of, 3)).toEqual([]);
      index.set(7, Int8Array.of(1, 0));
      expect(index.nearest(of, 3)).toEqual([{ key: 7, cosine: 1 }]);
      index.delete(7);
      expect([index.count, index.nearest(of, 3)]).toEqual([0, []]);
    });

    it("takes room for what it holds", () => {
      const index = open(256);
      for (const [key, vector] of clusteredVectors(500, 256, 3).entries()) index.set(key, encodeVector(vector));
      expect(index.bytes).toBeGreaterThanOrEqual(500 * 256);
    });

    it("refuses vectors of another number of dimensions", () => {
      expect(() => open(3).set(0, Int8Array.of(1, 2))).toThrow(RangeError);
    });
  });
});
