/**
 * Stores in a data directory:
 *
 *     DIR/lock                     held as long as the storage is open
 *     DIR/reserve                  disk space for deletions on a full disk, see reserve.ts
 *     DIR/temporary/               temporary files; deleted whenever the storage is opened
 *     DIR/temporary/clean-end/     facts that a clean end leaves for the next start, see clean-end.ts
 *     DIR/stores/<name>/           one store, see store-files.ts
 *     DIR/stores/.trial/           exists for a moment, as a probe of writing
 *     DIR/stores/.new-<name>/      being created; gets its name when it is complete
 *     DIR/stores/.removed-<name>/  removed; being deleted
 *     DIR/stores/.replaced-<name>/ replaced by another store of its name; gets the name back if that one never got it
 */

import { LoredexError } from "../model/errors.ts";
import type { Random } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { type LogLength, leaveCleanEnd, takeCleanEnd } from "./clean-end.ts";
import { deleteDirectory, deleteTemporary, ensureDirectory, REPLACED, settleReplaced } from "./directories.ts";
import { withDiskErrors } from "./disk-errors.ts";
import { FileStore } from "./file-store.ts";
import type { DirectoryLock, FileSystem, LockDirectory } from "./file-system.ts";
import { encodeSegmentHeader, STORE_ID_BYTES, type StoreIdentity } from "./frame.ts";
import { salvageStore, verifyStore } from "./inspect-store.ts";
import { lostDirectory, lostEssential } from "./place-check.ts";
import { checkSnapshotSequence, isStoreName, misuse, StoreNames } from "./port-rules.ts";
import type { StorePlace } from "./recover.ts";
import { Reserve } from "./reserve.ts";
import { checkSections, writeGeneration } from "./snapshot.ts";
import type {
  Creation,
  FirstSnapshot,
  LostStores,
  SalvageVisitor,
  Storage,
  Store,
  StoreCondition,
  StoreSalvage,
} from "./store.ts";
import { isNeededFile, segmentFile } from "./store-files.ts";

const FLUSH_BYTES_DEFAULT = 4_194_304;

export interface FileStorageOptions {
  /** The data directory. It is created if it is missing. */
  readonly directory: string;
  readonly fileSystem: FileSystem;
  readonly lockDirectory: LockDirectory;
  /** The source of store ids. */
  readonly random: Random;
  /** A new log segment begins when the last one has reached this size. Default: a share of the newest snapshot, 64 KiB to 16 MiB. */
  readonly segmentBytes?: number;
  /** The longest section of a snapshot. Default {@link SECTION_BYTES_MAX}. */
  readonly sectionBytesMax?: number;
  /** Most bytes of one flush, about. Default 4 MiB. */
  readonly flushBytes?: number;
  /** Receives the events of the {@link Reserve}. Default: there is no reserve. */
  readonly reserveLogger?: Logger;
}

/**
 * Opens the stores of a data directory, which this process then holds alone.
 * Throws `DIRECTORY_IN_USE` if another process holds it, `WRONG_USER` if the data is another user's, `STORAGE_FAILED` or `DISK_FULL` if the disk refuses.
 */
export async function openFileStorage(options: FileStorageOptions): Promise<Storage> {
  const fileSystem = withDiskErrors(options.fileSystem);
  const stores = `${options.directory}/stores`;
  await ensureDirectory(fileSystem, options.directory);
  const lock = await options.lockDirectory(options.directory);
  const uncertain = new Set<string>();
  const { reserveLogger } = options;
  let reserve: Reserve | undefined;
  let lengths: Map<string, LogLength>;
  try {
    const cleanEnd = await takeCleanEnd(fileSystem, temporaryDirectory(options.directory));
    await deleteTemporary(fileSystem, temporaryDirectory(options.directory));
    await ensureDirectory(fileSystem, stores);
    for (const name of cleanEnd?.uncertain ?? []) uncertain.add(name);
    lengths = new Map(cleanEnd?.lengths);
    // A leftover that cannot be settled now must not keep the stores from being opened.
    for (const name of await fileSystem.readDirectory(stores)) {
      if (name.startsWith(REPLACED)) {
        uncertain.add(name.slice(REPLACED.length));
        await settleReplaced(fileSystem, stores, name).catch(() => undefined);
      } else if (name.startsWith(".")) {
        await deleteDirectory(fileSystem, `${stores}/${name}`).catch(() => undefined);
      } else if (cleanEnd === undefined) uncertain.add(name);
    }
    if (reserveLogger !== undefined) reserve = await Reserve.open({ ...options, fileSystem, logger: reserveLogger });
  } catch (error) {
    await lock.release();
    throw error;
  }
  return new FileStorage({ ...options, fileSystem }, lock, { uncertain, lengths, reserve });
}

/** The directory for temporary files of the process that holds a data directory. */
export function temporaryDirectory(directory: string): string {
  return `${directory}/temporary`;
}

/** Exists for a moment. The next start deletes it after a crash. */
const TRIAL = ".trial";
const TRIAL_BYTES = 4_096;

/** Facts about a directory when it is opened. */
interface FoundStorage {
  readonly uncertain: Set<string>;
  readonly lengths: Map<string, LogLength>;
  readonly reserve: Reserve | undefined;
}

class FileStorage implements Storage {
  readonly #options: FileStorageOptions;
  readonly #fileSystem: FileSystem;
  readonly #stores: string;
  readonly #lock: DirectoryLock;
  readonly #names = new StoreNames();
  readonly #open = new Map<string, FileStore>();
  /** Stores that may have unsynced bytes: in use, being created, or left by a run without a clean end. */
  readonly #uncertain: Set<string>;
  /** The lengths of logs at their last clean end. */
  readonly #lengths: Map<string, LogLength>;
  readonly #reserve: Reserve | undefined;
  /** Why all writes in the directory are refused. */
  #lost: LoredexError | undefined;

  /** `options.fileSystem` with errors as `withDiskErrors` makes them. */
  constructor(options: FileStorageOptions, lock: DirectoryLock, { uncertain, lengths, reserve }: FoundStorage) {
    this.#options = options;
    this.#fileSystem = options.fileSystem;
    this.#stores = `${options.directory}/stores`;
    this.#lock = lock;
    this.#uncertain = uncertain;
    this.#lengths = lengths;
    this.#reserve = reserve;
  }

  create(name: string, first?: FirstSnapshot, { check, replaces = false }: Creation = {}): Promise<void> {
    return this.#names.during(name, async () => {
      await this.#requireDirectory();
      this.#uncertain.add(name);
      this.#lengths.delete(name);
      await this.#settleReplaced(name);
      const isThere = await this.#isThere(name);
      if (isThere && !replaces) throw misuse(`There is a store "${name}" already.`);
      const unnamed = `.new-${name}`;
      await this.#delete(unnamed);
      await this.#fileSystem.makeDirectory(this.#path(unnamed));
      try {
        await this.#fill(this.#path(unnamed), name, first);
        if (check !== undefined) await this.#check({ ...this.#place(name), directory: this.#path(unnamed) }, check);
      } catch (error) {
        // If it cannot be deleted now, the next start deletes it.
        await this.#delete(unnamed).catch(() => undefined);
        throw error;
      }
      // A store gets its name only when its first snapshot and its first segment are whole.
      try {
        if (isThere) await this.#fileSystem.rename(this.#path(name), this.#path(`${REPLACED}${name}`));
        await this.#fileSystem.rename(this.#path(unnamed), this.#path(name));
        await this.#fileSystem.syncDirectory(this.#stores);
      } catch (error) {
        // If this fails too, the next start settles it.
        if (isThere) await this.#takeBack(name, unnamed).catch(() => undefined);
        throw error;
      }
      if (isThere) await this.#delete(`${REPLACED}${name}`).catch(() => undefined);
      this.#uncertain.delete(name);
    });
  }

  async #check(place: StorePlace, check: (store: Store) => Promise<void>): Promise<void> {
    const store = new FileStore({
      ...place,
      flushBytes: FLUSH_BYTES_DEFAULT,
      isDurable: true,
      onClosed: () => undefined,
    });
    try {
      await check(store);
    } finally {
      await store.close();
    }
  }

  /** Gives the name back to the old store, after the new one could not be made durable under it. */
  async #takeBack(name: string, unnamed: string): Promise<void> {
    const hasGivenWay = await this.#isThere(`${REPLACED}${name}`);
    if (hasGivenWay && (await this.#isThere(name)))
      await this.#fileSystem.rename(this.#path(name), this.#path(unnamed));
    await this.#settleReplaced(name);
    await this.#delete(unnamed);
  }

  async #settleReplaced(name: string): Promise<void> {
    const replaced = `${REPLACED}${name}`;
    if (await this.#isThere(replaced)) await settleReplaced(this.#fileSystem, this.#stores, replaced);
  }

  async #fill(directory: string, name: string, first: FirstSnapshot | undefined): Promise<void> {
    const id = this.#options.random.bytes(STORE_ID_BYTES);
    if (first !== undefined) {
      checkSnapshotSequence(first.sequence, Number.MAX_SAFE_INTEGER - 1);
      checkSections(first.sections);
    }
    const sequence = first?.sequence ?? 0;
    await this.#writeFirstSegment(directory, { id, name }, sequence + 1);
    if (first === undefined || sequence === 0) return;
    const place = { fileSystem: this.#fileSystem, directory, storeId: id };
    await writeGeneration(place, 1, sequence, first.sections, this.#options.sectionBytesMax);
  }

  async #writeFirstSegment(directory: string, identity: StoreIdentity, firstSequence: number): Promise<void> {
    const file = await this.#fileSystem.open(`${directory}/${segmentFile(firstSequence)}`, "create");
    try {
      await file.write([encodeSegmentHeader({ ...identity, number: 1, firstSequence })], 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#fileSystem.syncDirectory(directory);
  }

  async exists(name: string): Promise<boolean> {
    this.#names.check(name);
    return await this.#isThere(name);
  }

  async open(name: string): Promise<Store> {
    this.#names.take(name);
    const isDurable = !this.#uncertain.has(name);
    try {
      await this.#requireDirectory();
      if (!(await this.#isThere(name))) throw missing(name, this.#path(name));
      // Its creator may have failed to make its name durable.
      if (!isDurable) await this.#fileSystem.syncDirectory(this.#stores);
    } catch (error) {
      this.#names.free(name);
      throw error;
    }
    const { segmentBytes, sectionBytesMax } = this.#options;
    const store = new FileStore({
      ...this.#place(name),
      ...(segmentBytes === undefined ? {} : { segmentBytes }),
      ...(sectionBytesMax === undefined ? {} : { sectionBytesMax }),
      flushBytes: this.#options.flushBytes ?? FLUSH_BYTES_DEFAULT,
      deleteRelics: () => this.#deleteRelics(name),
      isDurable,
      directoryLost: () => this.#directoryLost(),
      reserve: this.#reserve,
      knownLength: this.#lengths.get(name),
      onClosed: (isDurableNow, length) => {
        if (isDurableNow) this.#uncertain.delete(name);
        // A log that could not be recovered keeps its known length.
        if (length !== undefined && isDurableNow) this.#lengths.set(name, length);
        else if (length !== undefined) this.#lengths.delete(name);
        this.#open.delete(name);
        this.#names.free(name);
      },
    });
    this.#uncertain.add(name);
    this.#open.set(name, store);
    return store;
  }

  async verify(name: string): Promise<StoreCondition> {
    this.#names.check(name);
    const release = this.#open.get(name)?.hold();
    try {
      return await verifyStore(this.#place(name), () => this.#open.get(name)?.durableEnd, this.#lengths.get(name));
    } finally {
      release?.();
    }
  }

  salvage(name: string, visitor: SalvageVisitor): Promise<StoreSalvage> {
    return this.#names.during(name, () => salvageStore(this.#place(name), visitor, this.#lengths.get(name)));
  }

  async requireAccess(name: string): Promise<void> {
    this.#names.check(name);
    const directory = this.#path(name);
    await this.#fileSystem.requireAccess(directory);
    for (const file of await this.#fileSystem.readDirectory(directory))
      if (isNeededFile(file)) await this.#fileSystem.requireAccess(`${directory}/${file}`);
  }

  /** Writes as much as a new store needs: a directory and a file in it. */
  async requireWritable(): Promise<void> {
    this.#names.refuseIfClosed();
    await this.#requireDirectory();
    await this.#delete(TRIAL);
    await this.#fileSystem.makeDirectory(this.#path(TRIAL));
    try {
      const file = await this.#fileSystem.open(`${this.#path(TRIAL)}/trial`, "create");
      try {
        await file.write([new Uint8Array(TRIAL_BYTES)], 0);
        await file.sync();
      } finally {
        await file.close();
      }
      await this.#fileSystem.syncDirectory(this.#stores);
    } finally {
      await this.#delete(TRIAL);
    }
  }

  remove(name: string): Promise<void> {
    return this.#names.during(name, async () => {
      await this.#requireDirectory();
      const unnamed = `.removed-${name}`;
      await this.#delete(unnamed);
      if (await this.#isThere(name)) await this.#fileSystem.rename(this.#path(name), this.#path(unnamed));
      // Also if nothing is there: an earlier removal may have failed right here.
      await this.#fileSystem.syncDirectory(this.#stores);
      this.#uncertain.delete(name);
      this.#lengths.delete(name);
      await this.#deleteRelics(name);
    });
  }

  /** Durably deletes the directories of stores of this name that are being created, removed or replaced. */
  async #deleteRelics(name: string): Promise<void> {
    for (const relic of [`.removed-${name}`, `${REPLACED}${name}`, `.new-${name}`]) await this.#delete(relic);
    await this.#fileSystem.syncDirectory(this.#stores);
  }

  async list(): Promise<string[]> {
    this.#names.refuseIfClosed();
    return (await this.#fileSystem.readDirectory(this.#stores)).filter(isStoreName);
  }

  async checkPlaces(essential: string): Promise<LostStores> {
    const catalog = await this.#open.get(essential)?.checkPlace();
    if (catalog !== undefined && this.#lost === undefined) this.#lost = lostEssential(catalog);
    const directory = await this.#directoryLost();
    const stores = new Map<string, LoredexError>();
    for (const [name, store] of [...this.#open]) {
      const lost = await store.checkPlace();
      if (lost !== undefined) stores.set(name, lost);
    }
    if (directory !== undefined) return { directory, stores };
    await this.#reserve?.restore();
    return { stores };
  }

  /** Why the directory is lost. The answer is final, since another process may have written to it since. */
  async #directoryLost(): Promise<LoredexError | undefined> {
    if (this.#lost !== undefined) return this.#lost;
    const lost = await this.#lock.lost();
    if (lost !== undefined) this.#lost ??= lostDirectory(lost);
    return this.#lost;
  }

  async #requireDirectory(): Promise<void> {
    const lost = await this.#directoryLost();
    if (lost !== undefined) throw lost;
  }

  async close(): Promise<void> {
    if (!this.#names.close()) return;
    const { directory } = this.#options;
    if ((await this.#directoryLost()) !== undefined) return this.#lock.release();
    // If this fails, the next start is as after a crash.
    const end = { uncertain: this.#uncertain, lengths: this.#lengths };
    await leaveCleanEnd(this.#fileSystem, temporaryDirectory(directory), end).catch(() => undefined);
    await this.#lock.release();
  }

  #place(name: string): StorePlace {
    return { fileSystem: this.#fileSystem, directory: this.#path(name), name };
  }

  #path(name: string): string {
    return `${this.#stores}/${name}`;
  }

  async #isThere(name: string): Promise<boolean> {
    return (await this.#fileSystem.stat(this.#path(name))) !== undefined;
  }

  async #delete(name: string): Promise<void> {
    if (await this.#isThere(name)) await deleteDirectory(this.#fileSystem, this.#path(name));
  }
}

function missing(name: string, path: string): LoredexError {
  return new LoredexError("CORRUPT", `The store "${name}" is missing: there is no ${path}. Restore it from a backup.`);
}
