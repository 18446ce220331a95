import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { maxSim } from "../../../src/search/rerank/max-sim.ts";
import { bestWindow, type ComparedWindow, WINDOW_TOKENS } from "../../../src/search/rerank/windows.ts";

const BITS = 384;
const window = (tokens: number, ...least: number[]): ComparedWindow => ({ least: Uint16Array.from(least), tokens });
const even = new Float32Array(3).fill(1);

/** All windows, each by itself. */
function naiveBest(windows: readonly ComparedWindow[]): number {
  const values = windows.map((_, first) => {
    let end = first + 1;
    let tokens = windows[first]?.tokens ?? 0;
    for (; end < windows.length && tokens < WINDOW_TOKENS; end++) tokens += windows[end]?.tokens ?? 0;
    const taken = windows.slice(first, end);
    const least = Uint16Array.from(even, (_, i) => Math.min(...taken.map((each) => each.least[i] ?? 0)));
    return maxSim(least, even, BITS);
  });
  return Math.max(0, ...values);
}

describe("the best window of a passage", () => {
  it("takes parts together until it has enough tokens", () => {
    const together = [window(60, 0, 192, 192), window(60, 192, 0, 192), window(60, 192, 192, 0)];
    expect(bestWindow(together, even, BITS)).toBe(1);
    const apart = [window(80, 0, 192, 192), window(80, 192, 0, 192), window(80, 192, 192, 0)];
    expect(bestWindow(apart, even, BITS)).toBeCloseTo(2 / 3);
  });

  it("is the passage where that is short, and 0 where there is none", () => {
    expect(bestWindow([window(3, 0, 0, 192)], even, BITS)).toBeCloseTo(2 / 3);
    expect(bestWindow([], even, BITS)).toBe(0);
  });

  it("is what the best of all windows is, and leaves the parts as they are", () => {
    const windows = fc.array(
      fc.record({
        tokens: fc.nat(200),
        least: fc.array(fc.nat(BITS), { minLength: 3, maxLength: 3 }).map((each) => Uint16Array.from(each)),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(windows, (some) => {
        const before = JSON.stringify(some);
        expect(bestWindow(some, even, BITS)).toBe(naiveBest(some));
        expect(JSON.stringify(some)).toBe(before);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});
