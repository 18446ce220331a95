import { createHash } from "node:crypto";
import type { Random } from "../../src/runtime/clock.ts";

/** The same bytes for the same seed. */
export function seededRandom(seed: number): Random {
  let block = 0;
  return {
    bytes: (length) => {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += 32) {
        const next = createHash("sha256").update(`${seed}:${block++}`).digest();
        bytes.set(next.subarray(0, Math.min(32, length - at)), at);
      }
      return bytes;
    },
  };
}
