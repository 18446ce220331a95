import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VersionReservations } from "../../src/quotas/version-reservations.ts";

describe("characters reserved for writes in flight", () => {
  it("are those of each article's longest version above its durable one, whichever writes become durable", () => {
    const write = fc.record({ id: fc.constantFrom("a", "b"), characters: fc.nat({ max: 50 }) });
    const end = fc.record({ end: fc.nat({ max: 9 }), durable: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.oneof(write, end), { maxLength: 40 }), (steps) => {
        const durable = new Map<string, number>();
        const reservations = new VersionReservations((id) => durable.get(id) ?? 0);
        const inFlight: { id: string; characters: number; release: () => void }[] = [];
        const highest = (id: string): number =>
          Math.max(durable.get(id) ?? 0, ...inFlight.flatMap((each) => (each.id === id ? each.characters : [])));
        const above = (): number => ["a", "b"].reduce((sum, id) => sum + highest(id) - (durable.get(id) ?? 0), 0);
        for (const step of steps) {
          if ("id" in step) {
            const { id, characters } = step;
            expect(reservations.growth(id, characters)).toBe(Math.max(0, characters - highest(id)));
            inFlight.push({ id, characters, release: reservations.reserve(id, characters) });
          } else {
            const [ended] = inFlight.splice(step.end % Math.max(1, inFlight.length), 1);
            if (ended === undefined) continue;
            if (step.durable) durable.set(ended.id, ended.characters);
            ended.release();
          }
          expect(reservations.total).toBe(above());
        }
        for (const { release } of inFlight.splice(0)) release();
        expect(reservations.total).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
