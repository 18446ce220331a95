/**
 * The bytes of a file of blocks. All numbers are little-endian.
 *
 *     file header, 64 bytes                         head of a block
 *       0   8  magic "LDXBLOCK"                       0   4  magic F5 42 4C 4B
 *       8   4  format version, 1                      4   2  bytes of the id, n
 *      12  16  store id                               6   2  number of parts, p
 *      28  32  SHA-256 of the label                   8   8  version
 *      60   4  CRC-32 of bytes 0 to 59               16   4  number of the first part
 *                                                    20   n  id, UTF-8
 *     body of a block: of each part                20+n  4p  bytes of each part
 *       0   4  checksum                             end   4  CRC-32 of all before, going on from the head before,
 *       4   n  the part                                      or from the header's
 *
 * Heads lie together in pages of {@link PAGE_BYTES}, so that finding out what is there needs few reads. The first page follows the header. Bodies
 * follow their page in the order of their heads; behind them comes the next page, which begins when a head has no room in the last one.
 *
 * - A head goes on from the checksum of the one before, so that nothing that lay there before can pass for the next.
 * - A part's checksum is the CRC-32 of its block's head but for the head's own, of the part's number (4 bytes) and of the part, going on from the
 *   header's: bytes of another store, label, block, version or part are never taken for its own.
 */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { BlockKey } from "./block-store.ts";
import { readUInt64, STORE_ID_BYTES, writeUInt64 } from "./frame.ts";

export const BLOCKS_HEADER_BYTES = 64;
export const PAGE_BYTES = 16_384;
/** Before each part. */
const PART_CHECKSUM_BYTES = 4;
const FORMAT_VERSION = 1;
const MAGIC = Buffer.from("LDXBLOCK", "latin1");
const HEAD_MAGIC = 0x4b4c_42f5;
/** A head but for its id, the lengths of its parts and the checksum. */
const FIXED_BYTES = 20;
const CHECKSUM_BYTES = 4;

export function encodeBlocksHeader(storeId: Uint8Array, label: string): Buffer {
  const bytes = Buffer.alloc(BLOCKS_HEADER_BYTES);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(FORMAT_VERSION, 8);
  bytes.set(storeId, 12);
  createHash("sha256").update(label).digest().copy(bytes, 28);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Why a header is none of this store's, in words; undefined where it is one, of whatever label. */
export function wrongBlocksHeader(bytes: Buffer, storeId: Uint8Array | undefined): string | undefined {
  if (!bytes.subarray(0, 8).equals(MAGIC)) return "it does not begin as a file of blocks";
  if (bytes.readUInt32LE(60) !== crc32(bytes.subarray(0, 60))) return "the checksum of its header is wrong";
  if (bytes.readUInt32LE(8) !== FORMAT_VERSION) return "a newer Loredex wrote it";
  const isOwn = storeId === undefined || bytes.subarray(12, 12 + STORE_ID_BYTES).equals(storeId);
  return isOwn ? undefined : "it belongs to another store";
}

/** With what the first head of a file goes on. */
export function firstChain(header: Buffer): number {
  return header.readUInt32LE(60);
}

/** A head as it is to be written, but for its checksum, which depends on the one before. */
export interface BlockHead {
  readonly bytes: Buffer;
  /** Of header and head but for the head's checksum: what the checksums of its parts go on from. */
  readonly sum: number;
}

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

/** Puts the checksum into a head that follows the one of `chain`; yields its own, for the next. */
export function seal(head: Buffer, chain: number): number {
  const end = head.length - CHECKSUM_BYTES;
  const checksum = crc32(head.subarray(0, end), chain);
  head.writeUInt32LE(checksum, end);
  return checksum;
}

/** A head that was found. */
export interface DecodedHead extends BlockKey {
  readonly partBytes: readonly number[];
  readonly headBytes: number;
  readonly sum: number;
  /** With what the next head goes on. */
  readonly chain: number;
}

/** Reads the head at `at` of a page; undefined if there is none that follows the one of `chain`. */
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

/** Bytes that these parts take in a body. */
export function bodyBytes(partBytes: readonly number[], from = 0, to = partBytes.length): number {
  let bytes = PART_CHECKSUM_BYTES * (to - from);
  for (let part = from; part < to; part += 1) bytes += partBytes[part] ?? 0;
  return bytes;
}

/** `sum` is that of the block and its head. */
function partChecksum(sum: number, number: number, part: Uint8Array): number {
  const numbered = Buffer.alloc(4);
  numbered.writeUInt32LE(number, 0);
  return crc32(part, crc32(numbered, sum));
}

/** What is written of a body: checksums and parts by turns. */
export function encodeBody(sum: number, parts: readonly Uint8Array[]): Uint8Array[] {
  return parts.flatMap((part, number) => {
    const checksum = Buffer.alloc(PART_CHECKSUM_BYTES);
    checksum.writeUInt32LE(partChecksum(sum, number, part), 0);
    return [checksum, part];
  });
}

/** The parts from number `from` on in these bytes of a body; undefined where any is not what was written. */
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
    const end = start + (block.partBytes[number] ?? 0);
    const part = bytes.subarray(start, end);
    if (end > bytes.length || bytes.readUInt32LE(at) !== partChecksum(block.sum, number, part)) return undefined;
    parts.push(part);
    at = end;
  }
  return parts;
}
