import { crc32 } from "node:zlib";
import { othersTurn } from "../../scheduling/slices.ts";

const STEP_BYTES = 4 * 1024 * 1024;

/** The CRC-32 of bytes. Lets other work in between: a graph may have hundreds of megabytes. */
export async function checksum(bytes: Uint8Array): Promise<number> {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) await othersTurn();
    sum = crc32(bytes.subarray(at, at + STEP_BYTES), sum);
  }
  return sum;
}
