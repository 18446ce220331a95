/** The end of the log where records are written: group commit, rotation, and what a failing disk makes of them. */

import { LoredexError } from "../model/errors.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";
import {
  encodeFlush,
  encodeSegmentHeader,
  type LogId,
  logIdOf,
  recordBytes,
  SEGMENT_HEADER_BYTES,
  type StoreIdentity,
} from "./frame.ts";
import { comparableIdentity, displacement, lostLog } from "./place-check.ts";
import { checkPayload, misuse, storeClosed } from "./port-rules.ts";
import type { Reserve } from "./reserve.ts";
import { type SegmentFile, segmentFile } from "./store-files.ts";

/** A segment that may grow. */
interface Segment {
  readonly firstSequence: number;
  bytes: number;
  /** Of its file; undefined where the disk does not say, and for one that is not written to. */
  identity?: string | undefined;
}

export interface LogOptions {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly identity: StoreIdentity;
  /** A segment that has grown to this is followed by a new one; asked for before every flush. */
  readonly segmentBytes: () => number;
  /** Records are written together up to about this; a larger one is written alone. */
  readonly flushBytes: number;
  /** Why nothing may be written in the whole data directory; undefined while all of it may. Default: always. */
  readonly directoryLost?: () => Promise<LoredexError | undefined>;
  /** Room for records that take nothing. Default: none. */
  readonly reserve?: Reserve | undefined;
}

/** Where a recovered log goes on. */
export interface LogEnd {
  /** All segments in order; records are appended to the last. */
  readonly segments: readonly SegmentFile[];
  /** Number of the last segment, from 1. */
  readonly number: number;
  /** The last segment, open for update; the log closes it. */
  readonly file: OpenFile;
  /** Of that file; undefined where the disk does not say. */
  readonly identity: string | undefined;
  readonly lastSequence: number;
}

interface WaitingAppend {
  readonly payload: Uint8Array;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
  readonly onFailed: (() => void) | undefined;
  readonly frees: boolean;
}

interface Cut {
  readonly resolve: (through: number) => void;
  readonly reject: (error: unknown) => void;
}

export class Log {
  readonly #options: LogOptions;
  readonly #logId: LogId;
  readonly #segments: Segment[];
  #current: Segment;
  #number: number;
  #file: OpenFile;
  #lastSequence: number;
  #appendedBytes = 0;
  /** A new segment was begun: its file may be there, so that nothing may go into the old one any more. */
  #isRotating = false;
  #waiting: WaitingAppend[] = [];
  /** Who wait for a new segment. */
  #cuts: Cut[] = [];
  /** Settles when nothing is waiting any more; undefined while nothing is. */
  #flushing: Promise<void> | undefined;
  /** Why every append is refused from now on. */
  #readOnly: LoredexError | undefined;
  /** The same error, if the reason is that the log is no longer where it was. */
  #lost: LoredexError | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: LogOptions, end: LogEnd) {
    const segments: Segment[] = end.segments.map((segment) => ({ ...segment }));
    const current = segments.at(-1);
    if (current === undefined) throw misuse("A log needs a segment.");
    this.#options = options;
    this.#logId = logIdOf(options.identity.id);
    this.#segments = segments;
    this.#current = current;
    current.identity = end.identity;
    this.#number = end.number;
    this.#file = end.file;
    this.#lastSequence = end.lastSequence;
  }

  /** Sequence number of the last durable record. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** The segment that is written to, and its durable bytes. */
  get durableEnd(): { readonly firstSequence: number; readonly bytes: number } {
    return { firstSequence: this.#current.firstSequence, bytes: this.#current.bytes };
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0);
  }

  /** Bytes of the records that became durable since this log was opened. */
  get appendedBytes(): number {
    return this.#appendedBytes;
  }

  /** Whether something has failed, so that nobody knows what the disk has of the last records, or of a segment that was begun. */
  get isInDoubt(): boolean {
    return this.#readOnly !== undefined || this.#isRotating;
  }

  /** Throws if the log takes no more records. */
  refuseIfReadOnly(): void {
    if (this.#readOnly !== undefined) {
      throw new LoredexError("READ_ONLY", this.#readOnly.message, { cause: this.#readOnly });
    }
  }

  /** Why the log is read-only because its segment or the data directory is no longer at its path, as it is found now or was before. */
  async checkPlace(): Promise<LoredexError | undefined> {
    if (this.#lost !== undefined || this.#closed !== undefined) return this.#lost;
    const segment = this.#current;
    const path = `${this.#options.directory}/${segmentFile(segment.firstSequence)}`;
    const { fileSystem, directoryLost } = this.#options;
    const all = await directoryLost?.();
    const { identity } = segment;
    const how = identity === undefined ? undefined : await displacement(fileSystem, path, identity);
    // A segment that was followed by another one meanwhile may have been deleted.
    const isCurrent = segment === this.#current && this.#closed === undefined;
    this.#lost ??= all ?? (how === undefined || !isCurrent ? undefined : lostLog(path, how));
    this.#readOnly ??= this.#lost;
    return this.#lost;
  }

  /** Throws if the log takes no more records, or is found not to be where it was: before anything is written beside it. */
  async requirePlace(): Promise<void> {
    await this.checkPlace();
    this.refuseIfReadOnly();
  }

  append(payload: Uint8Array, onFailed?: () => void, frees = false): Promise<number> {
    try {
      if (this.#closed !== undefined) throw storeClosed();
      this.refuseIfReadOnly();
      checkPayload(payload);
      const refusal = frees ? undefined : this.#options.reserve?.refusal();
      if (refusal !== undefined) throw refusal;
    } catch (error) {
      onFailed?.();
      return Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject, onFailed, frees });
      // Started in a microtask, so that all appends of this turn share the flush.
      this.#flushing ??= Promise.resolve().then(() => this.#flushWaiting());
    });
  }

  /** What is written from now on goes into a segment that has none of what was written before. Resolves with the number of the last record before it. */
  cut(): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw storeClosed();
      this.refuseIfReadOnly();
      this.#cuts.push({ resolve, reject });
      this.#flushing ??= Promise.resolve().then(() => this.#flushWaiting());
    });
  }

  /** Waits for what is waiting. Later appends are refused. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#flushing;
      await this.#file.close();
    })();
    return this.#closed;
  }

  /** Deletes the segments whose records are all numbered `sequence` or less. What cannot be deleted is tried again next time. */
  async deleteThrough(sequence: number): Promise<void> {
    for (;;) {
      const [oldest, next] = this.#segments;
      if (oldest === undefined || next === undefined || next.firstSequence > sequence + 1) return;
      await this.#options.fileSystem.unlink(`${this.#options.directory}/${segmentFile(oldest.firstSequence)}`);
      this.#segments.shift();
    }
  }

  async #flushWaiting(): Promise<void> {
    while (this.#waiting.length > 0 || this.#cuts.length > 0) {
      await this.#cutIfAsked();
      if (this.#waiting.length === 0) continue;
      const batch = this.#takeBatch();
      const releases = this.#options.reserve?.releases ?? 0;
      try {
        this.refuseIfReadOnly();
        if (this.#isRotating || this.#current.bytes >= this.#options.segmentBytes()) await this.#rotate();
        await this.#flush(batch);
      } catch (error) {
        if (await this.#findsRoom(error, batch, releases)) {
          this.#waiting.unshift(...batch);
          continue;
        }
        // What was called after a failed append was decided on what that one promised.
        const failed = [...batch, ...this.#waiting];
        this.#waiting = [];
        for (const append of failed) append.onFailed?.();
        for (const append of failed) append.reject(error);
        continue;
      }
      const first = this.#lastSequence - batch.length + 1;
      for (const [index, append] of batch.entries()) append.resolve(first + index);
      // Those who go on at once with their next append shall be in the next flush, not in the one after it.
      if (this.#waiting.length > 0) await undefined;
    }
    this.#flushing = undefined;
  }

  /** Gives up the reserve for a record that takes nothing. Resolves with whether the same records are to be tried again. */
  async #findsRoom(error: unknown, batch: readonly WaitingAppend[], releases: number): Promise<boolean> {
    const { reserve } = this.#options;
    const isFull = error instanceof LoredexError && error.code === "DISK_FULL";
    if (!isFull || reserve === undefined || ![...batch, ...this.#waiting].some(({ frees }) => frees)) return false;
    return (await reserve.release(releases)) && batch.every(({ frees }) => frees);
  }

  async #cutIfAsked(): Promise<void> {
    const cuts = this.#cuts.splice(0);
    if (cuts.length === 0) return;
    try {
      // A segment without a record is as good as a new one, which would have its name.
      if (this.#current.bytes > SEGMENT_HEADER_BYTES) await this.#rotate();
      for (const cut of cuts) cut.resolve(this.#lastSequence);
    } catch (error) {
      for (const cut of cuts) cut.reject(error);
    }
  }

  #takeBatch(): WaitingAppend[] {
    let bytes = 0;
    let count = 0;
    for (const append of this.#waiting) {
      bytes += recordBytes(append.payload);
      if (count > 0 && bytes > this.#options.flushBytes) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #flush(batch: readonly WaitingAppend[]): Promise<void> {
    const payloads = batch.map((append) => append.payload);
    const chunks = encodeFlush(payloads, this.#lastSequence + 1, this.#logId);
    const start = this.#current.bytes;
    try {
      await this.#file.write(chunks, start);
    } catch (error) {
      throw await this.#undoWrite(start, error);
    }
    try {
      await this.#file.dataSync();
    } catch (error) {
      throw await this.#abandon(start, error);
    }
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#current.bytes = start + bytes;
    this.#appendedBytes += bytes;
    this.#lastSequence += batch.length;
  }

  /** After a failed write: nothing of it may be found by a recovery, so it is cut off durably before anyone hears of it. */
  async #undoWrite(start: number, cause: unknown): Promise<unknown> {
    try {
      await this.#file.truncate(start);
      await this.#file.sync();
      return cause;
    } catch {
      return this.#turnReadOnly(cause);
    }
  }

  /**
   * After a failed sync: the system may have forgotten which pages still need writing, so another sync proves nothing.
   * Cutting the tail off, synced or not, keeps a restarted process from taking it for written.
   */
  async #abandon(start: number, cause: unknown): Promise<LoredexError> {
    await this.#file.truncate(start).catch(() => undefined);
    return this.#turnReadOnly(cause);
  }

  #turnReadOnly(cause: unknown): LoredexError {
    this.#readOnly = new LoredexError(
      "READ_ONLY",
      `Writes to ${this.#options.directory} are refused since the disk failed to keep one; reading goes on. Check the disk, then restart.`,
      { cause },
    );
    return this.#readOnly;
  }

  /** Every record before the new segment is durable by now, so damage in an older segment is never a torn tail. */
  async #rotate(): Promise<void> {
    await this.requirePlace();
    const { fileSystem, directory, identity } = this.#options;
    const firstSequence = this.#lastSequence + 1;
    const number = this.#number + 1;
    const path = `${directory}/${segmentFile(firstSequence)}`;
    // Until its first record is written the new segment is nothing: if this fails, the next append makes it anew, also if the
    // old one might have grown further by then. Behind a record in that one, an empty segment of the same number is damage.
    this.#isRotating = true;
    const file = await fileSystem.open(path, "create");
    try {
      await file.write([encodeSegmentHeader({ ...identity, number, firstSequence })], 0);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    let fileIdentity: string | undefined;
    try {
      await file.sync();
      await fileSystem.syncDirectory(directory);
      fileIdentity = await comparableIdentity(fileSystem, path, () => file.identity());
    } catch (error) {
      await file.close().catch(() => undefined);
      throw this.#turnReadOnly(error);
    }
    const full = this.#file;
    this.#file = file;
    this.#number = number;
    this.#current = { firstSequence, bytes: SEGMENT_HEADER_BYTES, identity: fileIdentity };
    this.#segments.push(this.#current);
    this.#isRotating = false;
    // All in it is synced, so nothing hangs on how closing it goes.
    await full.close().catch(() => undefined);
  }
}
