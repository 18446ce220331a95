/** Replay of the log: hands out the records after a snapshot in order, and leaves the log with a clean and durable end. */

import { cutOff, type LogLength } from "./clean-end.ts";
import { corruptAt } from "./disk-errors.ts";
import type { OpenFile } from "./file-system.ts";
import { type LogId, logIdOf, recordBytes } from "./frame.ts";
import type { LogEnd } from "./log.ts";
import { comparableIdentity } from "./place-check.ts";
import { checkSegment, type LogFiles, type LogPlace } from "./segment-headers.ts";
import { findLaterFlush, readRecords, type SegmentEnd } from "./segment-reader.ts";
import { type SegmentFile, segmentFile } from "./store-files.ts";
import { copyAside, writeAgain } from "./tail.ts";

/** The result of a replay. */
export interface Replay {
  readonly end: LogEnd;
  readonly replayedRecords: number;
  /** Bytes of the replayed records. */
  readonly replayedBytes: number;
  readonly tornBytes: number;
}

/** Facts about a log before it is read. */
export interface KnownLog {
  /** Whether all its bytes are known to be synced. */
  readonly isDurable: boolean;
  /** Its length at the last clean end; undefined after a crash. */
  readonly length: LogLength | undefined;
}

export type RecordVisitor = (sequence: number, payload: Uint8Array) => void | Promise<void>;

/**
 * Calls `visit` for every record after number `after`, and gives the log a clean and durable end. A log that is known to be durable is not written again.
 * Throws `CORRUPT` for damage that no crash can have caused. Then nothing was changed.
 */
export async function replayLog(
  place: LogPlace,
  files: LogFiles,
  after: number,
  visit: RecordVisitor,
  known: KnownLog,
): Promise<Replay> {
  const start = firstNeeded(files, after);
  if (start === -1) throw missingRecords(place, after + 1, files.segments[0]);
  const replayer = new Replayer(place, files, after, visit);
  try {
    for (const segment of files.segments.slice(start)) await replayer.read(segment);
    return await replayer.finish(known);
  } catch (error) {
    await replayer.close();
    throw error;
  }
}

/** Index of the segment that holds record `after` + 1; -1 if the log begins later. */
export function firstNeeded(files: LogFiles, after: number): number {
  return files.segments.findLastIndex((segment) => segment.firstSequence <= after + 1);
}

function missingRecords({ directory }: LogPlace, first: number, next: SegmentFile | undefined) {
  const firstSequence = next?.firstSequence ?? first;
  const reason = `the records ${first} to ${firstSequence - 1} before it are missing`;
  return corruptAt(`${directory}/${segmentFile(firstSequence)}`, 0, first, reason);
}

class Replayer {
  readonly #place: LogPlace;
  readonly #files: LogFiles;
  readonly #after: number;
  readonly #visit: RecordVisitor;
  readonly #logId: LogId;
  #file: OpenFile | undefined;
  #segment: SegmentFile | undefined;
  #number = 0;
  /** Number of the next record; 0 before the first segment. */
  #sequence = 0;
  #end: SegmentEnd | undefined;
  /** Offset of the last flush in the open segment. */
  #flushOffset = 0;
  #replayedRecords = 0;
  #replayedBytes = 0;

  constructor(place: LogPlace, files: LogFiles, after: number, visit: RecordVisitor) {
    this.#place = place;
    this.#files = files;
    this.#after = after;
    this.#visit = visit;
    this.#logId = logIdOf(place.identity.id);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  async read(segment: SegmentFile): Promise<void> {
    await this.close();
    const previous = this.#segment;
    this.#segment = segment;
    this.#file = await this.#place.fileSystem.open(this.#path(segment), "update");
    const number = await checkSegment(this.#place, segment, this.#file);
    if (previous !== undefined && segment.firstSequence !== this.#sequence) {
      throw missingRecords(this.#place, this.#sequence, segment);
    }
    if (previous !== undefined && number !== this.#number + 1) {
      const reason = `segment ${number} cannot follow segment ${this.#number}`;
      throw corruptAt(this.#path(segment), 0, segment.firstSequence, reason);
    }
    this.#number = number;
    // In a segment without records, the header was written last.
    this.#flushOffset = 0;
    const { bytes, firstSequence } = segment;
    this.#end = await readRecords(this.#file, bytes, this.#logId, firstSequence, (record) => {
      if (record.sequence === record.flushFirst) this.#flushOffset = record.offset;
      if (record.sequence <= this.#after) return undefined;
      this.#replayedRecords += 1;
      this.#replayedBytes += recordBytes(record.payload);
      return this.#visit(record.sequence, record.payload);
    });
    this.#sequence = this.#end.sequence;
    if (this.#end.kind !== "whole") await this.#checkTorn(segment, this.#end, this.#file);
  }

  /** Returns if a crash can have torn the log at `end`. Otherwise throws `CORRUPT`. */
  async #checkTorn(segment: SegmentFile, end: Exclude<SegmentEnd, { kind: "whole" }>, file: OpenFile): Promise<void> {
    const { offset, sequence, reason } = end;
    const refuse = (why: string) => corruptAt(this.#path(segment), offset, sequence, `${reason}, and ${why}`);
    if (end.kind === "misplaced") throw refuse("records never change places by a crash");
    if (segment !== this.#files.segments.at(-1) || this.#files.unfinished !== undefined) {
      throw refuse("there is a later segment");
    }
    const later = await findLaterFlush(file, segment.bytes, this.#logId, offset, sequence);
    if (later !== undefined) {
      throw refuse(`record ${later.sequence}, written after it, is whole at byte ${later.offset}`);
    }
  }

  /** Repairs the end of the log, now that all of it is verified: sets a torn tail aside, cuts it off, and makes the rest durable. */
  async finish({ isDurable, length }: KnownLog): Promise<Replay> {
    const { fileSystem, directory } = this.#place;
    const { segments, unfinished } = this.#files;
    const [file, segment, end] = [this.#file, this.#segment, this.#end];
    if (file === undefined || segment === undefined || end === undefined) {
      throw missingRecords(this.#place, this.#after + 1, undefined);
    }
    if (end.sequence <= this.#after) {
      const reason = `the log ends before record ${this.#after}, which a snapshot holds`;
      throw corruptAt(this.#path(segment), end.offset, end.sequence, reason);
    }
    if (length !== undefined) this.#requireLength(length, segment, end);
    if (unfinished !== undefined) await this.#dropUnfinished(unfinished, end);
    if (end.kind !== "whole") {
      await copyAside(this.#place, segmentFile(segment.firstSequence), file, end.offset, segment.bytes);
      await file.truncate(end.offset);
    }
    if (!isDurable || end.kind !== "whole" || unfinished !== undefined) {
      await writeAgain(file, this.#flushOffset, end.offset);
      await fileSystem.syncDirectory(directory);
    }
    const kept = segments.map((each) => (each === segment ? { ...each, bytes: end.offset } : { ...each }));
    const identity = await comparableIdentity(fileSystem, this.#path(segment), () => file.identity());
    return {
      end: { segments: kept, number: this.#number, file, identity, lastSequence: end.sequence - 1 },
      replayedRecords: this.#replayedRecords,
      replayedBytes: this.#replayedBytes,
      tornBytes: segment.bytes - end.offset + (unfinished?.bytes ?? 0),
    };
  }

  /** Throws `CORRUPT` if the log is shorter than at its clean end, since no crash cuts synced bytes. */
  #requireLength({ firstSequence, bytes }: LogLength, segment: SegmentFile, end: SegmentEnd): void {
    if (segment.firstSequence === firstSequence && end.offset < bytes) {
      throw corruptAt(this.#path(segment), end.offset, end.sequence, cutOff(bytes));
    }
    if (segment.firstSequence < firstSequence) {
      const path = `${this.#place.directory}/${segmentFile(firstSequence)}`;
      throw corruptAt(path, 0, end.sequence, cutOff(bytes));
    }
  }

  async #dropUnfinished(unfinished: SegmentFile, end: SegmentEnd): Promise<void> {
    if (unfinished.firstSequence !== end.sequence) throw missingRecords(this.#place, end.sequence, unfinished);
    const { fileSystem } = this.#place;
    const path = this.#path(unfinished);
    const file = await fileSystem.open(path, "read");
    try {
      await copyAside(this.#place, segmentFile(unfinished.firstSequence), file, 0, unfinished.bytes);
    } finally {
      await file.close();
    }
    await fileSystem.unlink(path);
  }

  #path(segment: SegmentFile): string {
    return `${this.#place.directory}/${segmentFile(segment.firstSequence)}`;
  }
}
