import type { QueryVector } from "../../src/index/vectors/codes.ts";
import type { AllowedKeys } from "../../src/index/vectors/exact-scan.ts";
import type { Neighbour } from "../../src/index/vectors/nearest-keys.ts";
import type { VectorRows } from "../../src/index/vectors/rows.ts";
import { finished, type OperationMeter, type Sliced, UNCOUNTED } from "../../src/scheduling/time-slices.ts";
import { listedRanges } from "./listed-ranges.ts";

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

/** The keys that a filter allows. */
export function keysThat(isAllowed: (key: number) => boolean): AllowedKeys {
  const keys = Array.from({ length: KEYS_END }, (_, key) => key).filter(isAllowed);
  return {
    keyCount: keys.length,
    keyRanges: () => listedRanges(keys.map((key) => [key, key + 1] as const)),
    hasKey: isAllowed,
  };
}

/** The cosines of all vectors by key, scanned in one go; NaN where there is no vector. */
export function scanOf(rows: VectorRows, query: QueryVector): Float32Array {
  return finished(rows.scanInSlices(query, UNCOUNTED));
}
