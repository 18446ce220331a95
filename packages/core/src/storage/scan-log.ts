/** Reads a whole log, past any damage in it. Changes nothing. */

import type { OpenFile } from "./file-system.ts";
import { type LogId, logIdOf, SEGMENT_HEADER_BYTES } from "./frame.ts";
import type { StorePlace } from "./recover.ts";
import {
  type FoundHeader,
  findLaterFlush,
  findRecord,
  readRecords,
  readSegmentHeader,
  type SegmentEnd,
} from "./segment-reader.ts";
import type { LostRecords, StoreProblem } from "./store.ts";
import { type SegmentFile, segmentFile } from "./store-files.ts";
import { isLossOfFile } from "./store-identity.ts";

/** The result of scanning a log. */
export interface LogScan {
  readonly bytes: number;
  readonly records: number;
  /** Sequence number of the last whole record; 0 if there is none. */
  readonly lastSequence: number;
  readonly tornBytes: number;
  readonly problems: readonly StoreProblem[];
  /** Gaps between the whole records, from record 1 on. */
  readonly missing: readonly LostRecords[];
}

/** A log to scan, and the snapshots that cover its beginning. */
export interface LogToScan {
  readonly storeId: Uint8Array;
  /** In order. */
  readonly segments: readonly SegmentFile[];
  /** Whether all segments are known to be durable, so that there can be no torn tail. */
  readonly isDurable: boolean;
  /** Last record of a whole snapshot; records up to it may be deleted. */
  readonly snapshotSequence: number;
  /** Last record of an older whole snapshot; 0 if there is none. No recovery reads the records that it covers. */
  readonly olderSequence: number;
  /** Whether to search for whole records behind a torn place as well. */
  readonly pastTorn: boolean;
}

type Visit = (sequence: number, payload: Uint8Array) => void | Promise<void>;

/** Scans a log, and visits all its whole records in order. */
export async function scanLog(place: StorePlace, log: LogToScan, visit: Visit): Promise<LogScan> {
  const scanner = new LogScanner(place, log, visit);
  for (const segment of log.segments) await scanner.scan(segment);
  return scanner.result();
}

class LogScanner {
  readonly #place: StorePlace;
  readonly #log: LogToScan;
  readonly #logId: LogId;
  readonly #visit: Visit;
  readonly #problems: StoreProblem[] = [];
  readonly #missing: LostRecords[] = [];
  #bytes = 0;
  #records = 0;
  #tornBytes = 0;
  /** Number of the last whole record. */
  #last = 0;
  /** Number of the previous segment; undefined if its header is damaged. */
  #number: number | undefined;
  /** Whether the previous segment ended in damage, which is reported already as the reason for missing records. */
  #endedBroken = false;

  constructor(place: StorePlace, log: LogToScan, visit: Visit) {
    this.#place = place;
    this.#log = log;
    this.#logId = logIdOf(log.storeId);
    this.#visit = visit;
  }

  result(): LogScan {
    return {
      bytes: this.#bytes,
      records: this.#records,
      lastSequence: this.#last,
      tornBytes: this.#tornBytes,
      problems: this.#problems,
      missing: this.#missing,
    };
  }

  async scan(segment: SegmentFile): Promise<void> {
    const path = `${this.#place.directory}/${segmentFile(segment.firstSequence)}`;
    const problem = (offset: number, sequence: number, reason: string) => {
      this.#problems.push({ file: path, offset, sequence, reason });
    };
    let file: OpenFile;
    try {
      file = await this.#place.fileSystem.open(path, "read");
    } catch (error) {
      if (!isLossOfFile(error)) throw error;
      problem(0, segment.firstSequence, "the disk cannot read it");
      return;
    }
    const before = this.#last;
    // After deleted segments, the number need not follow the previous one.
    if (this.#isGapCovered(segment)) this.#number = undefined;
    try {
      this.#bytes += segment.bytes;
      const header = await this.#headerProblem(file, segment);
      if (header !== undefined && (await this.#isUnfinished(file, segment))) {
        this.#tornBytes += segment.bytes;
        return;
      }
      if (header !== undefined) problem(0, segment.firstSequence, header);
      this.#checkGap(segment, problem);
      await this.#scanRecords(file, segment, problem);
    } catch (error) {
      if (!isLossOfFile(error)) throw error;
      problem(0, Math.max(before, this.#last) + 1, "the disk cannot read all of it");
    } finally {
      await file.close();
    }
  }

  /** The damage of a segment's header; undefined if it is the expected one. */
  async #headerProblem(file: OpenFile, segment: SegmentFile): Promise<string | undefined> {
    const decoded = await readSegmentHeader(file);
    const previous = this.#number;
    this.#number = decoded.kind === "header" ? decoded.header.number : undefined;
    if (decoded.kind === "damaged") return decoded.reason;
    if (decoded.kind === "unsupported") {
      return `it has format version ${decoded.version}: a newer Loredex wrote it`;
    }
    const { header } = decoded;
    const isOurs = header.name === this.#place.name && Buffer.compare(header.id, this.#log.storeId) === 0;
    if (!isOurs) return `it belongs to another store ("${header.name}")`;
    if (header.firstSequence !== segment.firstSequence) {
      return `it is the segment from record ${header.firstSequence} on`;
    }
    if (previous !== undefined && header.number !== previous + 1) {
      return `segment ${header.number} cannot follow segment ${previous}`;
    }
    return undefined;
  }

  /** Whether a crash can have left the segment so: the newest one, before its first record. */
  async #isUnfinished(file: OpenFile, segment: SegmentFile): Promise<boolean> {
    const { segments, isDurable } = this.#log;
    if (isDurable || segments.length < 2 || segment !== segments.at(-1)) return false;
    if (segment.firstSequence !== this.#last + 1) return false;
    return (await findRecord(file, segment.bytes, this.#logId, 0, () => true)) === undefined;
  }

  #checkGap(segment: SegmentFile, problem: (offset: number, sequence: number, reason: string) => void): void {
    const { firstSequence } = segment;
    const isCovered = this.#isGapCovered(segment);
    if (firstSequence <= this.#last) problem(0, firstSequence, "the segment before it goes further than it should");
    if (firstSequence <= this.#last + 1) return;
    const lost = this.#lose(firstSequence);
    if (isCovered || this.#endedBroken) return;
    problem(0, lost, `the records ${lost} to ${firstSequence - 1} before it are missing`);
  }

  /**
   * Whether no recovery needs the records that are missing before a segment. Before the first segment a snapshot must cover them. Inside the log
   * even the older snapshot must cover them: a power cut may bring some deleted segments back.
   */
  #isGapCovered(segment: SegmentFile): boolean {
    const { segments, snapshotSequence, olderSequence } = this.#log;
    const held = segment === segments[0] ? snapshotSequence : olderSequence;
    return segment.firstSequence > this.#last + 1 && segment.firstSequence <= held + 1;
  }

  /** Adds the missing records before `next` to the gaps. Returns the first of them. */
  #lose(next: number): number {
    const firstSequence = this.#last + 1;
    if (next > firstSequence) {
      this.#missing.push({ firstSequence, lastSequence: next - 1 });
      this.#last = next - 1;
    }
    return firstSequence;
  }

  async #scanRecords(
    file: OpenFile,
    segment: SegmentFile,
    problem: (offset: number, sequence: number, reason: string) => void,
  ): Promise<void> {
    let next: FoundHeader | undefined = {
      offset: SEGMENT_HEADER_BYTES,
      sequence: segment.firstSequence,
    };
    while (next !== undefined) {
      this.#lose(next.sequence);
      const end = await readRecords(
        file,
        segment.bytes,
        this.#logId,
        next.sequence,
        ({ sequence, payload }) => {
          this.#records += 1;
          this.#last = sequence;
          return this.#visit(sequence, payload);
        },
        next.offset,
      );
      this.#endedBroken = end.kind !== "whole";
      if (end.kind === "whole") return;
      const isTorn = await this.#isTorn(file, segment, end);
      if (isTorn && this.#tornBytes === 0) this.#tornBytes = segment.bytes - end.offset;
      if (isTorn && !this.#log.pastTorn) return;
      next = await this.#nextWhole(file, segment, end);
      if (isTorn) continue;
      const until = next === undefined ? "to its end" : `up to byte ${next.offset}`;
      problem(end.offset, end.sequence, `${end.reason}; it cannot be read ${until}`);
    }
  }

  /** The next whole record behind damage that does not repeat an earlier one. */
  #nextWhole(file: OpenFile, segment: SegmentFile, end: SegmentEnd): Promise<FoundHeader | undefined> {
    const isLater = ({ sequence }: { readonly sequence: number }): boolean => sequence >= end.sequence;
    return findRecord(file, segment.bytes, this.#logId, end.offset, isLater);
  }

  async #isTorn(file: OpenFile, segment: SegmentFile, end: SegmentEnd): Promise<boolean> {
    const { segments, isDurable } = this.#log;
    if (isDurable || end.kind !== "broken" || segment !== segments.at(-1)) return false;
    return (await findLaterFlush(file, segment.bytes, this.#logId, end.offset, end.sequence)) === undefined;
  }
}
