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

/**
 * The probability that a value of the first kind is above one of the second, drawn at random; a tie counts half. The area under the curve of a threshold's
 * hits by its false alarms (Hanley, McNeil 1982).
 */
export function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const sorted = [...second].sort((a, b) => a - b);
  /** How many of the second are below a value, or equal to it as well. */
  const countTo = (value: number, isCounted: (other: number) => boolean): number => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isCounted(sorted[middle] ?? value)) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  let above = 0;
  for (const value of first) {
    above += (countTo(value, (other) => other < value) + countTo(value, (other) => other <= value)) / 2;
  }
  return above / (first.length * second.length);
}
