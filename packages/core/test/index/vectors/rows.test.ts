import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueryVector } from "../../../src/index/vectors/codes.ts";
import { VectorRows, type VectorRowsOptions } from "../../../src/index/vectors/rows.ts";
import { scanOf } from "../../support/nearest.ts";
import { renumber } from "./renumber.ts";

/** The three ways to keep rows and to multiply with them; all must say the same. */
const WAYS: Readonly<Record<string, VectorRowsOptions>> = {
  "a plain loop": { simd: false },
  "SIMD in shared memory": { ownMemoryBytesMin: Number.POSITIVE_INFINITY },
  "SIMD in memory of its own": { ownMemoryBytesMin: 0 },
};

const code = fc.integer({ min: -128, max: 127 });
const codesOf = (dimensions: number): fc.Arbitrary<Int8Array> =>
  fc
    .oneof(
      { weight: 5, arbitrary: fc.array(code, { minLength: dimensions, maxLength: dimensions }) },
      { weight: 1, arbitrary: fc.constantFrom(-128, 0, 127).map((all) => new Array<number>(dimensions).fill(all)) },
    )
    .map((codes) => Int8Array.from(codes));
const queryOf = (dimensions: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
    .map((components) => Float32Array.from(components));

/** Dimensions, a query, and vectors under keys that need not be dense. */
const scene = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    query: queryOf(dimensions),
    vectors: fc.uniqueArray(fc.tuple(fc.nat(60), codesOf(dimensions)), {
      selector: ([key]) => key,
      maxLength: 40,
      size: "max",
    }),
  }),
);

/** The cosine straight from its definition. */
function naiveCosine(query: QueryVector, codes: Int8Array): number {
  const product = codes.reduce((sum, each, i) => sum + each * (query.codes[i] ?? 0), 0);
  const lengths = Math.sqrt(query.codes.reduce((sum, each) => sum + each ** 2, 0)) * Math.hypot(...codes);
  return lengths === 0 ? 0 : product / lengths;
}

describe("a scan", () => {
  it("gives the cosines of the codes, NaN where there is no vector, the same one by one", () => {
    fc.assert(
      fc.property(scene, fc.constantFrom(...Object.values(WAYS)), ({ dimensions, query, vectors }, way) => {
        const rows = new VectorRows(dimensions, way);
        for (const [key, codes] of vectors) rows.set(key, codes);
        const prepared = rows.prepare(query);
        const cosines = scanOf(rows, prepared).slice();
        const known = new Map(vectors);
        expect(cosines.length).toBe(Math.max(-1, ...known.keys()) + 1);
        for (const [key, cosine] of cosines.entries()) {
          const codes = known.get(key);
          expect(cosine).toEqual(codes === undefined ? Number.NaN : expect.closeTo(naiveCosine(prepared, codes), 6));
          // Looked up after the scan, and computed alone for a query that was not scanned.
          expect(rows.cosine(prepared, key)).toBe(codes === undefined ? undefined : cosine);
          expect(rows.cosine(rows.prepare(query), key)).toBe(codes === undefined ? undefined : cosine);
        }
        // All at once, in any order and twice, with keys that nothing is at.
        const keys = Uint32Array.from([...cosines.keys(), ...cosines.keys(), 61, 4_000_000_000]).reverse();
        const listed = [...keys].map((key) => cosines[key] ?? Number.NaN);
        for (const each of [rows.prepare(query), prepared]) {
          expect([...rows.cosinesOf(each, keys, keys.length).slice(0, keys.length)]).toEqual(listed);
        }
        for (const [first, end] of [[0, cosines.length] as const, [1, 4] as const, [2, 2] as const]) {
          const there = [...cosines.slice(first, end)].filter((cosine) => !Number.isNaN(cosine));
          const highest = there.length === 0 ? undefined : Math.max(...there);
          expect(rows.highestCosine(rows.prepare(query), first, Math.min(end, rows.end))).toBe(highest);
          expect(scanOf(rows, prepared).length).toBe(cosines.length);
          expect(rows.highestCosine(prepared, first, Math.min(end, rows.end))).toBe(highest);
        }
      }),
    );
  });

  it("gives the same bits by SIMD and by the plain loop", () => {
    fc.assert(
      fc.property(scene, ({ dimensions, query, vectors }) => {
        const [first, ...others] = Object.values(WAYS).map((way) => {
          const rows = new VectorRows(dimensions, way);
          for (const [key, codes] of vectors) rows.set(key, codes);
          return new Uint32Array(scanOf(rows, rows.prepare(query)).slice().buffer);
        });
        for (const other of others) expect(other).toEqual(first);
      }),
    );
  });

  it.each([
    [256, 3000],
    [1, 3000],
    [17, 2500],
    [4096, 150],
  ])("agrees over blocks and over the growth of memory: %i dimensions, %i rows", (dimensions, count) => {
    const [plain, shared, own] = Object.values(WAYS).map((way) => new VectorRows(dimensions, way));
    for (let key = 0; key < count; key++) {
      const codes = Int8Array.from({ length: dimensions }, (_, i) => (key * 31 + i * 17 + ((key * i) % 97)) % 128);
      for (const rows of [plain, shared, own]) rows?.set(key, codes);
    }
    const query = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(i + 1));
    const expected = plain && scanOf(plain, plain.prepare(query)).slice();
    expect(expected?.length).toBe(count);
    expect(shared && scanOf(shared, shared.prepare(query)).slice()).toEqual(expected);
    expect(own && scanOf(own, own.prepare(query)).slice()).toEqual(expected);
  });
});

describe("rows", () => {
  type Command =
    | { readonly kind: "set"; readonly key: number; readonly codes: Int8Array }
    | { readonly kind: "delete"; readonly key: number }
    | { readonly kind: "renumber"; readonly dropEvery: number };
  const DIMENSIONS = 5;
  const commands = fc.array(
    fc.oneof<fc.Arbitrary<Command>[]>(
      fc.record({ kind: fc.constant("set" as const), key: fc.nat(80), codes: codesOf(DIMENSIONS) }),
      fc.record({ kind: fc.constant("delete" as const), key: fc.nat(80) }),
      fc.record({ kind: fc.constant("renumber" as const), dropEvery: fc.integer({ min: 2, max: 9 }) }),
    ),
    { maxLength: 120, size: "max" },
  );

  it("behave like a map from keys to codes, through any changes", () => {
    fc.assert(
      fc.property(commands, fc.constantFrom(...Object.values(WAYS)), (list, way) => {
        const rows = new VectorRows(DIMENSIONS, way);
        let model = new Map<number, Int8Array>();
        for (const command of list) {
          if (command.kind === "set") {
            rows.set(command.key, command.codes);
            model.set(command.key, command.codes);
          } else if (command.kind === "delete") {
            expect(rows.delete(command.key)).toBe(model.delete(command.key));
          } else {
            const kept = [...model].sort(([a], [b]) => a - b).filter((_, i) => i % command.dropEvery !== 0);
            const newKeys = new Map(kept.map(([key], i) => [key, i]));
            renumber(rows, rows.end, (key) => newKeys.get(key));
            model = new Map(kept.map(([, codes], i) => [i, codes]));
          }
        }
        expect(rows.count).toBe(model.size);
        expect(rows.end).toBe(Math.max(-1, ...model.keys()) + 1);
        for (let key = -1; key <= 81; key++) {
          expect(rows.has(key)).toBe(model.has(key));
          expect(rows.codesOf(key)).toEqual(model.get(key));
        }
      }),
    );
  });

  it("copy codes on the way in and out", () => {
    const rows = new VectorRows(2);
    const codes = Int8Array.of(1, 2);
    rows.set(0, codes);
    codes[0] = 9;
    rows.codesOf(0)?.fill(7);
    expect([...(rows.codesOf(0) ?? [])]).toEqual([1, 2]);
  });

  it("refuse what does not fit, and stay as they were", () => {
    expect(() => new VectorRows(0)).toThrow(RangeError);
    expect(() => new VectorRows(4097)).toThrow(RangeError);
    const rows = new VectorRows(3);
    rows.set(1, Int8Array.of(1, 2, 3));
    rows.set(4, Int8Array.of(4, 5, 6));
    expect(() => rows.set(0, Int8Array.of(1))).toThrow("3 dimensions");
    expect(() => rows.set(-1, Int8Array.of(1, 2, 3))).toThrow("-1");
    expect(() => rows.set(0.5, Int8Array.of(1, 2, 3))).toThrow("0.5");
    expect(() => rows.prepare(Float32Array.of(1))).toThrow("3 dimensions");
    expect(() => scanOf(rows, new VectorRows(40).prepare(new Float32Array(40)))).toThrow("3 dimensions");
    for (const to of [-1, 0.5, 1, 4, 5]) expect(() => rows.move(4, to)).toThrow(RangeError);
    expect([rows.count, rows.end, rows.has(1), rows.has(4)]).toEqual([2, 5, true, true]);
  });

  it("give memory back when most are gone", () => {
    for (const way of Object.values(WAYS)) {
      const rows = new VectorRows(64, way);
      for (let key = 0; key < 20_000; key++) rows.set(key, new Int8Array(64).fill(key % 100));
      const before = rows.bytes;
      renumber(rows, rows.end, (key) => (key % 100 === 1 ? Math.floor(key / 100) : undefined));
      expect(rows.bytes).toBeLessThan(before / 10);
      expect([rows.count, rows.end, rows.codesOf(199)?.[0]]).toEqual([200, 200, 1]);
    }
  });

  it("of zeros are at cosine 0 of every query, and a query of zeros of every vector", () => {
    for (const way of Object.values(WAYS)) {
      const rows = new VectorRows(3, way);
      rows.set(0, new Int8Array(3));
      rows.set(1, Int8Array.of(1, 2, 3));
      expect([...scanOf(rows, rows.prepare(Float32Array.of(1, 0, 0)))][0]).toBe(0);
      expect([...scanOf(rows, rows.prepare(new Float32Array(3)))]).toEqual([0, 0]);
    }
  });
});

describe("a cosine after a scan for the same query", () => {
  it("is that of the rows as they are now", () => {
    const rows = new VectorRows(2);
    rows.set(0, Int8Array.of(127, 0));
    rows.set(1, Int8Array.of(0, 127));
    const query = rows.prepare(Float32Array.of(1, 0));
    const scanned = [...scanOf(rows, query)];
    expect([rows.cosine(query, 0), rows.cosine(query, 1)]).toEqual(scanned);
    rows.set(1, Int8Array.of(127, 0));
    expect(rows.cosine(query, 1)).toBe(rows.cosine(query, 0));
    scanOf(rows, query);
    rows.delete(0);
    expect(rows.cosine(query, 0)).toBeUndefined();
    scanOf(rows, query);
    rows.move(1, 0);
    expect(rows.cosine(query, 0)).toBe(scanned[0]);
    scanOf(rows, query);
    for (let key = 1; key < 5_000; key++) rows.set(key, Int8Array.of(0, 127));
    expect(rows.cosine(query, 4_999)).toBe(scanned[1]);
    const other = rows.prepare(Float32Array.of(0, 1));
    scanOf(rows, other);
    expect(rows.cosine(query, 0)).toBe(scanned[0]);
  });
});

describe.each(Object.keys(WAYS))("rows in %s that may take so many bytes and no more", (way) => {
  it("are filled to the last, and refuse the next before anything is changed", () => {
    const rows = new VectorRows(16, { ...WAYS[way], bytesMax: 1_000 * 16 + 15 });
    for (let key = 0; key < 1_000; key++) rows.set(key, new Int8Array(16).fill(key % 100));
    expect(() => rows.set(1_000, new Int8Array(16))).toThrow("at most 1000 vectors of 16 dimensions");
    expect([rows.count, rows.end, rows.codesOf(999)?.[0]]).toEqual([1_000, 1_000, 99]);
    rows.set(999, new Int8Array(16).fill(7));
    expect(rows.codesOf(999)?.[0]).toBe(7);
  });
});
