import { measures } from "@loredex/core";

/** The measures of rankings are the engine's own; here are those of times. */

export const { lineInAnyPart, lineInFirstPart, mean, normalizedDiscountedGain, recall, reciprocalRank } = measures;

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** How far values lie apart, as a share of their median. */
export function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

/** The value below which this share (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
