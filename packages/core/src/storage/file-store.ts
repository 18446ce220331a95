/** One store in a directory: its log, and the two newest snapshots. */

import { LoredexError } from "../errors.ts";
import { misuse } from "./disk-errors.ts";
import { Log } from "./log.ts";
import { type RecoveredStore, recoverStore, type StorePlace } from "./recover.ts";
import { checkSections, deleteGeneration, type Generation, type SnapshotPlace, writeGeneration } from "./snapshot.ts";
import type { RecoveryReport, RecoveryVisitor, SnapshotSection, Store } from "./store.ts";
import { GENERATION_MAX, listStoreFiles } from "./store-files.ts";

export interface FileStoreOptions extends StorePlace {
  /** A log segment that has grown to this is followed by a new one. */
  readonly segmentBytes: number;
  /** Appends that wait together are written together up to about this. */
  readonly flushBytes: number;
  /** Called once, when the store has released everything. */
  readonly onClosed: () => void;
}

/** What a recovered store works with. */
interface Parts {
  readonly log: Log;
  readonly place: SnapshotPlace;
  /** Bytes replayed at recovery that no snapshot holds. */
  readonly replayedBytes: number;
}

export class FileStore implements Store {
  readonly #options: FileStoreOptions;
  #parts: Parts | undefined;
  #recovery: Promise<RecoveryReport> | undefined;
  #closing: Promise<void> | undefined;
  /** The newest snapshot, and what the log had grown to when it was begun. */
  #newest: Generation | undefined;
  #coveredBytes = 0;
  /** Section files of the generations that the next snapshot makes superfluous. */
  readonly #superfluous = new Map<number, readonly string[]>();
  #lastGeneration = 0;
  /** Bytes of files that are neither log nor newest snapshot. */
  #otherBytes = 0;
  /** Settles with the snapshots called for so far. */
  #snapshots: Promise<void> = Promise.resolve();

  constructor(options: FileStoreOptions) {
    this.#options = options;
  }

  recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    if (this.#recovery !== undefined) return Promise.reject(misuse("A store is recovered only once."));
    this.#recovery = recoverStore(this.#options, visitor).then((recovered) => this.#goOn(recovered));
    this.#recovery.catch(() => this.close());
    return this.#recovery;
  }

  async #goOn(recovered: RecoveredStore): Promise<RecoveryReport> {
    const { identity, replay, snapshot, otherGenerations, highestGeneration, report } = recovered;
    const { fileSystem, directory } = this.#options;
    const log = new Log({ ...this.#options, identity }, replay.end);
    this.#parts = { log, place: { fileSystem, directory, storeId: identity.id }, replayedBytes: replay.replayedBytes };
    this.#newest = snapshot;
    this.#lastGeneration = highestGeneration;
    for (const [generation, sections] of otherGenerations) this.#superfluous.set(generation, sections);
    await this.#countOtherBytes(this.#parts);
    return report;
  }

  append(payload: Uint8Array): Promise<number> {
    const log = this.#parts?.log;
    if (log === undefined || this.#closing !== undefined) return Promise.reject(this.#notOpen());
    return log.append(payload);
  }

  async writeSnapshot(sequence: number, sections: readonly SnapshotSection[]): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined || this.#closing !== undefined) throw this.#notOpen();
    if (!Number.isSafeInteger(sequence) || sequence < 0 || sequence > parts.log.lastSequence) {
      throw misuse(`Record ${sequence} was not appended: the last one is ${parts.log.lastSequence}.`);
    }
    checkSections(sections);
    // One at a time, in the order of the calls, and none keeps the next from being tried.
    const written = this.#snapshots.then(() => this.#writeSnapshot(parts, sequence, sections));
    this.#snapshots = written.catch(() => undefined);
    return written;
  }

  async #writeSnapshot(parts: Parts, sequence: number, sections: readonly SnapshotSection[]): Promise<void> {
    const { log, place } = parts;
    log.refuseIfReadOnly();
    const previous = this.#newest;
    if (sequence < (previous?.sequence ?? 0)) {
      throw misuse(`A snapshot of record ${sequence} is older than the one of record ${previous?.sequence}.`);
    }
    // An empty history is what recovery yields without a snapshot.
    if (sequence === 0) return;
    if (this.#lastGeneration >= GENERATION_MAX) throw misuse("The store has no more numbers for snapshots.");
    // A failed one keeps its number, so that nothing of it can ever be taken for a part of the next.
    this.#lastGeneration += 1;
    const coveredBytes = log.appendedBytes;
    this.#newest = await writeGeneration(place, this.#lastGeneration, sequence, sections);
    this.#coveredBytes = parts.replayedBytes + coveredBytes;
    // From here on the snapshot is durable. What can't be deleted now is deleted after the next one.
    await this.#deleteSuperfluous(parts, previous).catch(() => undefined);
  }

  async #deleteSuperfluous(parts: Parts, previous: Generation | undefined): Promise<void> {
    for (const [generation, sections] of this.#superfluous) {
      await deleteGeneration(parts.place, generation, sections);
      this.#superfluous.delete(generation);
    }
    if (previous !== undefined) {
      this.#superfluous.set(previous.generation, previous.sections);
      await parts.log.deleteThrough(previous.sequence);
    }
    await this.#countOtherBytes(parts);
  }

  async #countOtherBytes({ log }: Parts): Promise<void> {
    const { totalBytes } = await listStoreFiles(this.#options.fileSystem, this.#options.directory);
    this.#otherBytes = Math.max(0, totalBytes - log.bytes - (this.#newest?.bytes ?? 0));
  }

  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number } {
    if (this.#parts === undefined) return { logBytesSinceSnapshot: 0, snapshotBytes: 0, totalBytes: 0 };
    const { log, replayedBytes } = this.#parts;
    const snapshotBytes = this.#newest?.bytes ?? 0;
    return {
      logBytesSinceSnapshot: replayedBytes + log.appendedBytes - this.#coveredBytes,
      snapshotBytes,
      totalBytes: log.bytes + snapshotBytes + this.#otherBytes,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      // The recovery's error is its caller's; a snapshot's is that of who called for it.
      await this.#recovery?.catch(() => undefined);
      await this.#snapshots;
      await this.#parts?.log.close();
    } finally {
      this.#options.onClosed();
    }
  }

  #notOpen(): LoredexError {
    if (this.#closing !== undefined) return closed();
    return misuse("A store must be recovered before it is used.");
  }
}

function closed(): LoredexError {
  return new LoredexError("CLOSED", "The store is closed.");
}
