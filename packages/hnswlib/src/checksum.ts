import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";

const SLICE_BYTES = 4 * 1024 * 1024;

/**
 * Computes the CRC-32 of bytes in slices of 4 MiB, and yields between two slices: a graph may have hundreds of megabytes.
 * `@loredex/core` has the same function for its own graphs. This package imports only types of core, so that it never loads a second engine.
 */
export async function checksum(bytes: Uint8Array): Promise<number> {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    sum = crc32(bytes.subarray(at, at + SLICE_BYTES), sum);
  }
  return sum;
}
