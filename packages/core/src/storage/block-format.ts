/**
 * The bytes of a blocks file. All numbers are little-endian.
 *
 *     file header, 64 bytes                         head of a block
 *       0   8  magic "LDXBLOCK"                       0   4  magic F5 42 4C 4B
 *       8   4  format version, 1                      4   2  bytes of the id, n
 *      12  16  store id                               6   2  number of parts, p
 *      28  32  SHA-256 of the label                   8   8  version
 *      60   4  CRC-32 of bytes 0 to 59               16   4  number of the first part
 *                                                    20   n  id, UTF-8
 *     body of a block: of each part                20+n  4p  bytes of each part
 *       0   4  checksum                             end   4  CRC-32 of all before, continued from the previous head,
 *       4   n  the part                                      or from the header's
 *
 * Heads lie together in pages of {@link PAGE_BYTES}, so that listing all blocks needs few reads. The first page follows the header. Bodies
 * follow their page in the order of their heads. A new page begins when a head does not fit into the last one.
 *
 *     header | page 1: head 1, head 2 … | body 1 | body 2 | … | page 2: heads … | bodies …
 *
 * - The checksum of a head continues from that of the previous head, so that no older bytes can pass for the next head.
 * - The checksum of a part is the CRC-32 of its block's head (without the head's checksum), of the part's number (4 bytes) and of the part.
 *   It continues from the header's. So bytes of another store, label, block, version or part are never taken for this part.
 */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { must } from "../model/must.ts";
import type { BlockKey } from "./block-store.ts";
import { readUInt64, STORE_ID_BYTES, writeUInt64 } from "./frame.ts";

export const BLOCKS_HEADER_BYTES = 64;
export const PAGE_BYTES = 16_384;
/** Before each part. */
const PART_CHECKSUM_BYTES = 4;
const FORMAT_VERSION = 1;
const MAGIC = Buffer.from("LDXBLOCK", "latin1");
const HEAD_MAGIC = 0x4b4c_42f5;
/** Bytes of a head without its id, the lengths of its parts and its checksum. */
const FIXED_BYTES = 20;
const CHECKSUM_BYTES = 4;

/** Encodes the header of a blocks file. */
export function encodeBlocksHeader(storeId: Uint8Array, label: string): Buffer {
  const bytes = Buffer.alloc(BLOCKS_HEADER_BYTES);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, 8);
  bytes.set(storeId, 12);
  createHash("sha256").update(label).digest().copy(bytes, 28);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Why a header does not belong to this store, in words. Undefined if it does, whatever its label is. */
export function wrongBlocksHeader(bytes: Buffer, storeId: Uint8Array | undefined): string | undefined {
  if (!bytes.subarray(0, 8).equals(MAGIC)) return "it does not begin as a file of blocks";
  if (bytes.readUInt32LE(60) !== crc32(bytes.subarray(0, 60))) return "the checksum of its header is wrong";
  if (bytes.readUInt32LE(8) !== FORMAT_VERSION) return "a newer Loredex wrote it";
  const isOwn = storeId === undefined || bytes.subarray(12, 12 + STORE_ID_BYTES).equals(storeId);
  return isOwn ? undefined : "it belongs to another store";
}

/** The checksum from which the first head of a file continues. */
export function firstChain(header: Buffer): number {
  return header.readUInt32LE(60);
}

/** An encoded head, still without its checksum, which depends on the previous head. */
export interface BlockHead {
  readonly bytes: Buffer;
  /** CRC-32 of header and head, without the head's checksum. The checksums of its parts continue from it. */
  readonly sum: number;
}

/** Encodes the head of a block for a file with this header. */
export function encodeHead(key: BlockKey, partBytes: readonly number[], header: Buffer): BlockHead {
  const id = Buffer.from(key.id, "utf8");
  const bytes = Buffer.alloc(FIXED_BYTES + id.length + 4 * partBytes.length + CHECKSUM_BYTES);
  bytes.writeUInt32LE(HEAD_MAGIC, 0);
  bytes.writeUInt16LE(id.length, 4);
  bytes.writeUInt16LE(partBytes.length, 6);
  writeUInt64(bytes, key.version, 8);
  bytes.writeUInt32LE(key.first, 16);
  id.copy(bytes, FIXED_BYTES);
  for (const [index, length] of partBytes.entries()) bytes.writeUInt32LE(length, FIXED_BYTES + id.length + 4 * index);
  return { bytes, sum: crc32(bytes.subarray(0, bytes.length - CHECKSUM_BYTES), firstChain(header)) };
}

/** Writes the checksum into a head that follows the one of `chain`. Returns it, for the next head. */
export function seal(head: Buffer, chain: number): number {
  const end = head.length - CHECKSUM_BYTES;
  const checksum = crc32(head.subarray(0, end), chain);
  head.writeUInt32LE(checksum, end);
  return checksum;
}

/** A decoded head. */
export interface DecodedHead extends BlockKey {
  readonly partBytes: readonly number[];
  readonly headBytes: number;
  readonly sum: number;
  /** Its checksum, from which the next head continues. */
  readonly chain: number;
}

/** Decodes the head at `at` of a page. Undefined if no head is there that follows the one of `chain`. */
export function decodeHead(page: Buffer, at: number, chain: number, header: Buffer): DecodedHead | undefined {
  if (at + FIXED_BYTES > page.length || page.readUInt32LE(at) !== HEAD_MAGIC) return undefined;
  const idEnd = at + FIXED_BYTES + page.readUInt16LE(at + 4);
  const parts = page.readUInt16LE(at + 6);
  const end = idEnd + 4 * parts;
  if (end + CHECKSUM_BYTES > page.length) return undefined;
  const next = crc32(page.subarray(at, end), chain);
  if (page.readUInt32LE(end) !== next) return undefined;
  return {
    id: page.toString("utf8", at + FIXED_BYTES, idEnd),
    version: readUInt64(page, at + 8),
    first: page.readUInt32LE(at + 16),
    partBytes: Array.from({ length: parts }, (_, index) => page.readUInt32LE(idEnd + 4 * index)),
    headBytes: end + CHECKSUM_BYTES - at,
    sum: crc32(page.subarray(at, end), firstChain(header)),
    chain: next,
  };
}

/** Bytes of the parts `from` up to, not including, `to` in a body, with their checksums. */
export function bodyBytes(partBytes: readonly number[], from = 0, to = partBytes.length): number {
  let bytes = PART_CHECKSUM_BYTES * (to - from);
  for (let part = from; part < to; part += 1) bytes += must(partBytes[part], "the length of a part");
  return bytes;
}

/** The checksum of one part. `sum` is the one of its {@link BlockHead}. */
function partChecksum(sum: number, number: number, part: Uint8Array): number {
  const numbered = Buffer.alloc(4);
  numbered.writeUInt32LE(number, 0);
  const start = crc32(numbered, sum);
  // Node.js forgets the checksum so far where an empty array has no memory of its own.
  return part.length === 0 ? start : crc32(part, start);
}

/** Encodes a body: each part after its checksum. */
export function encodeBody(sum: number, parts: readonly Uint8Array[]): Uint8Array[] {
  return parts.flatMap((part, number) => {
    const checksum = Buffer.alloc(PART_CHECKSUM_BYTES);
    checksum.writeUInt32LE(partChecksum(sum, number, part), 0);
    return [checksum, part];
  });
}

/** Decodes the parts `from` up to, not including, `to`, which the bytes begin with. Undefined if any checksum is wrong. */
export function decodeBody(
  bytes: Buffer,
  block: { readonly sum: number; readonly partBytes: readonly number[] },
  from: number,
  to: number,
): Uint8Array[] | undefined {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (let number = from; number < to; number += 1) {
    const start = at + PART_CHECKSUM_BYTES;
    const end = start + must(block.partBytes[number], "the length of a part");
    const part = bytes.subarray(start, end);
    if (end > bytes.length || bytes.readUInt32LE(at) !== partChecksum(block.sum, number, part)) return undefined;
    parts.push(part);
    at = end;
  }
  return parts;
}
