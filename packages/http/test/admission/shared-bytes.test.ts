import fc from "fast-check";
import { expect, it } from "vitest";
import { SharedBytes } from "../../src/admission/shared-bytes.ts";

const happening = fc.record({
  which: fc.nat(9),
  kind: fc.constantFrom("add", "add", "take", "release"),
  bytes: fc.integer({ min: 0, max: 60 }),
});

it("is never more than there may be, and whoever has to go has most: whatever happens", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 100 }), (happenings) => {
      const shared = new SharedBytes(100);
      const held = Array.from({ length: 10 }, () => 0);
      const over = new Set<number>();
      const ofOwner = (owner: number) =>
        held.reduce((sum, bytes, which) => (which % 3 === owner ? sum + bytes : sum), 0);
      const holds = held.map((_, which) =>
        shared.hold(String(which % 3), () => {
          const most = Math.max(...[0, 1, 2].map(ofOwner));
          expect(ofOwner(which % 3)).toBe(most);
          expect(over.has(which)).toBe(false);
          over.add(which);
          held[which] = 0;
        }),
      );
      for (const { which, kind, bytes } of happenings) {
        const [hold, before = 0] = [holds[which], held[which]];
        if (hold === undefined) continue;
        if (!over.has(which)) {
          held[which] = kind === "add" ? before + bytes : kind === "take" ? Math.max(0, before - bytes) : 0;
          if (kind === "release") over.add(which);
        }
        if (kind === "release") hold.release();
        else hold[kind](bytes);
        expect(shared.bytes).toBe(held.reduce((sum, each) => sum + each, 0));
        expect(shared.bytes).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 500 },
  );
});

it("gives up what has stood still for longest", () => {
  const shared = new SharedBytes(100);
  const gone: string[] = [];
  const [one, two, three] = ["one", "two", "three"].map((name) => shared.hold("owner", () => gone.push(name)));
  one?.add(40);
  two?.add(30);
  one?.take(5);
  three?.add(60);
  expect([gone, shared.bytes]).toEqual([["two"], 95]);
});

it("leaves a small owner alone", () => {
  const shared = new SharedBytes(100);
  const gone: string[] = [];
  const small = shared.hold("small", () => gone.push("small"));
  small.add(30);
  for (let i = 0; i < 10; i++) shared.hold("large", () => gone.push("large")).add(40);
  expect(gone).toEqual(Array.from({ length: 9 }, () => "large"));
});

it("counts for whom they were given to, and for nobody else", () => {
  const shared = new SharedBytes(100);
  const gone: string[] = [];
  const [one, two, three] = ["one", "two", "three"].map((name) => shared.hold("strangers", () => gone.push(name)));
  three?.add(35);
  two?.giveTo("bot");
  one?.add(60);
  one?.giveTo("bot");
  // Of one owner it would be the third that has to go: it has stood still for longest.
  two?.add(10);
  expect([gone, shared.bytes]).toEqual([["one"], 45]);
  three?.giveTo("bot");
  three?.release();
  three?.giveTo("strangers");
  expect(shared.bytes).toBe(10);
});
