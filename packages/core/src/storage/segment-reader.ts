/** Reads a log segment: its header, its records in order, and whole records behind damage. */

import { crc32 } from "node:zlib";
import type { OpenFile } from "./file-system.ts";
import {
  type DecodedHeader,
  decodeRecordHeader,
  decodeSegmentHeader,
  headerChecksum,
  type LogId,
  RECORD_HEADER_BYTES,
  RECORD_MAGIC,
  type RecordHeader,
  SEGMENT_HEADER_BYTES,
} from "./frame.ts";
import { misuse } from "./port-rules.ts";

const READ_BYTES = 1_048_576;

/** A range of a file in memory that moves forward with its reader. */
class Window {
  #storage = Buffer.alloc(0);
  #loaded = 0;
  #start = 0;
  constructor(
    readonly file: OpenFile,
    readonly fileBytes: number,
  ) {}

  get bytes(): Buffer {
    return this.#storage;
  }

  get end(): number {
    return this.#loaded;
  }

  /** Index in {@link bytes} of file position `position`; -1 if fewer than `count` bytes are loaded from there. */
  indexOf(position: number, count: number): number {
    const index = position - this.#start;
    return index >= 0 && index + count <= this.#loaded ? index : -1;
  }

  /** Moves to `position` and loads at least `count` bytes, which the file must have. Resolves with their index, 0. */
  async load(position: number, count: number): Promise<number> {
    const wanted = Math.min(Math.max(count, READ_BYTES), this.fileBytes - position);
    const index = position - this.#start;
    const kept = index >= 0 && index < this.#loaded ? this.#loaded - index : 0;
    const target = wanted > this.#storage.length ? Buffer.allocUnsafe(wanted) : this.#storage;
    if (kept > 0) this.#storage.copy(target, 0, index, index + kept);
    this.#storage = target;
    this.#start = position;
    this.#loaded = kept;
    this.#loaded += await this.file.read(target.subarray(kept, wanted), position + kept);
    if (this.#loaded < count) throw misuse(`A log segment became shorter while it was read, at byte ${position}.`);
    return 0;
  }
}

/** A verified record. */
export interface FoundRecord {
  readonly sequence: number;
  readonly offset: number;
  /** Sequence number of the first record of its flush. */
  readonly flushFirst: number;
  /** Only valid during the call. */
  readonly payload: Uint8Array;
}

/** The end of reading a segment. `sequence` is the number of the next record, `offset` the byte where it should be. */
export type SegmentEnd =
  | { readonly kind: "whole"; readonly sequence: number; readonly offset: number }
  /** There are bytes at `offset`, but no whole record of this log. */
  | { readonly kind: "broken"; readonly sequence: number; readonly offset: number; readonly reason: string }
  /** There is a whole record of this log, but with another number. No crash can cause that. */
  | { readonly kind: "misplaced"; readonly sequence: number; readonly offset: number; readonly reason: string };

/** Reads and decodes the header of a segment. */
export async function readSegmentHeader(file: OpenFile): Promise<DecodedHeader> {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  const read = await file.read(bytes, 0);
  return decodeSegmentHeader(bytes.subarray(0, read));
}

/** Calls `visit` for every record from `firstSequence` on, which is at byte `from`, as long as records are whole and in order. */
export async function readRecords(
  file: OpenFile,
  fileBytes: number,
  logId: LogId,
  firstSequence: number,
  visit: (record: FoundRecord) => void | Promise<void>,
  from = SEGMENT_HEADER_BYTES,
): Promise<SegmentEnd> {
  const window = new Window(file, fileBytes);
  let sequence = firstSequence;
  let offset = from;
  const broken = (reason: string): SegmentEnd => ({ kind: "broken", sequence, offset, reason });
  while (offset < fileBytes) {
    if (offset + RECORD_HEADER_BYTES > fileBytes) return broken("the file ends within a record");
    let index = window.indexOf(offset, RECORD_HEADER_BYTES);
    if (index === -1) index = await window.load(offset, RECORD_HEADER_BYTES);
    const header = decodeRecordHeader(window.bytes, index, logId);
    if (header === undefined) return broken("no record of this log begins there");
    const bytes = RECORD_HEADER_BYTES + header.payloadBytes;
    if (offset + bytes > fileBytes) return broken("the file ends within a record");
    index = window.indexOf(offset, bytes);
    if (index === -1) index = await window.load(offset, bytes);
    const payload = window.bytes.subarray(index + RECORD_HEADER_BYTES, index + bytes);
    if (crc32(payload, headerChecksum(window.bytes, index)) !== header.checksum) {
      return broken("the checksum of the record is wrong");
    }
    if (header.sequence !== sequence) {
      return { kind: "misplaced", sequence, offset, reason: `record ${header.sequence} is there instead` };
    }
    const visited = visit({ sequence, offset, flushFirst: header.flushFirst, payload });
    if (visited !== undefined) await visited;
    sequence += 1;
    offset += bytes;
  }
  return { kind: "whole", sequence, offset };
}

/**
 * Searches behind the damage at `from`, where record `sequence` should be, for a whole record of this log that was written
 * in a later flush. Such a record proves that record `sequence` was on disk before, so that no crash can have torn it.
 * Records of the same flush prove nothing: a disk may keep the end of a write and lose its middle.
 */
export function findLaterFlush(
  file: OpenFile,
  fileBytes: number,
  logId: LogId,
  from: number,
  sequence: number,
): Promise<FoundHeader | undefined> {
  return findRecord(file, fileBytes, logId, from, (header) => header.flushFirst > sequence);
}

/** The place and number of a whole record. */
export interface FoundHeader {
  readonly offset: number;
  readonly sequence: number;
}

/** Finds the first whole record of this log at or behind byte `from` that `isWanted` accepts, at any byte. */
export async function findRecord(
  file: OpenFile,
  fileBytes: number,
  logId: LogId,
  from: number,
  isWanted: (header: RecordHeader) => boolean,
): Promise<FoundHeader | undefined> {
  const window = new Window(file, fileBytes);
  let position = from;
  while (position + RECORD_HEADER_BYTES < fileBytes) {
    const start = window.indexOf(position, RECORD_HEADER_BYTES);
    const index = start === -1 ? await window.load(position, RECORD_HEADER_BYTES) : start;
    const found = window.bytes.subarray(0, window.end).indexOf(RECORD_MAGIC, index);
    if (found === -1) {
      // The last loaded bytes may be the beginning of a magic.
      position += Math.max(1, window.end - index - RECORD_MAGIC.length + 1);
      continue;
    }
    position += found - index;
    const record = await recordAt(window, position, logId);
    if (record !== undefined && isWanted(record)) return { offset: position, sequence: record.sequence };
    position += 1;
  }
  return undefined;
}

/** The header of the whole record at `offset`; undefined if there is none. */
async function recordAt(window: Window, offset: number, logId: LogId) {
  if (offset + RECORD_HEADER_BYTES > window.fileBytes) return undefined;
  const loaded = window.indexOf(offset, RECORD_HEADER_BYTES);
  const index = loaded === -1 ? await window.load(offset, RECORD_HEADER_BYTES) : loaded;
  const header = decodeRecordHeader(window.bytes, index, logId);
  if (header === undefined) return undefined;
  const end = offset + RECORD_HEADER_BYTES + header.payloadBytes;
  if (end > window.fileBytes) return undefined;
  let checksum = headerChecksum(window.bytes, index);
  const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, header.payloadBytes));
  for (let at = offset + RECORD_HEADER_BYTES; at < end; at += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, end - at));
    if ((await window.file.read(part, at)) < part.length) return undefined;
    checksum = crc32(part, checksum);
  }
  return checksum === header.checksum ? header : undefined;
}
