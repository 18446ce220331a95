import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codesHash } from "../../../src/index/vectors/codes-hash.ts";

describe("the content hash", () => {
  it("is a stable integer below 2^53", () => {
    expect(codesHash(Int8Array.of(1, -2, 127))).toBe(codesHash(Int8Array.of(1, -2, 127)));
    fc.assert(
      fc.property(fc.int8Array({ maxLength: 40 }), (codes) => {
        const hash = codesHash(codes);
        expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
      }),
    );
  });

  it("differs for vectors that differ little", () => {
    const hashes = new Set<number>();
    for (let i = 0; i < 256; i += 8)
      for (let code = -127; code <= 127; code++) {
        hashes.add(codesHash(new Int8Array(256).fill(3).fill(code, i, i + 1)));
      }
    // The unchanged vector comes once for each position.
    expect(hashes.size).toBe(32 * 254 + 1);
  });
});
