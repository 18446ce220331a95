import type { KeyRanges } from "../../src/index/vectors/exact-scan.ts";

/** A cursor over ranges of a list. */
export function listedRanges(ranges: readonly (readonly [first: number, end: number])[]): KeyRanges {
  let at = -1;
  return {
    get first() {
      return ranges[at]?.[0] ?? 0;
    },
    get end() {
      return ranges[at]?.[1] ?? 0;
    },
    next: () => ++at < ranges.length,
  };
}
