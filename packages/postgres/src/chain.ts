/** The chain of digests that tells one history from another. */

import { createHash } from "node:crypto";

/** Enough that no two histories of a store meet by chance. */
const DIGEST_BYTES = 16;

/** The place of a record in a history: its number, the digest of all records up to it, and their bytes. */
export interface Place {
  readonly sequence: number;
  readonly digest: Buffer;
  /** Bytes of the payloads of all records up to this one. */
  readonly ends: number;
}

/** The place before the first record. Two stores have different ones. */
export function startOf(storeId: string): Place {
  return { sequence: 0, digest: digestOf([Buffer.from(storeId)]), ends: 0 };
}

/** The place of a record that follows on another. */
export function placeAfter(before: Place, payload: Uint8Array): Place {
  const { sequence, digest, ends } = before;
  return { sequence: sequence + 1, digest: digestOf([digest, payload]), ends: ends + payload.length };
}

/** The first 16 bytes of the SHA-256 of these bytes together. */
export function digestOf(pieces: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest().subarray(0, DIGEST_BYTES);
}
