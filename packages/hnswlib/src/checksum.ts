import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";

const SLICE_BYTES = 4 * 1024 * 1024;

/**
 * The CRC-32 of bytes, in slices of 4 MiB with rests between them: a graph may have hundreds of megabytes. `@loredex/core` has the same for its
 * own graphs. Of it this package takes types alone: where it is installed beside an engine, it must not load a second one.
 */
export async function checksum(bytes: Uint8Array): Promise<number> {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    sum = crc32(bytes.subarray(at, at + SLICE_BYTES), sum);
  }
  return sum;
}
