/**
 * The bytes of a log segment. All numbers are little-endian.
 *
 * A segment is one header and then records without gaps:
 *
 *     segment header, 128 bytes                      record, 32 bytes and its payload
 *       0   8  magic "LDXSEGMT"                        0   4  magic F5 4C 44 58
 *       8   4  format version, 1                       4   4  payload bytes, 1 to RECORD_BYTES_MAX
 *      12   4  segment number, from 1                  8   8  sequence number, from 1
 *      16   8  sequence number of the first record    16   8  log id: the first 8 bytes of the store id
 *      24  16  store id                               24   4  flush index
 *      40  64  store name, ASCII, zeros behind it     28   4  CRC-32 of bytes 0 to 27 and of the payload
 *     104  20  zeros                                  32   n  payload
 *     124   4  CRC-32 of bytes 0 to 123
 *
 * - Every format version keeps magic, version and the header's CRC at these offsets, so that a header of a newer version
 *   can be told from a damaged one.
 * - The log id is random, so no user data can pass for a record of this log.
 * - F5 never occurs in UTF-8, so a search for the magic skips through text.
 * - An empty payload is illegal: the CRC-32 of nothing is 0, and a run of zeros must never pass for a record.
 * - The flush index counts the records that were written together, from 0. A record with sequence number s and flush
 *   index i proves that all records up to s - i - 1 were on disk before it was written.
 */

import { crc32 } from "node:zlib";
import { RECORD_BYTES_MAX } from "../model/limits.ts";

export const SEGMENT_HEADER_BYTES = 128;
export const RECORD_HEADER_BYTES = 32;
export const STORE_ID_BYTES = 16;
const STORE_NAME_BYTES = 64;
const SEGMENT_FORMAT_VERSION = 1;

const SEGMENT_MAGIC = Buffer.from("LDXSEGMT", "latin1");
/** The first bytes of every record. */
export const RECORD_MAGIC = Buffer.from([0xf5, 0x4c, 0x44, 0x58]);
const RECORD_MAGIC_NUMBER = RECORD_MAGIC.readUInt32LE(0);
const CHECKED_HEADER_BYTES = 28;
const TWO_TO_32 = 4_294_967_296;
/** Payloads up to this size are copied beside their headers. Larger ones are written without a copy. */
const COPIED_BYTES_MAX = 65_536;

/** The identity of a store, which its log segments carry. */
export interface StoreIdentity {
  readonly id: Uint8Array;
  readonly name: string;
}

/** The header of a segment. */
export interface SegmentHeader extends StoreIdentity {
  readonly number: number;
  readonly firstSequence: number;
}

/** The result of decoding a segment header. */
export type DecodedHeader =
  | { readonly kind: "header"; readonly header: SegmentHeader }
  | { readonly kind: "unsupported"; readonly version: number }
  | { readonly kind: "damaged"; readonly reason: string };

/** Writes 64 bits, little-endian. The value is a safe integer. */
export function writeUInt64(target: Buffer, value: number, at: number): void {
  target.writeUInt32LE(value % TWO_TO_32, at);
  target.writeUInt32LE(Math.floor(value / TWO_TO_32), at + 4);
}

/** Reads 64 bits, little-endian. Values above the safe integers are not exact; callers compare them with bounds far below. */
export function readUInt64(source: Buffer, at: number): number {
  return source.readUInt32LE(at) + source.readUInt32LE(at + 4) * TWO_TO_32;
}

/** Encodes the 128 bytes of a segment header. */
export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  SEGMENT_MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(SEGMENT_FORMAT_VERSION, 8);
  bytes.writeUInt32LE(header.number, 12);
  writeUInt64(bytes, header.firstSequence, 16);
  bytes.set(header.id, 24);
  bytes.write(header.name, 40, STORE_NAME_BYTES, "latin1");
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 124)), 124);
  return bytes;
}

/** Decodes and verifies a segment header. */
export function decodeSegmentHeader(bytes: Buffer): DecodedHeader {
  if (bytes.length < SEGMENT_HEADER_BYTES) return { kind: "damaged", reason: "the segment's header is cut short" };
  if (!bytes.subarray(0, 8).equals(SEGMENT_MAGIC)) {
    return { kind: "damaged", reason: "it does not begin as a log segment" };
  }
  if (bytes.readUInt32LE(124) !== crc32(bytes.subarray(0, 124))) {
    return { kind: "damaged", reason: "the checksum of the segment's header is wrong" };
  }
  const version = bytes.readUInt32LE(8);
  if (version !== SEGMENT_FORMAT_VERSION) return { kind: "unsupported", version };
  const name = bytes.toString("latin1", 40, 40 + STORE_NAME_BYTES);
  const nameEnd = name.indexOf("\0");
  return {
    kind: "header",
    header: {
      id: Uint8Array.from(bytes.subarray(24, 24 + STORE_ID_BYTES)),
      name: nameEnd === -1 ? name : name.slice(0, nameEnd),
      number: bytes.readUInt32LE(12),
      firstSequence: readUInt64(bytes, 16),
    },
  };
}

/** The log id as two numbers, which compare faster than bytes. */
export interface LogId {
  readonly low: number;
  readonly high: number;
}

/** The log id of a store: the first 8 bytes of its id. */
export function logIdOf(storeId: Uint8Array): LogId {
  const bytes = Buffer.from(storeId);
  return { low: bytes.readUInt32LE(0), high: bytes.readUInt32LE(4) };
}

/** A record's header with plausible fields. Only the checksum proves them. */
export interface RecordHeader {
  readonly payloadBytes: number;
  readonly sequence: number;
  /** Sequence number of the first record of its flush. */
  readonly flushFirst: number;
  readonly checksum: number;
}

/** Decodes the record header at `at`. Undefined if the 32 bytes cannot begin a record of this log. Nothing is allocated for a payload. */
export function decodeRecordHeader(bytes: Buffer, at: number, logId: LogId): RecordHeader | undefined {
  if (bytes.readUInt32LE(at) !== RECORD_MAGIC_NUMBER) return undefined;
  const payloadBytes = bytes.readUInt32LE(at + 4);
  if (payloadBytes < 1 || payloadBytes > RECORD_BYTES_MAX) return undefined;
  const sequence = readUInt64(bytes, at + 8);
  const flushFirst = sequence - bytes.readUInt32LE(at + 24);
  if (flushFirst < 1 || sequence > Number.MAX_SAFE_INTEGER) return undefined;
  if (bytes.readUInt32LE(at + 16) !== logId.low || bytes.readUInt32LE(at + 20) !== logId.high) return undefined;
  return { payloadBytes, sequence, flushFirst, checksum: bytes.readUInt32LE(at + 28) };
}

/** The checksum of a record's header. The checksum of the payload continues from it. */
export function headerChecksum(bytes: Buffer, at: number): number {
  return crc32(bytes.subarray(at, at + CHECKED_HEADER_BYTES));
}

/** Bytes that a record takes in the log. */
export function recordBytes(payload: Uint8Array): number {
  return RECORD_HEADER_BYTES + payload.length;
}

/** Encodes the records of one flush as chunks to write in order. Large payloads are not copied. */
export function encodeFlush(payloads: readonly Uint8Array[], firstSequence: number, logId: LogId): Uint8Array[] {
  let ownBytes = 0;
  for (const payload of payloads) {
    ownBytes += RECORD_HEADER_BYTES + (payload.length <= COPIED_BYTES_MAX ? payload.length : 0);
  }
  const own = Buffer.allocUnsafe(ownBytes);
  const chunks: Uint8Array[] = [];
  let chunkStart = 0;
  let at = 0;
  for (const [index, payload] of payloads.entries()) {
    own.writeUInt32LE(RECORD_MAGIC_NUMBER, at);
    own.writeUInt32LE(payload.length, at + 4);
    writeUInt64(own, firstSequence + index, at + 8);
    own.writeUInt32LE(logId.low, at + 16);
    own.writeUInt32LE(logId.high, at + 20);
    own.writeUInt32LE(index, at + 24);
    own.writeUInt32LE(crc32(payload, headerChecksum(own, at)), at + 28);
    at += RECORD_HEADER_BYTES;
    if (payload.length <= COPIED_BYTES_MAX) {
      own.set(payload, at);
      at += payload.length;
    } else {
      chunks.push(own.subarray(chunkStart, at), payload);
      chunkStart = at;
    }
  }
  if (at > chunkStart) chunks.push(own.subarray(chunkStart, at));
  return chunks;
}
