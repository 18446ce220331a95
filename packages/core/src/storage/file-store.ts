/** One store in a directory: its log, and the two newest snapshots. */

import type { LoredexError } from "../model/errors.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import type { BlockStore } from "./block-store.ts";
import { readCacheFile, writeCacheFile } from "./cache-file.ts";
import type { LogLength } from "./clean-end.ts";
import type { DurableEnd } from "./inspect-store.ts";
import { Log } from "./log.ts";
import {
  checkCacheName,
  checkSnapshotSequence,
  misuse,
  storeClosed,
  storeNotRecovered,
  storeRecoveredTwice,
} from "./port-rules.ts";
import { deleteAllElse, requireReadable } from "./purge.ts";
import { type RecoveredStore, recoverStore, type StorePlace } from "./recover.ts";
import type { Reserve } from "./reserve.ts";
import {
  checkSections,
  deleteGeneration,
  describeGeneration,
  type Generation,
  type SnapshotPlace,
  type WrittenGeneration,
  writeGeneration,
} from "./snapshot.ts";
import type { FirstSnapshot, Purged, RecoveryReport, RecoveryVisitor, SnapshotSection, Store } from "./store.ts";
import { StoreBlocks } from "./store-blocks.ts";
import { cacheFile, deleteLeftovers, GENERATION_MAX, listStoreFiles, type StoreListing } from "./store-files.ts";

export interface FileStoreOptions extends StorePlace {
  /** A new log segment begins when the last one has reached this size. Default: by the size of the newest snapshot. */
  readonly segmentBytes?: number;
  /** The longest section of a snapshot. Default: the longest that can be read again. */
  readonly sectionBytesMax?: number;
  /** Most bytes of one flush, about. */
  readonly flushBytes: number;
  /** Deletes the directories of earlier stores of its name. */
  readonly deleteRelics?: () => Promise<void>;
  /** Whether all of its files are known to be synced. Default false: recovery syncs the end of the log. */
  readonly isDurable?: boolean;
  /** Why the data directory must not be written to; undefined if it may be. Default: it always may. */
  readonly directoryLost?: () => Promise<LoredexError | undefined>;
  /** Disk space for records that free something. Default: none. */
  readonly reserve?: Reserve | undefined;
  /** The length of its log at the last clean end; undefined if unknown. */
  readonly knownLength?: LogLength | undefined;
  /** Called once, when the store has released everything: with whether all of its files are known to be synced, and the length of a recovered log. */
  readonly onClosed: (isDurable: boolean, length?: LogLength) => void;
}

const SEGMENT_BYTES_MIN = 65_536;
const SEGMENT_BYTES_MAX = 16_777_216;
const SEGMENTS_A_SNAPSHOT = 32;

/** The segment size beside a snapshot. The log is deleted by whole segments, so a segment is a small share of the snapshot. */
function segmentBytesBeside(snapshotBytes: number): number {
  return Math.min(SEGMENT_BYTES_MAX, Math.max(SEGMENT_BYTES_MIN, snapshotBytes / SEGMENTS_A_SNAPSHOT));
}

/**
 * A cache has at most this many times the bytes of the newest snapshot, plus a base. So it is deleted when most of its source is deleted.
 * A dimension of a vector takes a byte in a snapshot, and four in a graph.
 */
const CACHE_SHARE = 4;
const CACHE_BYTES_MIN = 1_048_576;

/** The components of a recovered store. */
interface Parts {
  readonly log: Log;
  readonly place: SnapshotPlace;
  /** Bytes replayed at recovery that no snapshot holds. */
  readonly replayedBytes: number;
}

/**
 * A store in a directory. It keeps the two newest snapshots and the log from the older one on.
 * Snapshots and purges run one after the other; appends continue meanwhile.
 */
export class FileStore implements Store {
  readonly #options: FileStoreOptions;
  #parts: Parts | undefined;
  #recovery: Promise<RecoveryReport> | undefined;
  #closing: Promise<void> | undefined;
  /** The newest snapshot, and the size of the log when it was requested. */
  #newest: Generation | undefined;
  #coveredBytes = 0;
  /** The previous snapshot, if it is known. */
  #previous: Generation | undefined;
  /** Section files of all generations but the newest. All but the previous one are superfluous. */
  readonly #superfluous = new Map<number, readonly string[]>();
  #lastGeneration = 0;
  /** Bytes of files that are neither log nor newest snapshot nor blocks. */
  #otherBytes = 0;
  /** The number of open holds; see {@link hold}. */
  #holds = 0;
  /** Whether a deletion waits for the end of the holds. */
  #isHeldBack = false;
  /** Called when the last hold ends. */
  #onUnheld: (() => void)[] = [];
  /** Snapshots, purges and deletions of superfluous files. */
  readonly #snapshots = new SerialQueue();
  /** Writes and deletions of caches. */
  readonly #caches = new SerialQueue();
  readonly #blocks = new StoreBlocks();
  /** Whether all files but caches, blocks and the end of the log are synced. False until recovery, and after a failed snapshot: it is unknown then. */
  #isDurable = false;

  constructor(options: FileStoreOptions) {
    this.#options = options;
  }

  recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    if (this.#closing !== undefined) return Promise.reject(storeClosed());
    if (this.#recovery !== undefined) return Promise.reject(storeRecoveredTwice());
    this.#recovery = this.#recover(visitor);
    return this.#recovery;
  }

  async #recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    try {
      return await this.#goOn(
        await recoverStore(this.#options, visitor, this.#options.isDurable ?? false, this.#options.knownLength),
      );
    } catch (error) {
      // A concurrent close waits for this, and releases everything itself.
      if (this.#closing === undefined) {
        this.#closing = this.#release().catch(() => undefined);
        await this.#closing;
      }
      throw error;
    }
  }

  async #goOn(recovered: RecoveredStore): Promise<RecoveryReport> {
    const { identity, replay, snapshot, otherGenerations, highestGeneration, report } = recovered;
    const { fileSystem, directory } = this.#options;
    const segmentBytes = (): number => this.#options.segmentBytes ?? segmentBytesBeside(this.#newest?.bytes ?? 0);
    const log = new Log({ ...this.#options, identity, segmentBytes }, replay.end);
    const place = { fileSystem, directory, storeId: identity.id };
    const parts = { log, place, replayedBytes: replay.replayedBytes };
    this.#parts = parts;
    this.#newest = snapshot;
    this.#lastGeneration = highestGeneration;
    for (const [generation, sections] of otherGenerations) this.#superfluous.set(generation, sections);
    this.#isDurable = true;
    await this.#countOtherBytes(recovered.listing);
    await this.#deleteLeftBehind(parts).catch(() => undefined);
    return report;
  }

  /** Deletes superfluous snapshots, since a crash may have prevented their deletion. */
  async #deleteLeftBehind(parts: Parts): Promise<void> {
    const before = Math.max(0, ...this.#superfluous.keys());
    // If a newer generation is damaged, every other one may be needed.
    if (before === 0 || before > (this.#newest?.generation ?? 0)) return;
    this.#previous = await describeGeneration(parts.place, before);
    if (this.#previous !== undefined) await this.#deleteSuperfluous(parts);
  }

  append(payload: Uint8Array, onFailed?: () => void, frees = false): Promise<number> {
    const log = this.#parts?.log;
    if (log !== undefined && this.#closing === undefined) return log.append(payload, onFailed, frees);
    onFailed?.();
    return Promise.reject(this.#notOpen());
  }

  async writeSnapshot(sequence: number, sections: readonly SnapshotSection[]): Promise<readonly string[]> {
    const parts = this.#parts;
    if (parts === undefined || this.#closing !== undefined) throw this.#notOpen();
    checkSnapshotSequence(sequence, parts.log.lastSequence);
    checkSections(sections);
    const coveredBytes = parts.replayedBytes + parts.log.appendedBytes;
    return this.#inOrder(async () => {
      const leftOut = await this.#writeSnapshot(parts, sequence, sections);
      if (leftOut !== undefined) this.#coveredBytes = coveredBytes;
      return leftOut ?? [];
    });
  }

  /** Runs one snapshot at a time. After a failed one, what is durable is uncertain. */
  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#snapshots.run(async () => {
      try {
        return await work();
      } catch (error) {
        this.#isDurable = false;
        throw error;
      }
    });
  }

  /** Resolves with the names of left out sections; undefined if no snapshot was needed. */
  async #writeSnapshot(
    parts: Parts,
    sequence: number,
    sections: readonly SnapshotSection[],
  ): Promise<readonly string[] | undefined> {
    const { log, place } = parts;
    await log.requirePlace();
    const written = await this.#writeGeneration(place, sequence, sections);
    if (written !== undefined) await this.#deleteSuperfluous(parts).catch(() => undefined);
    return written?.leftOut;
  }

  /** Writes the newest snapshot. Undefined for an empty history, which needs none. */
  async #writeGeneration(
    place: SnapshotPlace,
    sequence: number,
    sections: readonly SnapshotSection[],
  ): Promise<WrittenGeneration | undefined> {
    const previous = this.#newest;
    if (sequence < (previous?.sequence ?? 0)) {
      throw misuse(`A snapshot of record ${sequence} is older than the one of record ${previous?.sequence}.`);
    }
    if (sequence === 0) return undefined;
    if (this.#lastGeneration >= GENERATION_MAX) throw misuse("The store has no more numbers for snapshots.");
    // A failed snapshot keeps its number, so that none of its files can pass for one of the next.
    this.#lastGeneration += 1;
    const { sectionBytesMax } = this.#options;
    const written = await writeGeneration(place, this.#lastGeneration, sequence, sections, sectionBytesMax);
    this.#newest = written;
    // From here on the snapshot is durable. Failed deletions are repeated after the next one.
    this.#previous = previous;
    if (previous !== undefined) this.#superfluous.set(previous.generation, previous.sections);
    return written;
  }

  async purge(contents: (through: number) => Promise<FirstSnapshot>): Promise<Purged> {
    const parts = this.#parts;
    if (parts === undefined || this.#closing !== undefined) throw this.#notOpen();
    return this.#inOrder(() => this.#purge(parts, contents));
  }

  async #purge(parts: Parts, contents: (through: number) => Promise<FirstSnapshot>): Promise<Purged> {
    const { log, place, replayedBytes } = parts;
    await log.requirePlace();
    const through = await log.cut();
    const coveredBytes = replayedBytes + log.appendedBytes;
    const { sequence, sections } = await contents(through);
    if (sequence < through) throw misuse(`A snapshot of record ${sequence} lacks records up to ${through}.`);
    checkSnapshotSequence(sequence, log.lastSequence);
    checkSections(sections);
    const snapshot = await this.#writeGeneration(place, sequence, sections);
    if (snapshot !== undefined) {
      this.#coveredBytes = coveredBytes;
      await requireReadable({ ...place, name: this.#options.name }, snapshot);
    }
    while (this.#holds > 0) await new Promise<void>((resolve) => this.#onUnheld.push(resolve));
    await this.#blocks.purge();
    const isInUse = (name: string) => this.#blocks.isInUse(name);
    const kept = { snapshot, firstSequence: through + 1, isInUse };
    const purged = await this.#caches.run(() => deleteAllElse(place, log, kept));
    this.#previous = undefined;
    this.#superfluous.clear();
    await this.#options.deleteRelics?.();
    await this.#countOtherBytes();
    return purged;
  }

  /** Deletes snapshots and segments that neither of the two newest snapshots needs. */
  async #deleteSuperfluous({ log, place }: Parts): Promise<void> {
    this.#isHeldBack = this.#holds > 0;
    if (this.#isHeldBack) return;
    const previous = this.#previous;
    for (const [generation, sections] of [...this.#superfluous]) {
      if (generation === previous?.generation) continue;
      await deleteGeneration(place, generation, sections);
      this.#superfluous.delete(generation);
    }
    if (previous !== undefined) await log.deleteThrough(previous.sequence);
    await this.#countOtherBytes();
  }

  /** Counts the bytes of all files but log, newest snapshot and blocks. Deletes caches that have become too large. */
  async #countOtherBytes(known?: StoreListing): Promise<void> {
    const { fileSystem, directory } = this.#options;
    const { totalBytes, segments, caches, blocks } = known ?? (await listStoreFiles(fileSystem, directory));
    const large = caches.filter(({ bytes }) => bytes > this.#cacheBytesMax());
    await deleteLeftovers(
      fileSystem,
      directory,
      large.map(({ name }) => name),
    );
    this.#blocks.found(blocks);
    const counted = [...segments, ...large, ...blocks].reduce((sum, { bytes }) => sum + bytes, 0);
    this.#otherBytes = Math.max(0, totalBytes - counted - (this.#newest?.bytes ?? 0));
  }

  #cacheBytesMax(): number {
    return CACHE_SHARE * (this.#newest?.bytes ?? 0) + CACHE_BYTES_MIN;
  }

  async writeCache(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#cachePath(name);
    if (bytes.length > this.#cacheBytesMax() || (await this.checkPlace()) !== undefined) return;
    await this.#caches.run(() => writeCacheFile(this.#options.fileSystem, path, bytes));
    await this.#countOtherBytes();
  }

  async readCache(name: string): Promise<Uint8Array | undefined> {
    return readCacheFile(this.#options.fileSystem, this.#cachePath(name));
  }

  blocks(name: string): BlockStore {
    const parts = this.#parts;
    if (parts === undefined || this.#closing !== undefined) throw this.#notOpen();
    checkCacheName(name);
    return this.#blocks.named(parts.place, name);
  }

  #cachePath(name: string): string {
    if (this.#parts === undefined || this.#closing !== undefined) throw this.#notOpen();
    checkCacheName(name);
    return `${this.#options.directory}/${cacheFile(name)}`;
  }

  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number } {
    if (this.#parts === undefined) return { logBytesSinceSnapshot: 0, snapshotBytes: 0, totalBytes: 0 };
    const { log, replayedBytes } = this.#parts;
    const snapshotBytes = this.#newest?.bytes ?? 0;
    return {
      logBytesSinceSnapshot: replayedBytes + log.appendedBytes - this.#coveredBytes,
      snapshotBytes,
      totalBytes: log.bytes + snapshotBytes + this.#otherBytes + this.#blocks.bytes,
    };
  }

  /** Prevents deletions until the returned function is called. Files that became superfluous meanwhile are deleted then. */
  hold(): () => void {
    this.#holds += 1;
    return () => {
      this.#holds -= 1;
      if (this.#holds === 0) for (const resolve of this.#onUnheld.splice(0)) resolve();
      const parts = this.#parts;
      if (!this.#isHeldBack || this.#holds > 0 || parts === undefined || this.#closing !== undefined) return;
      this.#snapshots.run(() => this.#deleteSuperfluous(parts)).catch(() => undefined);
    };
  }

  /** The durable end of its log; undefined during recovery, and from the call of `close` on. */
  get durableEnd(): DurableEnd | undefined {
    const end = this.#closing === undefined ? this.#parts?.log.durableEnd : undefined;
    return end === undefined ? undefined : { ...end, blocks: this.#blocks.written() };
  }

  /** See {@link Log.checkPlace}. Undefined before it is recovered. */
  async checkPlace(): Promise<LoredexError | undefined> {
    return this.#parts?.log.checkPlace();
  }

  close(): Promise<void> {
    this.#closing ??= this.#waitAndRelease();
    return this.#closing;
  }

  async #waitAndRelease(): Promise<void> {
    // The caller of `recover` gets its error.
    await this.#recovery?.catch(() => undefined);
    await this.#release();
  }

  async #release(): Promise<void> {
    try {
      await this.#snapshots.settled();
      await this.#blocks.close();
      await this.#parts?.log.close();
    } finally {
      const log = this.#parts?.log;
      this.#options.onClosed(this.#isDurable && log?.isInDoubt === false, log?.durableEnd);
    }
  }

  #notOpen(): LoredexError {
    return this.#closing === undefined ? storeNotRecovered() : storeClosed();
  }
}
