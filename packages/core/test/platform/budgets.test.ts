import fc from "fast-check";
import { expect, it } from "vitest";
import { CONNECTIONS_MAX } from "../../src/model/limits.ts";
import { budgetsOf, connectionsMaxOf, memoryBoundsOf } from "../../src/platform/budgets.ts";

const MEMORY = { memoryBytes: 1e9, heapBytes: 1e9 };

it("leaves descriptors for openings and snapshots, however many bots and connections there are", () => {
  fc.assert(
    fc.property(fc.integer({ min: 64, max: 2_000_000 }), (descriptors) => {
      const bots = budgetsOf({}, { ...MEMORY, descriptors }).openBotsMax;
      const connections = connectionsMaxOf({ descriptors });
      expect(connections).toBeGreaterThanOrEqual(1);
      expect(connections).toBeLessThanOrEqual(CONNECTIONS_MAX);
      // An open bot holds its log, and a file of signs.
      expect(descriptors - 2 * bots - connections).toBeGreaterThanOrEqual(descriptors / 4);
    }),
  );
});

it("takes the most connections where descriptors are plenty, or where nothing is known of them", () => {
  expect(connectionsMaxOf({ descriptors: 1_048_576 })).toBe(CONNECTIONS_MAX);
  expect(connectionsMaxOf({ descriptors: undefined })).toBe(CONNECTIONS_MAX);
  expect(connectionsMaxOf({ descriptors: 1_024 })).toBe(384);
  expect(connectionsMaxOf({ descriptors: 1 })).toBe(1);
});

it("lets memory be filled to 85 %, and to 72 % of the heap without what it has for objects that are new", () => {
  const MIB = 1_048_576;
  const machine = { memoryBytes: 1_000 * MIB, heapBytes: 248 * MIB };
  const bounds = { heldBytes: 850 * MIB, heapBytes: 144 * MIB, processBytes: 850 * MIB };
  expect(memoryBoundsOf(undefined, machine)).toEqual(bounds);
  expect(memoryBoundsOf(5, machine)).toEqual({ ...bounds, heldBytes: 5 });
  expect(memoryBoundsOf(undefined, { ...machine, heapBytes: 60 * MIB }).heapBytes).toBe(Math.floor(21.6 * MIB));
  // Idle bots are closed before a write is refused.
  expect(budgetsOf({ memoryBytes: 10, memoryMaxBytes: 5 }, { ...MEMORY, descriptors: 100 }).memoryBytes).toBe(5);
});
