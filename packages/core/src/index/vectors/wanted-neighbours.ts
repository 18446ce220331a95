import type { AllowedKeys } from "./exact-scan.ts";

/**
 * Number of neighbours to ask a graph for, so that `k` of them are allowed on average, if the filter has nothing to do with the query.
 * @param count number of vectors
 */
export function wantedNeighbours(k: number, allowed: AllowedKeys | undefined, count: number): number {
  const share = allowed === undefined ? 1 : Math.min(1, allowed.keyCount / count);
  return Math.min(count, Math.ceil(k / share));
}
