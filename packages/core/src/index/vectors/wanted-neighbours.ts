import type { AllowedKeys } from "./exact-scan.ts";

/** Standard deviations by which more neighbours are asked for than needed on average. */
const DEVIATIONS = 2;

/**
 * Number of neighbours to find, so that `k` of them are allowed: the number that holds `k` on average, if the filter has nothing to do with the
 * query, and {@link DEVIATIONS} more.
 * @param count number of vectors
 */
export function wantedNeighbours(k: number, allowed: AllowedKeys | undefined, count: number): number {
  const share = allowed === undefined ? 1 : Math.min(1, allowed.keyCount / count);
  if (share === 1) return k;
  return Math.min(count, Math.ceil((k + DEVIATIONS * Math.sqrt(k * (1 - share))) / share));
}
