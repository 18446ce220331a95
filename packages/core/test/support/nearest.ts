import type { QueryVector } from "../../src/index/vectors/codes.ts";
import type { AllowedKeys } from "../../src/index/vectors/exact-scan.ts";
import { NearestKeys, type Neighbour } from "../../src/index/vectors/nearest-keys.ts";
import type { VectorRows } from "../../src/index/vectors/rows.ts";
import type { VectorGraph } from "../../src/index/vectors/vector-graph.ts";
import { finished, type OperationMeter, type Sliced, UNCOUNTED } from "../../src/scheduling/time-slices.ts";

/** The exact scan, or the vectors of passages. */
interface Searched {
  nearestInSlices(
    query: QueryVector,
    k: number,
    meter: OperationMeter,
    allowed?: AllowedKeys,
  ): Sliced<readonly Neighbour[]>;
}

/** Keys of tests with filters are below this. */
const KEYS_END = 64;

/** The `k` nearest, searched in one go. */
export function nearestOf(
  index: Searched,
  query: QueryVector,
  k: number,
  isAllowed?: (key: number) => boolean,
): readonly Neighbour[] {
  const allowed = isAllowed === undefined ? undefined : keysThat(isAllowed);
  return finished(index.nearestInSlices(query, k, UNCOUNTED, allowed));
}

function keysThat(isAllowed: (key: number) => boolean): AllowedKeys {
  const keys = Array.from({ length: KEYS_END }, (_, key) => key).filter(isAllowed);
  return { keyCount: keys.length, keyRanges: () => keys.map((key) => [key, key + 1] as const) };
}

/** The `k` nearest of those that a graph offers. */
export function nearestByGraph(graph: VectorGraph, query: QueryVector, k: number): Neighbour[] {
  const nearest = new NearestKeys(k);
  graph.search(query, k, (key, cosine) => nearest.offer(key, cosine));
  return nearest.neighbours();
}

/** The cosines of all vectors by key, scanned in one go; NaN where there is no vector. */
export function scanOf(rows: VectorRows, query: QueryVector): Float32Array {
  return finished(rows.scanInSlices(query, UNCOUNTED));
}

/** All vectors by brute force, one comparison after the other: in the order in which they must come. */
export function byBruteForce(
  rows: Pick<VectorRows, "cosine">,
  keys: Iterable<number>,
  query: QueryVector,
): Neighbour[] {
  return [...keys]
    .flatMap((key) => {
      const cosine = rows.cosine(query, key);
      return cosine === undefined ? [] : [{ key, cosine }];
    })
    .sort((a, b) => b.cosine - a.cosine || a.key - b.key);
}
