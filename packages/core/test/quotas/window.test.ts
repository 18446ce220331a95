import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlidingWindow } from "../../src/quotas/window.ts";
import { sharedWindowClock, WindowClock } from "../../src/quotas/window-clock.ts";
import { TestClock } from "../support/test-clock.ts";

const LIMIT = 100;

describe("the sliding window", () => {
  it("counts what was admitted before its last admission together with that", () => {
    const window = new SlidingWindow();
    window.add(10, 5_000);
    window.add(7, 4_000);
    window.release(10, 5_000);
    expect(window.admissions()).toEqual([{ atMs: 5_000, characters: 7 }]);
    expect([window.used(64_999), window.used(65_000)]).toEqual([7, 0]);
  });

  it("admits at most the limit in any 60 seconds, and all that fits", () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 40_000 }), characters: fc.integer({ min: 0, max: 120 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = new SlidingWindow();
        const admitted: { at: number; characters: number }[] = [];
        let now = 0;
        const sumAt = (t: number): number =>
          admitted.filter(({ at }) => at > t - 60_000 && at <= t).reduce((sum, { characters }) => sum + characters, 0);
        for (const { wait, characters } of steps) {
          now += wait;
          const waitMs = window.waitMs(characters, LIMIT, now);
          expect(window.used(now)).toBe(sumAt(now));
          const emptyAt = now + window.emptyInMs(now);
          expect(sumAt(emptyAt)).toBe(0);
          if (emptyAt > now) expect(sumAt(emptyAt - 1)).toBeGreaterThan(0);
          if (sumAt(now) + characters <= LIMIT) {
            expect(waitMs).toBe(0);
            window.add(characters, now);
            admitted.push({ at: now, characters });
          } else if (characters > LIMIT) {
            expect(waitMs).toBeUndefined();
          } else {
            // Exactly then, and not a millisecond before.
            const at = now + (waitMs ?? 0);
            expect(waitMs).toBeGreaterThan(0);
            expect(sumAt(at) + characters).toBeLessThanOrEqual(LIMIT);
            expect(sumAt(at - 1) + characters).toBeGreaterThan(LIMIT);
          }
          expect(sumAt(now)).toBeLessThanOrEqual(LIMIT);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("takes back what a failed write had added, and nothing else", () => {
    const window = new SlidingWindow();
    window.add(40, 1_000);
    window.add(30, 2_000);
    window.release(40, 1_000);
    expect(window.used(2_000)).toBe(30);
    expect(window.emptyInMs(2_000)).toBe(60_000);
    expect(window.copy().admissions()).toEqual(window.admissions());
    expect(window.waitMs(80, LIMIT, 2_000)).toBe(60_000);
  });

  it("is empty when its last characters expire, also where later ones were taken back", () => {
    const window = new SlidingWindow();
    window.add(30, 2_000);
    window.add(5, 3_000);
    window.release(5, 3_000);
    expect(window.emptyInMs(3_000)).toBe(59_000);
    window.release(30, 2_000);
    expect(window.emptyInMs(3_000)).toBe(0);
  });

  it("admits writes that add nothing, also when the limit was lowered below what is in it", () => {
    const window = new SlidingWindow();
    window.add(80, 0);
    expect(window.waitMs(0, 10, 1)).toBe(0);
    expect(window.waitMs(1, 10, 1)).toBe(59_999);
  });
});

describe("the window's clock", () => {
  it("neither runs backwards nor stands still when the wall clock is set back", () => {
    const clock = new TestClock(1_000_000);
    const window = new WindowClock(clock, 0);
    clock.advance(500);
    clock.wall -= 3_600_000;
    expect(window.nowMs()).toBe(1_000_500);
    clock.advance(500);
    expect(window.nowMs()).toBe(1_001_000);
  });

  it("starts at the last admission if the wall clock is behind it", () => {
    const clock = new TestClock(1_000);
    const window = new WindowClock(clock, 9_000);
    clock.advance(1);
    expect(window.nowMs()).toBe(9_001);
  });
});

describe("the window's clock on a shared storage", () => {
  const onShared = (stored: TestClock) => ({ shared: { nowMs: () => stored.wallMs() } });

  it("is the storage's, and never behind the last charge", () => {
    const last = { lastChargeMs: 0 };
    const stored = new TestClock(1_000_000);
    const window = sharedWindowClock({ storage: onShared(stored), clock: new TestClock() }, last);
    expect(window?.nowMs()).toBe(1_000_000);
    last.lastChargeMs = 1_000_002;
    expect(window?.nowMs()).toBe(1_000_002);
    stored.advance(10);
    expect(window?.nowMs()).toBe(1_000_010);
  });

  it("continues from the last charge while the storage's clock is set back, and until that has caught up", () => {
    const last = { lastChargeMs: 5_000_000 };
    const stored = new TestClock(1_000_000);
    const own = new TestClock();
    const advance = (ms: number): void => [stored, own].forEach((clock) => void clock.advance(ms));
    const window = sharedWindowClock({ storage: onShared(stored), clock: own }, last);
    expect(window?.nowMs()).toBe(5_000_000);
    advance(60_000);
    expect(window?.nowMs()).toBe(5_060_000);
    // Another node charges, whose time is ahead of this one's: only what passes from now on is known to have passed.
    last.lastChargeMs = 5_070_000;
    expect(window?.nowMs()).toBe(5_070_000);
    advance(1_000);
    expect(window?.nowMs()).toBe(5_071_000);
    // The storage's clock has passed the charge, and not yet what this one has told.
    stored.wall = 5_070_500;
    expect(window?.nowMs()).toBe(5_071_000);
    stored.wall = 5_080_000;
    expect(window?.nowMs()).toBe(5_080_000);
  });
});
