import { expect, it } from "vitest";
import { TokenCodeCache } from "../../../src/index/token-codes/held-codes.ts";

const blockOf = (id: string) => ({ id, version: 1, first: 0, partBytes: [100, 100] });
const TOKEN_CODES = new Uint8Array(100).fill(7);

it("holds what was used last, and no more than it may", () => {
  const held = new TokenCodeCache(1_000);
  const blocks = ["a", "b", "c", "d"].map(blockOf);
  const [a, b, c, d] = blocks as [(typeof blocks)[0], (typeof blocks)[0], (typeof blocks)[0], (typeof blocks)[0]];
  for (const block of [a, b]) for (const window of [0, 1]) held.keep(block, window, TOKEN_CODES);
  expect(held.bytes).toBeLessThanOrEqual(1_000);
  expect(held.find(a, 1)).toEqual(TOKEN_CODES);
  held.keep(c, 0, TOKEN_CODES);
  expect([held.find(a, 0), held.find(b, 0), held.find(c, 0)]).toEqual([TOKEN_CODES, undefined, TOKEN_CODES]);
  held.keep(d, 0, new Uint8Array(2_000));
  expect(held.find(d, 0)).toBeUndefined();
  held.drop(a);
  expect(held.find(a, 0)).toBeUndefined();
  held.drop(c);
  held.countRead(3);
  expect(held.figures).toEqual({ found: 3, read: 3, bytes: 0 });
});

it("holds nothing of what it may not hold, and copies what it does", () => {
  const none = new TokenCodeCache(0);
  none.keep(blockOf("a"), 0, TOKEN_CODES);
  expect([none.bytes, none.find(blockOf("a"), 0)]).toEqual([0, undefined]);
  const held = new TokenCodeCache(10_000);
  const block = blockOf("a");
  const large = Buffer.alloc(1_000_000);
  held.keep(block, 0, large.subarray(0, 10));
  const { bytes } = held;
  held.keep(block, 0, large.subarray(0, 10));
  expect(held.bytes).toBe(bytes);
  expect(held.find(block, 0)?.buffer.byteLength).toBe(10);
  expect(bytes).toBeLessThan(1_000);
});
