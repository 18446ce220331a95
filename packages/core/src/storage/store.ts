/**
 * The storage port: named stores, each an append-only history of records with snapshots.
 * It speaks of stores, sequence numbers and snapshots, never of files, so that a database can stand behind it as well.
 */

import type { LoredexError } from "../model/errors.ts";
import type { BlockStore } from "./block-store.ts";

/** One independently versioned part of a snapshot. A reader that does not know the version of a derived section rebuilds it. */
export interface SnapshotSection {
  /** Lower-case letters and dashes. */
  readonly name: string;
  readonly version: number;
  /** The section's bytes in order. Pulled one at a time, so that the producer can yield between them. */
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** It can be made again: where it is longer than a section may be, the snapshot is written without it. Default false: then it fails. */
  readonly isDerived?: boolean;
}

/** A section as it was stored; its length and checksum have been verified. */
export interface LoadedSection {
  readonly name: string;
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** A derived section that cannot be had. */
export interface DroppedSection {
  readonly name: string;
  /** What is wrong with it, in words, with the name of its file. */
  readonly reason: string;
  /** There is no such file: deleted by somebody, or lost. Absent where bytes of it are wrong. */
  readonly isMissing?: true;
}

/** A verified snapshot: the state after the record `sequence`. */
export interface LoadedSnapshot {
  readonly sequence: number;
  readonly sections: ReadonlyMap<string, LoadedSection>;
  /** Derived sections that it had and that are not whole any more: they are to be made again. Default none. */
  readonly dropped?: readonly DroppedSection[];
}

/** What {@link Store.recover} found. */
export interface RecoveryReport {
  /** Sequence number of the last record; 0 for an empty store. */
  readonly lastSequence: number;
  /** Sequence number of the snapshot used; 0 if there was none. */
  readonly snapshotSequence: number;
  readonly replayedRecords: number;
  /** Bytes of a torn tail that were set aside; 0 if the log ended cleanly. */
  readonly tornBytes: number;
  /** Newer snapshots that were damaged and passed over. */
  readonly damagedSnapshots: number;
  /** Other snapshots, or records that the one used has replaced, are still there. Absent where none is. */
  readonly keepsOlder?: true;
}

/** Receives a store's history once, in order. It may throw: recovery then fails with that error and the store stays closed. */
export interface RecoveryVisitor {
  /** Called before a snapshot of so many bytes is read into memory. Where that is damaged, an older one follows. */
  expect?(bytes: number): void;
  /** Called at most once, before any record. */
  snapshot(snapshot: LoadedSnapshot): void | Promise<void>;
  /** Called for every record after the snapshot, in sequence order. The payload is only valid during the call. */
  record(sequence: number, payload: Uint8Array): void | Promise<void>;
}

/** What {@link Store.purge} has deleted. */
export interface Purged {
  readonly files: number;
  readonly bytes: number;
  /** Names of what lies among the store's files and is not its own: it is left alone. */
  readonly foreign: readonly string[];
}

/**
 * One history. Obligations of an implementation:
 * - `append` resolves only when the record is durable, with its sequence number; numbers rise by one in the order of the calls, from 1.
 * - Appends that wait for the disk at the same time share one flush.
 * - If an append fails, every append called after it that is still pending fails too, with the same error: later writes
 *   were decided on the state that the failed one promised. None of the failed ones is ever seen by `recover`, but for
 *   those that failed with `READ_ONLY`: nobody knows what the disk has of them, so whole ones may be.
 * - `DISK_FULL` leaves the store usable; after `READ_ONLY` every further append and snapshot is refused.
 * - `writeSnapshot` is durable when it resolves, and harms nothing when it fails. Appends go on meanwhile.
 * - `purge` leaves nothing of the history before it but its snapshot, and of blocks none that was removed, durably; wherever it breaks off, what was durable is there.
 * - Caches and blocks are no part of the history: losing or damaging one harms nothing.
 */
export interface Store {
  /** Must be called once, before anything else. Throws `CORRUPT` or `UNSUPPORTED_FORMAT`, naming file, offset and sequence number. */
  recover(visitor: RecoveryVisitor): Promise<RecoveryReport>;
  /**
   * The payload has 1 to `RECORD_BYTES_MAX` bytes, and must not change before this settles. `onFailed` is called before it
   * rejects, at the very moment when it has failed, and before any other append is taken: promises tell a little later, and by
   * then something may have been decided on what did not happen. `frees` says that the record takes something away: a full disk takes such records for
   * longer than others. Default false.
   */
  append(payload: Uint8Array, onFailed?: () => void, frees?: boolean): Promise<number>;
  /**
   * Replaces the history up to `sequence` by a snapshot. `sequence` must have been appended, and must not be older than the
   * newest snapshot; 0, the empty history, needs no snapshot and gets none. Names of sections differ. Several calls at once
   * are carried out one after the other. Resolves with the names of derived sections that were too long.
   */
  writeSnapshot(sequence: number, sections: readonly SnapshotSection[]): Promise<readonly string[]>;
  /**
   * Replaces all of the history by a snapshot, and deletes whatever else was ever written of it: older snapshots, log, caches,
   * blocks that were removed or that nobody has opened, what was set aside. `contents` is asked for the snapshot once nothing more goes into the log of before: `through` is the number
   * of its last record, and the snapshot must not be older. What is appended from then on stays in the log. Rejects if anything
   * could not be deleted; another call goes on with it.
   */
  purge(contents: (through: number) => Promise<FirstSnapshot>): Promise<Purged>;
  /**
   * Bytes of log records since the last snapshot, of that snapshot, and of all there is. Records that were appended between
   * the snapshot's `sequence` and the call that wrote it count as covered by it until the next recovery.
   */
  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number };
  /**
   * Keeps bytes that can be made again, under a name of lower-case letters and dashes, in place of those it had.
   * A failed call leaves those. A cache that is out of all proportion to the newest snapshot need not be kept.
   */
  writeCache(name: string, bytes: Uint8Array): Promise<void>;
  /** What a cache holds; undefined if there is none. It may be old, damaged or cut off: whoever reads it verifies it. */
  readCache(name: string): Promise<Uint8Array | undefined>;
  /**
   * Blocks of this kind, a name of lower-case letters and dashes: the same object for the same name. Absent where a store has no place
   * that is read by position.
   */
  blocks?(name: string): BlockStore;
  /** Waits for what is pending, then releases everything. Idempotent. */
  close(): Promise<void>;
}

/** Something in a store that is not as it was written. */
export interface StoreProblem {
  /** What it is in: the path of a file, or what stands for one. */
  readonly file: string;
  /** The byte in it. */
  readonly offset: number;
  /** The record that should be there, or the last one of the snapshot that should be whole. */
  readonly sequence: number;
  /** What is wrong, in words. */
  readonly reason: string;
  /** Only what is made again is damaged: no knowledge is lost by it, and a bot is opened without it. Default false. */
  readonly isDerived?: true;
}

/** What {@link StorageInspection.verify} found. */
export interface StoreCondition {
  readonly files: number;
  /** Bytes that were read and checked. */
  readonly bytes: number;
  /** Whole records. */
  readonly records: number;
  /** Sequence number of the last whole record or snapshot; 0 for an empty store. */
  readonly lastSequence: number;
  /** Bytes at the end of the log that were never acknowledged, as far as that can be told. They are no problem. */
  readonly tornBytes: number;
  readonly problems: readonly StoreProblem[];
}

/** Records that are in no whole file any more, by their numbers. */
export interface LostRecords {
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** A file of a section that is not as it was written, or of which nothing tells whether it is. */
export interface DamagedSection {
  readonly name: string;
  /** Last record of its snapshot; undefined where no manifest tells it. */
  readonly sequence: number | undefined;
  /** Reads what the disk gives; zeros stand where it gives nothing. */
  read(): Promise<Uint8Array>;
}

/** Receives what is whole of a store, section by section and record by record. */
export interface SalvageVisitor {
  /** The newest whole section of each name, each with the sequence number of its own snapshot. Called before any record. */
  section(section: LoadedSection, sequence: number): void | Promise<void>;
  /** Every whole record in sequence order, also those that a section holds. The payload is only valid during the call. */
  record(sequence: number, payload: Uint8Array): void | Promise<void>;
  /** Called last: the section files that are not whole, those of the newest snapshot first, and what was found beside them. */
  damaged?(sections: readonly DamagedSection[], found: StoreSalvage): Promise<void>;
}

/** What {@link StorageInspection.salvage} found. */
export interface StoreSalvage {
  /** Gaps among the records from 1 to the last that is known of, whether or not a section holds them. */
  readonly missing: readonly LostRecords[];
  readonly condition: StoreCondition;
  /** Those of the problems that are not a snapshot's. */
  readonly logProblems: readonly StoreProblem[];
}

/**
 * A look at stores that changes nothing. Obligations of an implementation:
 * - Every byte that a recovery may ever rely on is read and compared with its checksum, older snapshots included.
 * - What a crash leaves at the end of a log is no problem; what cannot be read is one, and never an error.
 * - A store may be open and written to meanwhile: then what was durable before the call has to be whole, to the last byte.
 */
export interface StorageInspection {
  /** Names of all stores, in no order. */
  list(): Promise<string[]>;
  /** Checks one store; a missing one is a problem. */
  verify(name: string): Promise<StoreCondition>;
  /** Hands out whatever is whole of a store that is not open, however damaged it is. Throws what the visitor throws. */
  salvage(name: string, visitor: SalvageVisitor): Promise<StoreSalvage>;
}

/** What a store can begin with instead of nothing. */
export interface FirstSnapshot {
  readonly sequence: number;
  readonly sections: readonly SnapshotSection[];
}

/** What is no longer where it is written to. */
export interface LostStores {
  /** Why nothing is written at all any more; absent while all is well. */
  readonly directory?: LoredexError;
  /** Why an open store refuses writes, by its name: its files were removed or replaced. */
  readonly stores: ReadonlyMap<string, LoredexError>;
}

/** How a store is created. */
export interface Creation {
  /** Looks at the store before it has its name; the storage closes it. What this throws, the creation fails with. */
  readonly check?: (store: Store) => Promise<void>;
  /**
   * A closed store of this name gives way, at the last moment: until the new one is there, durable and checked, it stays, and
   * whatever comes in between, the next opening of the storage finds one of the two, whole. Default: the name must be free.
   */
  readonly replaces?: boolean;
}

/** A set of stores under one lock. */
export interface Storage extends StorageInspection {
  /**
   * Creates a store, durably: an empty one, or one whose history up to `sequence` is this snapshot. Throws if the name is
   * taken, and what reading the sections throws; then nothing has changed.
   */
  create(name: string, first?: FirstSnapshot, how?: Creation): Promise<void>;
  exists(name: string): Promise<boolean>;
  /** Opens an existing store; a missing one is `CORRUPT`, never silently empty. */
  open(name: string): Promise<Store>;
  /** Throws `NO_ACCESS` unless this process may read and change all that a store needs; a look from outside, which changes nothing. */
  requireAccess(name: string): Promise<void>;
  /** Writes something durably and takes it away again, for whoever wants to know whether that works. Throws what keeps it from working. One at a time. */
  requireWritable(): Promise<void>;
  /**
   * Compares the files of open stores with what is at their places now. A store whose files were removed or replaced becomes read-only; all stores do
   * where the lock, the directory or the store `essential` is lost. Call it every few seconds: it also takes back room that was given up on a full disk. A storage that cannot lose its place leaves it out.
   */
  checkPlaces?(essential: string): Promise<LostStores>;
  /** Removes a closed store for good. A missing one is not an error. */
  remove(name: string): Promise<void>;
  /** Releases the lock. All stores must be closed before. */
  close(): Promise<void>;
}
