/**
 * The storage port: named stores, each an append-only history of records with snapshots.
 * The port knows stores, sequence numbers and snapshots, but no files, so that a database can implement it too.
 */

import type { LoredexError } from "../model/errors.ts";
import type { StatementEvent } from "../model/work.ts";
import type { BlockStore } from "./block-store.ts";

/** One independently versioned part of a snapshot. A reader that does not know the version of a derived section rebuilds it. */
export interface SnapshotSection {
  /** Lower-case letters and dashes. */
  readonly name: string;
  readonly version: number;
  /** The section's bytes in order. Pulled one at a time, so that the producer can yield between them. */
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Whether it can be rebuilt. A derived section above the maximum length is left out; any other one makes the snapshot fail. Default false. */
  readonly isDerived?: boolean;
}

/** A stored section whose length and checksum have been verified. */
export interface LoadedSection {
  readonly name: string;
  readonly version: number;
  readonly bytes: Uint8Array;
}

/** A derived section that is missing or damaged. */
export interface DroppedSection {
  readonly name: string;
  /** The damage in words, with the name of its file. */
  readonly reason: string;
  /** The file does not exist: it was deleted or lost. Absent if its bytes are wrong. */
  readonly isMissing?: true;
}

/** A verified snapshot: the state after the record `sequence`. */
export interface LoadedSnapshot {
  readonly sequence: number;
  readonly sections: ReadonlyMap<string, LoadedSection>;
  /** Derived sections of it that are missing or damaged, and must be rebuilt. Default none. */
  readonly dropped?: readonly DroppedSection[];
}

/** The result of {@link Store.recover}. */
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
  /** All stored records are later than this one, and no stored snapshot is older. Absent if nothing is stored that the used snapshot replaces. */
  readonly keptAfter?: number;
}

/** Receives a store's history once, in order. It may throw: recovery then fails with that error and the store stays closed. */
export interface RecoveryVisitor {
  /** Called before a snapshot of this many bytes is read into memory. If it is damaged, an older one follows. */
  expect?(bytes: number): void;
  /** Called at most once, before any record. */
  snapshot(snapshot: LoadedSnapshot): void | Promise<void>;
  /** Called for every record after the snapshot, in sequence order. The payload is only valid during the call. */
  record(sequence: number, payload: Uint8Array): void | Promise<void>;
}

/** The deletions of {@link Store.purge}. */
export interface Purged {
  readonly files: number;
  readonly bytes: number;
  /** Names of foreign files in the store's directory. They are not deleted. */
  readonly foreign: readonly string[];
}

/**
 * One store: an append-only history of records, with snapshots. Obligations of an implementation:
 * - `append` resolves with the record's sequence number, and only when the record is durable. Numbers rise by one in the order of the calls, from 1.
 * - Appends that wait for the disk at the same time share one flush.
 * - If an append fails, every later append that is still pending fails too, with the same error: later writes
 *   were decided on the state that the failed one promised. `recover` never yields a failed record, with one exception.
 *   After `READ_ONLY` it is unknown which bytes reached the disk, so a whole failed record may be recovered.
 * - `DISK_FULL` leaves the store usable. After `READ_ONLY` every further append and snapshot is refused.
 * - `writeSnapshot` is durable when it resolves, and harms nothing when it fails. Appends continue meanwhile.
 * - `purge` durably deletes the history before its snapshot, and all removed blocks. If it is interrupted anywhere, all durable data is still there.
 * - Caches and blocks do not belong to the history: losing or damaging one harms nothing.
 */
export interface Store {
  /** Must be called once, before anything else. Throws `CORRUPT` or `UNSUPPORTED_FORMAT`, naming file, offset and sequence number. */
  recover(visitor: RecoveryVisitor): Promise<RecoveryReport>;
  /**
   * Appends a record. The payload has 1 to `RECORD_BYTES_MAX` bytes, and must not change before this settles.
   * `onFailed` is called synchronously at the failure, before any other append is accepted. The promise rejects a little later: too late for
   * callers that decide on the state which the record promised.
   * `frees` says that the record deletes something: a full disk accepts such records for longer than others. Default false.
   */
  append(payload: Uint8Array, onFailed?: () => void, frees?: boolean): Promise<number>;
  /**
   * Replaces the history up to `sequence` by a snapshot. `sequence` must have been appended, and must not be older than the
   * newest snapshot. With 0, the empty history, no snapshot is written. Section names must be unique. Concurrent calls
   * run one after the other. Resolves with the names of derived sections that were too long.
   * `again` says that derived data has changed without a record: the snapshot then replaces a stored one of the same record. Without it, a store that nodes
   * share keeps the stored one: another node was quicker. Default false.
   */
  writeSnapshot(sequence: number, sections: readonly SnapshotSection[], again?: boolean): Promise<readonly string[]>;
  /**
   * Replaces the whole history by a snapshot, and deletes everything else of it: older snapshots, log, caches,
   * removed or unopened blocks, blocks of other labels, torn tails that were set aside. `contents` returns the snapshot. It is called once the old log gets no more records:
   * `through` is the number of its last record, and the snapshot must not be older. Later records stay in the log.
   * Rejects if something could not be deleted; another call continues with it.
   */
  purge(contents: (through: number) => Promise<PurgeSnapshot>): Promise<Purged>;
  /**
   * Bytes of log records since the last snapshot, of that snapshot, and of the whole store. Records that were appended between
   * the snapshot's `sequence` and the call that wrote it count as covered by it until the next recovery.
   */
  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number };
  /**
   * Writes a cache: bytes that can be rebuilt, under a name of lower-case letters and dashes. It replaces the previous bytes of that name.
   * A failed call leaves the previous bytes. A cache that is far larger than the newest snapshot need not be kept.
   */
  writeCache(name: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of a cache; undefined if there is none. They may be old, damaged or cut off: the caller must verify them. */
  readCache(name: string): Promise<Uint8Array | undefined>;
  /**
   * The blocks of this name, which has lower-case letters and dashes. The same name gives the same object. Absent if a store cannot
   * be read by position.
   */
  blocks?(name: string): BlockStore;
  /** Present if other nodes append to this store too. */
  readonly shared?: SharedStore;
  /** Waits for pending calls, then releases everything. Idempotent. */
  close(): Promise<void>;
}

/**
 * The part of a store that several nodes use at once. A node is a process that has opened the same storage. Obligations of an implementation:
 * - An append names the last record that its handle knows, the *head*. If another node has appended meanwhile, it rejects with `CONFLICT`, and so
 *   do all appends that are pending behind it. None of them is stored. Until the next `follow` has resolved, each further append rejects at once.
 * - Each append has an operation id. An append whose answer was lost is looked up by it, and is never stored twice. If that cannot be
 *   found out in time, it rejects with `UNREACHABLE`, and the next `follow` hands the record out if it was stored.
 * - `CONFLICT` and `REPLACED` say that the record was not stored, and will not be: the caller decides again. So an append whose answer was lost
 *   rejects with `UNREACHABLE` too if a purge, or a snapshot, has deleted the records that would tell.
 * - `UNREACHABLE` leaves the handle usable. While the storage is known to be unreachable, every call rejects at once.
 * - Records form a chain of digests. If the stored history is not the one that the handle knows, or lacks a record that it needs next,
 *   every call rejects with `REPLACED`. The caller then closes the handle and opens the store again.
 * - `writeSnapshot` does nothing if a snapshot of the same or a later record is stored, or if another node has purged the store since the last `follow`.
 * - A purge makes another handle `REPLACED` with the next `follow`, unless that is told to continue and every record that it needs is still stored.
 *   Before that `follow`, an append and a purge reject with `CONFLICT`, and other calls may reject with `REPLACED`.
 * - A purge rejects with `CONFLICT` and deletes nothing if another node has stored a snapshot of a later record than the purge's own: the stored snapshot
 *   never goes back.
 */
export interface SharedStore {
  /**
   * Hands out the records that were stored by others since the last call, or since `recover`, in order. All that were durable when it was called
   * are handed out when it resolves. Calls that wait share one question. No record is handed out before the appends that were sent have settled.
   * An append was decided on the records that its caller knew. So if there are records to hand out, appends that were called but not sent reject with
   * `CONFLICT` before the first is handed out, and so do those that are called until the last one is.
   * `record` throws only if it cannot apply a record: then the handle is as `REPLACED`. Once it was called with a record, a snapshot may hold that.
   * `purged` says that the caller keeps nothing of what a purge by another node deletes, so that the handle continues after it. It is called after such a
   * purge, once the records are handed out. Without it, the purge makes the handle `REPLACED`. Calls that share a question must give the same one.
   */
  follow(record: RecoveryVisitor["record"], purged?: () => void): Promise<void>;
  /** Names the store and the last record of it that this handle knows: what a removal was decided on. See {@link Storage.remove}. */
  head(): string;
  /** Takes a job of this store for `ms` milliseconds; undefined while another node has it. `job` has lower-case letters and dashes. */
  lease(job: string, ms: number): Promise<Lease | undefined>;
}

/** A job that only its holder does. It ends by itself, so that a stopped node holds nothing up. */
export interface Lease {
  /** Rises with each lease of the job, so that an older lease is not renewed. It does not fence: no write carries it. */
  readonly token: number;
  /** Prolongs it to `ms` from now. False if it has ended and another node has the job. */
  renew(ms: number): Promise<boolean>;
  /** Ends it. Idempotent; never rejects. */
  release(): Promise<void>;
}

/** What the nodes of a shared storage have in common besides stores. */
export interface SharedStorage {
  /** The storage's clock in milliseconds since the epoch, as it was last told and continued by this machine's monotonic clock: late by at most one round trip. */
  nowMs(): number;
  /** Milliseconds since the storage last answered; 0 while it answers. */
  silentMs(): number;
  /**
   * Counts one request under a name, for all nodes together, and resolves with 0 if at most `perMinute` were counted in the last 60 seconds.
   * Otherwise counts nothing and resolves with the milliseconds until it would.
   */
  admit(name: string, perMinute: number): Promise<number>;
  /** Tells of every statement that ends from now on. `tell` does not throw. Called at most once. */
  observe(tell: (event: StatementEvent) => void): void;
}

/** Damage in a store: stored bytes that differ from the written ones. */
export interface StoreProblem {
  /** The path of the file, or the name of another storage's unit. */
  readonly file: string;
  /** Byte offset in it. */
  readonly offset: number;
  /** The record that should be there, or the last record of the damaged snapshot. */
  readonly sequence: number;
  /** The damage, in words. */
  readonly reason: string;
  /** Only derived data is damaged: no knowledge is lost, and a bot opens without it. Default false. */
  readonly isDerived?: true;
}

/** The result of {@link StorageInspection.verify}. */
export interface StoreCondition {
  readonly files: number;
  /** Bytes that were read and checked. */
  readonly bytes: number;
  /** Whole records. */
  readonly records: number;
  /** Sequence number of the last whole record or snapshot; 0 for an empty store. */
  readonly lastSequence: number;
  /** Bytes of a torn tail: the end of the log that was never acknowledged, as far as it is known. They are no problem. */
  readonly tornBytes: number;
  readonly problems: readonly StoreProblem[];
}

/** A range of lost records, inclusive: no undamaged file holds them. */
export interface LostRecords {
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/** A section file that is damaged, or that no manifest can verify. */
export interface DamagedSection {
  readonly name: string;
  /** Last record of its snapshot; undefined if no manifest names it. */
  readonly sequence: number | undefined;
  /** Reads the file. Ranges that the disk cannot read are zeros. */
  read(): Promise<Uint8Array>;
}

/** Receives the undamaged sections and records of a store. */
export interface SalvageVisitor {
  /** The newest whole section of each name, each with the sequence number of its own snapshot. Called before any record. */
  section(section: LoadedSection, sequence: number): void | Promise<void>;
  /** Every whole record in sequence order, including those that a section covers. The payload is only valid during the call. */
  record(sequence: number, payload: Uint8Array): void | Promise<void>;
  /** Called last: the damaged section files, newest snapshot first, and the result of the salvage. */
  damaged?(sections: readonly DamagedSection[], found: StoreSalvage): Promise<void>;
}

/** The result of {@link StorageInspection.salvage}. */
export interface StoreSalvage {
  /** Gaps among the records from 1 to the last known one, whether or not a section covers them. */
  readonly missing: readonly LostRecords[];
  readonly condition: StoreCondition;
  /** The problems of the log, without those of snapshots. */
  readonly logProblems: readonly StoreProblem[];
}

/**
 * Read-only inspection of stores. Obligations of an implementation:
 * - Every byte that a recovery may rely on is read and compared with its checksum, older snapshots included.
 * - The torn tail of a crash is no problem. An unreadable file is a problem, never an error.
 * - A store may be open and written to meanwhile. Then all bytes that were durable before the call must be whole.
 */
export interface StorageInspection {
  /** Names of all stores, in no order. */
  list(): Promise<string[]>;
  /** Checks one store; a missing one is a problem. */
  verify(name: string): Promise<StoreCondition>;
  /** Hands out everything that is whole of a closed store, however damaged it is. Throws what the visitor throws. */
  salvage(name: string, visitor: SalvageVisitor): Promise<StoreSalvage>;
}

/** The snapshot that a new store can begin with. */
export interface FirstSnapshot {
  readonly sequence: number;
  readonly sections: readonly SnapshotSection[];
}

/** The snapshot that a purge leaves. */
export interface PurgeSnapshot extends FirstSnapshot {
  /** The last record that the purge must erase. A shared store keeps later ones, which other nodes may not know yet. Default: `sequence`. */
  readonly erasesThrough?: number;
}

/** The result of {@link Storage.checkPlaces}: a directory or stores whose files are no longer at their paths. */
export interface LostStores {
  /** Why all writes are refused. Absent if the directory is in place. */
  readonly directory?: LoredexError;
  /** Why an open store refuses writes, by its name: its files were removed or replaced. */
  readonly stores: ReadonlyMap<string, LoredexError>;
}

/** Options of {@link Storage.create}. */
export interface Creation {
  /**
   * Checks the new store before it gets its name; the storage closes it. If this throws, the creation fails with that error.
   * It may also append records and write caches and blocks: they are stored when the creation resolves.
   */
  readonly check?: (store: Store) => Promise<void>;
  /**
   * Replaces a closed store of this name, once the new one is durable and checked. After an interruption at any point,
   * the next opening of the storage finds one of the two, whole. Default: the name must be free.
   * If nodes share the storage, the replaced store is the one of the beginning of the call, with the records that it had then. If another node has
   * replaced it meanwhile, or has appended to it, the creation fails, and that store stays.
   */
  readonly replaces?: boolean;
}

/** A set of stores, under one lock or shared by several nodes. */
export interface Storage extends StorageInspection {
  /** Present if several nodes may use the storage at once. Then its stores have {@link Store.shared}. */
  readonly shared?: SharedStorage;
  /**
   * Creates a store, durably: an empty one, or one whose history up to `sequence` is this snapshot. Throws if the name is
   * taken, or if reading the sections throws. Then nothing has changed.
   */
  create(name: string, first?: FirstSnapshot, how?: Creation): Promise<void>;
  exists(name: string): Promise<boolean>;
  /** Opens an existing store; a missing one is `CORRUPT`, never silently empty. */
  open(name: string): Promise<Store>;
  /** Throws `NO_ACCESS` unless this process may read and change all files that a store needs. Opens and changes nothing. */
  requireAccess(name: string): Promise<void>;
  /** Probes that writing works: writes something durably and deletes it again. Throws the reason if it fails. Only one call at a time. */
  requireWritable(): Promise<void>;
  /**
   * Compares the files of open stores with the files at their paths. A store whose files were removed or replaced becomes read-only.
   * All stores become read-only if the lock, the directory or the store `essential` is lost.
   * Call it every few seconds: it also restores the reserve that was released on a full disk. A storage that cannot lose its files leaves it out.
   */
  checkPlaces?(essential: string): Promise<LostStores>;
  /**
   * Removes a closed store for good. A missing one is not an error. `decidedOn` is the {@link SharedStore.head} of a handle of another store. Then the store
   * is removed only while that is its last record. Otherwise this rejects with `CONFLICT`, and removes nothing: the caller decides again.
   */
  remove(name: string, decidedOn?: string): Promise<void>;
  /** Releases the lock. All stores must be closed before. */
  close(): Promise<void>;
}
