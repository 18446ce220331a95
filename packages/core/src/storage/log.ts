/** The write side of the log: group commit, rotation of segments, and the handling of a failing disk. */

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
  /** Identity of its file. Undefined if the disk gives none, and for a segment that is not written to. */
  identity?: string | undefined;
}

export interface LogOptions {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly identity: StoreIdentity;
  /** A new segment begins when the last one has reached this size. Called before every flush. */
  readonly segmentBytes: () => number;
  /** Most bytes of one flush, about. A larger record is flushed alone. */
  readonly flushBytes: number;
  /** Why the data directory must not be written to; undefined if it may be. Default: it always may. */
  readonly directoryLost?: () => Promise<LoredexError | undefined>;
  /** Disk space for records that free something. Default: none. */
  readonly reserve?: Reserve | undefined;
}

/** The end of a recovered log, where appends continue. */
export interface LogEnd {
  /** All segments in order; records are appended to the last. */
  readonly segments: readonly SegmentFile[];
  /** Number of the last segment, from 1. */
  readonly number: number;
  /** The last segment, open for update; the log closes it. */
  readonly file: OpenFile;
  /** Identity of that file; undefined if the disk gives none. */
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

/**
 * The log of one open store. Appends wait for one flush together (group commit), and resolve after its fsync.
 *
 * | failure | effect |
 * |---|---|
 * | write | the tail is cut off durably; the flush and all waiting appends fail; the log stays usable |
 * | fsync, or cutting the tail | read-only until a restart |
 * | the segment or the directory is not at its path | read-only until a restart |
 */
export class Log {
  readonly #options: LogOptions;
  readonly #logId: LogId;
  readonly #segments: Segment[];
  #current: Segment;
  #number: number;
  #file: OpenFile;
  #lastSequence: number;
  #appendedBytes = 0;
  /** A new segment was begun. Its file may exist, so the old segment must not get more records. */
  #isRotating = false;
  #waiting: WaitingAppend[] = [];
  /** Calls of {@link cut} that wait for a new segment. */
  #cuts: Cut[] = [];
  /** Settles when no append waits any more; undefined while none waits. */
  #flushing: Promise<void> | undefined;
  /** Why every append is refused from now on. */
  #readOnly: LoredexError | undefined;
  /** The same error, if the reason is that the log is no longer at its path. */
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

  /** The current segment, and its durable bytes. */
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

  /** Whether a failure left it unknown which bytes of the last records, or of a begun segment, are on the disk. */
  get isInDoubt(): boolean {
    return this.#readOnly !== undefined || this.#isRotating;
  }

  /** Throws if the log takes no more records. */
  refuseIfReadOnly(): void {
    if (this.#readOnly !== undefined) {
      throw new LoredexError("READ_ONLY", this.#readOnly.message, { cause: this.#readOnly });
    }
  }

  /**
   * Checks that the current segment and the data directory are at their paths. If they are not, or were not at an earlier check,
   * the log is read-only, and this resolves with the reason.
   */
  async checkPlace(): Promise<LoredexError | undefined> {
    if (this.#lost !== undefined || this.#closed !== undefined) return this.#lost;
    const segment = this.#current;
    const path = `${this.#options.directory}/${segmentFile(segment.firstSequence)}`;
    const { fileSystem, directoryLost } = this.#options;
    const all = await directoryLost?.();
    const { identity } = segment;
    const how = identity === undefined ? undefined : await displacement(fileSystem, path, identity);
    // A rotation during the check may have deleted the segment.
    const isCurrent = segment === this.#current && this.#closed === undefined;
    this.#lost ??= all ?? (how === undefined || !isCurrent ? undefined : lostLog(path, how));
    this.#readOnly ??= this.#lost;
    return this.#lost;
  }

  /** Throws if the log takes no more records, or is no longer at its path. Call it before writing other files beside it. */
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
      // Started in a microtask, so that all appends of this tick share the flush.
      this.#flushing ??= Promise.resolve().then(() => this.#flushWaiting());
    });
  }

  /** Begins a new segment, so that earlier and later records share no file. Resolves with the number of the last earlier record. */
  cut(): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#closed !== undefined) throw storeClosed();
      this.refuseIfReadOnly();
      this.#cuts.push({ resolve, reject });
      this.#flushing ??= Promise.resolve().then(() => this.#flushWaiting());
    });
  }

  /** Waits for waiting appends. Later appends are refused. */
  close(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#flushing;
      await this.#file.close();
    })();
    return this.#closed;
  }

  /** Deletes the segments whose records are all numbered `sequence` or less. The next call retries failed deletions. */
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
        // Later appends were decided on the state that the failed one promised.
        const failed = [...batch, ...this.#waiting];
        this.#waiting = [];
        for (const append of failed) append.onFailed?.();
        for (const append of failed) append.reject(error);
        continue;
      }
      const first = this.#lastSequence - batch.length + 1;
      for (const [index, append] of batch.entries()) append.resolve(first + index);
      // Callers that append again at once join the next flush, not the one after it.
      if (this.#waiting.length > 0) await undefined;
    }
    this.#flushing = undefined;
  }

  /** Releases the reserve if the disk is full and a waiting record frees something. Resolves with whether the batch must be tried again. */
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
      // A segment without records serves as the new one, which would have the same name.
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

  /** After a failed write: cuts its bytes off durably, so that no recovery finds them. Callers learn of the failure afterwards. */
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
   * After a failed sync: the system may have dropped the dirty pages, so another sync proves nothing.
   * The tail is cut off, durably or not, so that a restarted process does not take it for durable.
   */
  async #abandon(start: number, cause: unknown): Promise<LoredexError> {
    await this.#file.truncate(start).catch(() => undefined);
    return this.#turnReadOnly(cause);
  }

  #turnReadOnly(cause: unknown): LoredexError {
    this.#readOnly = new LoredexError(
      "READ_ONLY",
      `Writes to ${this.#options.directory} are refused since the disk failed to keep one; reading still works. Check the disk, then restart.`,
      { cause },
    );
    return this.#readOnly;
  }

  /** Begins a new segment. Every earlier record is durable by now, so damage in an older segment is never a torn tail. */
  async #rotate(): Promise<void> {
    await this.requirePlace();
    const { fileSystem, directory, identity } = this.#options;
    const firstSequence = this.#lastSequence + 1;
    const number = this.#number + 1;
    const path = `${directory}/${segmentFile(firstSequence)}`;
    // If this fails, the next append creates the new segment again. The old segment must not grow meanwhile:
    // after a further record in it, an empty segment file of this name would be damage.
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
    // All its records are synced, so a failed close loses nothing.
    await full.close().catch(() => undefined);
  }
}
