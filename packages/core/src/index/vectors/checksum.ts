import { crc32 } from "node:zlib";
import { scheduler } from "../../scheduling/scheduler.ts";

const SLICE_BYTES = 4 * 1024 * 1024;

/** The CRC-32 of bytes, in slices of 4 MiB with yields between them: a graph may have hundreds of megabytes. */
export async function checksum(bytes: Uint8Array): Promise<number> {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await scheduler.background();
    sum = crc32(bytes.subarray(at, at + SLICE_BYTES), sum);
  }
  return sum;
}
