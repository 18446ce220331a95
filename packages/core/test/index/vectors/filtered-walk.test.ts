import { describe, expect, it } from "vitest";
import { encodeQuery, encodeVector, type QueryVector } from "../../../src/index/vectors/codes.ts";
import type { AllowedKeys } from "../../../src/index/vectors/exact-scan.ts";
import { HnswGraph, hnswGraphs } from "../../../src/index/vectors/hnsw.ts";
import type { Neighbour } from "../../../src/index/vectors/nearest-keys.ts";
import { PassageVectors } from "../../../src/index/vectors/passage-vectors.ts";
import type { VectorRows } from "../../../src/index/vectors/rows.ts";
import type { Graphs } from "../../../src/index/vectors/vector-graph.ts";
import { wantedNeighbours } from "../../../src/index/vectors/wanted-neighbours.ts";
import { finished, UNCOUNTED } from "../../../src/scheduling/time-slices.ts";
import { byBruteForce, clusteredVectors } from "../../../testing/told-vectors.ts";
import { listedRanges } from "../../support/listed-ranges.ts";

const DIMENSIONS = 12;
const COUNT = 3_000;
const K = 10;
const KEYS = Array.from({ length: COUNT }, (_, key) => key);
const all = clusteredVectors(COUNT, DIMENSIONS, 7);
const queries = clusteredVectors(30, DIMENSIONS, 8).map(encodeQuery);

let walks = 0;
/** Counts its walks. */
class Walked extends HnswGraph {
  override search(...given: Parameters<HnswGraph["search"]>): void {
    walks++;
    super.search(...given);
  }
}
const graphs: Graphs<VectorRows> = { ...hnswGraphs(false), empty: (rows) => new Walked(rows) };

function among(isAllowed: (key: number) => boolean): AllowedKeys {
  const keys = KEYS.filter(isAllowed);
  return {
    keyCount: keys.length,
    keyRanges: () => listedRanges(keys.map((key) => [key, key + 1] as const)),
    hasKey: isAllowed,
  };
}

const vectors = new PassageVectors(DIMENSIONS, { graphs, graphVectorsMin: 100 });
for (const [key, vector] of all.entries()) vectors.set(key, encodeVector(vector));
let now = 0;
vectors.work(Number.POSITIVE_INFINITY, { wallMs: () => now, monotonicMs: () => now++ });

const nearest = (query: QueryVector, k: number, allowed: AllowedKeys): readonly Neighbour[] =>
  finished(vectors.nearestInSlices(query, k, UNCOUNTED, allowed));
const exact = (query: QueryVector, k: number, { hasKey }: AllowedKeys): readonly Neighbour[] =>
  byBruteForce(vectors, KEYS, query)
    .filter(({ key }) => hasKey(key))
    .slice(0, k);

describe("a filtered search of vectors with a graph", () => {
  it.each([
    [90, (key: number) => key % 10 > 0],
    [50, (key: number) => key % 2 === 0],
  ])("walks where %i percent are allowed, and finds nearly all of the nearest of them", (_, isAllowed) => {
    const allowed = among(isAllowed);
    expect(vectors.mayMiss(K, allowed)).toBe(true);
    const before = walks;
    let found = 0;
    for (const query of queries) {
      const near = nearest(query, K, allowed);
      expect(near).toHaveLength(K);
      expect(near.every(({ key }) => isAllowed(key))).toBe(true);
      const keys = new Set(near.map(({ key }) => key));
      found += exact(query, K, allowed).filter(({ key }) => keys.has(key)).length;
    }
    expect(walks - before).toBe(queries.length);
    expect(found / (K * queries.length)).toBeGreaterThan(0.9);
  });

  it("scans where few are allowed: then nothing is missed", () => {
    const allowed = among((key) => key % 100 === 0);
    expect(vectors.mayMiss(K, allowed)).toBe(false);
    const before = walks;
    for (const query of queries) expect(nearest(query, K, allowed)).toEqual(exact(query, K, allowed));
    expect(walks).toBe(before);
  });

  it("scans after a walk that has found too few: none of the nearest is allowed", () => {
    const [query = expect.fail("no query")] = queries;
    const far = new Set(
      byBruteForce(vectors, KEYS, query)
        .slice(COUNT / 3)
        .map(({ key }) => key),
    );
    const allowed = among((key) => far.has(key));
    expect(vectors.mayMiss(K, allowed)).toBe(true);
    const before = walks;
    expect(nearest(query, K, allowed)).toEqual(exact(query, K, allowed));
    expect(walks - before).toBe(1);
  });

  it("keeps the list of allowed keys until a row changes", () => {
    const few = new PassageVectors(DIMENSIONS);
    const [one = expect.fail("no vector"), ...others] = all.slice(0, 50);
    for (const [at, vector] of [one, ...others].entries()) few.set(at + 10, encodeVector(vector));
    let made = 0;
    let key = 10;
    const allowed: AllowedKeys = {
      keyCount: 1,
      keyRanges: () => {
        made++;
        return listedRanges([[key, key + 1] as const]);
      },
      hasKey: (asked) => asked === key,
    };
    const found = (of: Float32Array) =>
      finished(few.nearestInSlices(encodeQuery(of), K, UNCOUNTED, allowed)).map(({ key: found }) => found);
    expect([found(one), ...others.slice(0, 3).map(found), made]).toEqual([[10], [10], [10], [10], 1]);
    few.move(10, 3);
    key = 3;
    expect([found(one), made]).toEqual([[3], 2]);
  });

  it("asks for more neighbours, the fewer are allowed", () => {
    const wanted = [undefined, 1, 0.9, 0.5, 0.1].map((share) => {
      const keys = share === undefined ? undefined : { ...among(() => false), keyCount: share * COUNT };
      return wantedNeighbours(K, keys, COUNT);
    });
    expect(wanted).toEqual([10, 10, 12, 20, 100]);
    expect(wantedNeighbours(K, { ...among(() => false), keyCount: 1 }, COUNT)).toBe(COUNT);
  });
});
