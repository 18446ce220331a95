import fc from "fast-check";
import { expect, it } from "vitest";
import { RequestRates } from "../../src/quotas/request-rates.ts";
import { TestClock } from "../support/test-clock.ts";

it("admits at most the limit in any 60 seconds, all that fits, and says to the millisecond when the next one does", () => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 30_000 }), key: fc.constantFrom("a", "b") });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 6 }), (steps, limit) => {
      const clock = new TestClock();
      const rates = new RequestRates(clock);
      const admitted: { readonly key: string; readonly at: number }[] = [];
      const within = (key: string, end: number): number =>
        admitted.filter((each) => each.key === key && each.at > end - 60_000 && each.at <= end).length;
      for (const { wait, key } of steps) {
        clock.advance(wait);
        const now = clock.monotonicMs();
        const room = within(key, now) < limit;
        const waitMs = rates.admit(key, limit);
        expect(waitMs === 0).toBe(room);
        if (room) admitted.push({ key, at: now });
        else {
          expect(within(key, now + waitMs)).toBeLessThan(limit);
          expect(within(key, now + waitMs - 1)).toBe(limit);
        }
      }
    }),
    { numRuns: 300 },
  );
});

it("keeps no window of a key that asked for nothing in a minute", () => {
  const clock = new TestClock();
  const rates = new RequestRates(clock);
  for (let i = 0; i < 1_000; i += 1) expect(rates.admit(`key ${i}`, 1)).toBe(0);
  expect(rates.size).toBe(1_000);
  clock.advance(60_000);
  expect(rates.admit("key 7", 1)).toBe(0);
  expect(rates.size).toBe(1);
});
