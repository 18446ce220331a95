import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { encodeQuery, encodeVector, type QueryVector } from "../../../src/index/vectors/codes.ts";
import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import type { Neighbour } from "../../../src/index/vectors/nearest-keys.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import { VectorRows } from "../../../src/index/vectors/rows.ts";
import { byBruteForce, clusteredVectors } from "../../../testing/told-vectors.ts";
import { KINDS_OF_GRAPHS } from "../../support/graph-kinds.ts";
import { keysThat, nearestOf } from "../../support/nearest.ts";

/** Vectors, and a search of them. */
interface Searched {
  readonly vectors: VectorRows | PassageVectors;
  nearest(query: QueryVector, k: number, isAllowed?: (key: number) => boolean): readonly Neighbour[];
  /** Whether a graph serves the last search, which may miss some then. */
  mayMiss(k: number, isAllowed: (key: number) => boolean): boolean;
}

interface Kind {
  readonly name: string;
  readonly isHere: boolean;
  /** Whether it finds every neighbour, or may miss some. */
  readonly isExact: boolean;
  readonly open: (dimensions: number) => Searched;
}

function scanned(dimensions: number): Searched {
  const vectors = new VectorRows(dimensions);
  const scan = new ExactScan(vectors);
  return { vectors, nearest: (...asked) => nearestOf(scan, ...asked), mayMiss: () => false };
}

/** The graph is built before each search, if there is one. */
function passages(vectors: PassageVectors): Searched {
  const build = (): unknown => vectors.work(Number.POSITIVE_INFINITY, { wallMs: () => 0, monotonicMs: () => 0 });
  return {
    vectors,
    nearest: (...asked) => {
      build();
      return nearestOf(vectors, ...asked);
    },
    mayMiss: (k, isAllowed) => vectors.mayMiss(k, keysThat(isAllowed)),
  };
}

const KINDS: readonly Kind[] = [
  { name: "the exact scan", isHere: true, isExact: true, open: scanned },
  {
    name: "the vectors of passages",
    isHere: true,
    isExact: true,
    open: (dimensions) => passages(new PassageVectors(dimensions)),
  },
  ...KINDS_OF_GRAPHS.map(
    ({ name, isHere, graphs }): Kind => ({
      name: `the vectors of passages with a graph ${name}`,
      isHere,
      isExact: false,
      open: (dimensions) => passages(new PassageVectors(dimensions, { graphs: graphs(), graphVectorsMin: 2 })),
    }),
  ),
];

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

function apply({ vectors }: Searched, list: readonly Change[]): Map<number, Int8Array> {
  const model = new Map<number, Int8Array>();
  for (const { key, codes: vector } of list) {
    if (vector === undefined) {
      expect(vectors.delete(key)).toBe(model.delete(key));
    } else {
      vectors.set(key, vector);
      model.set(key, vector);
    }
  }
  return model;
}

/** All vectors in the order in which they must come. */
function sorted(model: ReadonlyMap<number, Int8Array>, of: QueryVector): Neighbour[] {
  const rows = new VectorRows(DIMENSIONS, { simd: false });
  for (const [key, vector] of model) rows.set(key, vector);
  return byBruteForce(rows, model.keys(), of);
}

describe.each(KINDS)("$name", ({ isHere, isExact, open }) => {
  // A graph takes megabytes and milliseconds to set up, however small it is.
  const numRuns = lawRuns(isExact ? 100 : 30);
  describe.runIf(isHere)("finds the nearest vectors:", () => {
    it("knows what it has", () => {
      fc.assert(
        fc.property(changes, (list) => {
          const index = open(DIMENSIONS);
          const model = apply(index, list);
          expect([index.vectors.count, index.vectors.dimensions]).toEqual([model.size, DIMENSIONS]);
          for (let key = 0; key <= 41; key++) expect(index.vectors.has(key)).toBe(model.has(key));
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
        fc.property(
          changes,
          query,
          fc.integer({ min: 1, max: 10 }),
          fc.integer({ min: 1, max: 9 }),
          (list, of, k, every) => {
            const index = open(DIMENSIONS);
            const isAllowed = (key: number): boolean => key % every === 0;
            const expected = sorted(apply(index, list), of).filter(({ key }) => isAllowed(key));
            const near = index.nearest(of, k, isAllowed);
            // A walk may miss some of the nearest. It takes others in their place, as many as are there.
            const found = new Set(near.map(({ key }) => key));
            const left = index.mayMiss(k, isAllowed) ? expected.filter(({ key }) => found.has(key)) : expected;
            expect(near).toEqual(left.slice(0, k));
            expect(near.length).toBe(Math.min(k, expected.length));
          },
        ),
        { numRuns },
      );
    });

    it("finds nearly all of the nearest among many, also after a third was replaced and a third deleted", () => {
      const index = open(24);
      const vectors = clusteredVectors(1500, 24, 1);
      for (const [key, vector] of vectors.entries()) index.vectors.set(key, encodeVector(vector));
      for (let key = 0; key < 500; key++)
        index.vectors.set(key, encodeVector(vectors[1499 - key] ?? new Float32Array(24)));
      for (let key = 500; key < 1000; key++) index.vectors.delete(key);
      const exact = scanned(24);
      for (let key = 0; key < 500; key++)
        exact.vectors.set(key, encodeVector(vectors[1499 - key] ?? new Float32Array(24)));
      for (let key = 1000; key < 1500; key++)
        exact.vectors.set(key, encodeVector(vectors[key] ?? new Float32Array(24)));
      let found = 0;
      for (const vector of clusteredVectors(50, 24, 2)) {
        const near = new Set(index.nearest(encodeQuery(vector), 10).map(({ key }) => key));
        found += exact.nearest(encodeQuery(vector), 10).filter(({ key }) => near.has(key)).length;
      }
      expect(found).toBeGreaterThanOrEqual(isExact ? 500 : 480);
    });

    it("gives what there is if more is asked for", () => {
      const index = open(24);
      for (const [key, vector] of clusteredVectors(300, 24, 4).entries()) index.vectors.set(key, encodeVector(vector));
      const near = index.nearest(encodeQuery(new Float32Array(24).fill(1)), 1_000_000);
      expect(near.length).toBeGreaterThanOrEqual(isExact ? 300 : 290);
    });

    it("is empty at first and again when all are deleted", () => {
      const index = open(2);
      const of = encodeQuery(Float32Array.of(1, 0));
      expect(index.nearest(of, 3)).toEqual([]);
      index.vectors.set(7, Int8Array.of(1, 0));
      expect(index.nearest(of, 3)).toEqual([{ key: 7, cosine: 1 }]);
      index.vectors.delete(7);
      expect([index.vectors.count, index.nearest(of, 3)]).toEqual([0, []]);
    });

    it("takes room for what it holds", () => {
      const index = open(256);
      for (const [key, vector] of clusteredVectors(500, 256, 3).entries()) index.vectors.set(key, encodeVector(vector));
      expect(index.vectors.bytes).toBeGreaterThanOrEqual(500 * 256);
    });

    it("refuses vectors of another number of dimensions", () => {
      expect(() => open(3).vectors.set(0, Int8Array.of(1, 2))).toThrow(RangeError);
    });
  });
});
