import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/model/types.ts";
import { mapGrowthBytes, textHeapBytes, valueHeapBytes } from "../../src/platform/heap-bytes.ts";

/** What takes memory beside keys. */
const bytesOf = (value: JsonValue): number => valueHeapBytes(value, () => 0);

describe("what data takes on the heap", () => {
  it("is a byte a character, and two of each in a text with one beyond Latin-1", () => {
    expect(textHeapBytes("x".repeat(1_000))).toBe(1_016);
    expect(textHeapBytes("ü".repeat(1_000))).toBe(1_016);
    expect(textHeapBytes(`${"x".repeat(999)}ж`)).toBe(2_016);
    expect(textHeapBytes("x".repeat(1_001))).toBe(1_024);
    expect(textHeapBytes("x")).toBe(0);
  });

  it("is that of two tables while a map of terms grows", () => {
    expect(mapGrowthBytes(100, 28)).toBe(0);
    expect(mapGrowthBytes(100, 29)).toBe(256 * 28);
    expect(mapGrowthBytes(100, 157)).toBe((512 + 256) * 28);
    // As measured: 117 MB for the table alone.
    expect(mapGrowthBytes(2 ** 21, 1)).toBe(117_440_512);
  });

  it("is what stands in lists and objects, and a place for each", () => {
    expect(bytesOf([])).toBe(32);
    expect(bytesOf([1, true, null])).toBe(32 + 16 + 3 * 8);
    expect(bytesOf([0.5, 2 ** 31])).toBe(bytesOf([1, 2]) + 2 * 16);
    expect(bytesOf([{}, []])).toBe(bytesOf([1, 2]) + bytesOf({}) + bytesOf([]));
    expect(bytesOf({ a: 1, b: 2, c: 3, d: 4 })).toBe(bytesOf({}));
    expect(bytesOf({ a: 1, b: 2, c: 3, d: 4, e: 5 })).toBe(bytesOf({}) + 16 + 3 * 8);
  });

  it("is a list as long as the highest key that is a number, or a table where that takes less", () => {
    const { length: keys } = Object.keys({ 1: 0, 2: 0 });
    expect(bytesOf({ 1: 0, 2: 0 }) - bytesOf({})).toBeLessThan(keys * 100);
    expect(bytesOf({ 1000: 0 }) - bytesOf({})).toBe(16 + 8 * (1_001 + 500 + 16));
    // From the end of one list to the next key: each time not far enough for a table.
    expect(bytesOf({ 1000: 0, 2500: 0, 3300: 0 }) - bytesOf({})).toBe(16 + 8 * (2_501 + 1_250 + 16));
    expect(bytesOf({ 1024: 0 })).toBeLessThan(200);
    expect(bytesOf({ 4294967295: 0 })).toBe(bytesOf({ a: 0 }));
  });

  it("tells of the named keys of every object, in their order", () => {
    const told: (readonly string[])[] = [];
    const tell = (keys: readonly string[]): number => {
      told.push(keys);
      return keys.length;
    };
    const value = { b: [{ x: {} }, { 7: 0 }], 3: 1, a: 0 };
    expect(valueHeapBytes(value, tell)).toBe(bytesOf(value) + 3);
    expect(told).toEqual([["b", "a"], ["x"]]);
  });
});
