/**
 * Stores in a data directory:
 *
 *     DIR/lock                     held as long as the storage is open
 *     DIR/stores/<name>/           one store, see store-files.ts
 *     DIR/stores/.new-<name>/      being created; gets its name when it is complete
 *     DIR/stores/.removed-<name>/  lost its name first, is being deleted
 */

import { dirname } from "node:path";
import type { Random } from "../clock.ts";
import { LoredexError } from "../errors.ts";
import { misuse, withDiskErrors } from "./disk-errors.ts";
import { FileStore } from "./file-store.ts";
import type { DirectoryLock, FileSystem, LockDirectory } from "./file-system.ts";
import { encodeSegmentHeader, STORE_ID_BYTES, STORE_NAME_BYTES_MAX } from "./frame.ts";
import type { Storage, Store } from "./store.ts";
import { segmentFile } from "./store-files.ts";

export const SEGMENT_BYTES_DEFAULT = 16_777_216;
export const FLUSH_BYTES_DEFAULT = 4_194_304;
const STORE_NAME = /^[a-z0-9-]+$/;

export interface FileStorageOptions {
  /** Made if it is missing; its path must not end with a slash. */
  readonly directory: string;
  readonly fileSystem: FileSystem;
  readonly lockDirectory: LockDirectory;
  /** Where store ids come from. */
  readonly random: Random;
  /** A log segment that has grown to this is followed by a new one. Default 16 MiB. */
  readonly segmentBytes?: number;
  /** Appends that wait together are written together up to about this. Default 4 MiB. */
  readonly flushBytes?: number;
}

/**
 * Opens the stores of a data directory for this process alone.
 * Throws `DIRECTORY_IN_USE` if another holds it, `STORAGE_FAILED` or `DISK_FULL` if the disk refuses.
 */
export async function openFileStorage(options: FileStorageOptions): Promise<Storage> {
  const fileSystem = withDiskErrors(options.fileSystem);
  const stores = `${options.directory}/stores`;
  await ensureDirectory(fileSystem, options.directory);
  const lock = await options.lockDirectory(options.directory);
  try {
    await ensureDirectory(fileSystem, stores);
    for (const name of await fileSystem.readDirectory(stores)) {
      if (name.startsWith(".")) await deleteDirectory(fileSystem, `${stores}/${name}`);
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
  return new FileStorage({ ...options, fileSystem }, stores, lock);
}

/** Makes a directory, its parents and their names durable. */
async function ensureDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  if ((await fileSystem.stat(path)) !== undefined) return;
  const parent = dirname(path);
  if (parent !== path) await ensureDirectory(fileSystem, parent);
  await fileSystem.makeDirectory(path);
  await fileSystem.syncDirectory(parent);
}

async function deleteDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  for (const name of await fileSystem.readDirectory(path)) await fileSystem.unlink(`${path}/${name}`);
  await fileSystem.removeDirectory(path);
}

class FileStorage implements Storage {
  readonly #options: FileStorageOptions;
  readonly #fileSystem: FileSystem;
  readonly #stores: string;
  readonly #lock: DirectoryLock;
  /** Names that are open, or being created or removed. */
  readonly #busy = new Set<string>();
  #closed = false;

  constructor(options: FileStorageOptions, stores: string, lock: DirectoryLock) {
    this.#options = options;
    this.#fileSystem = options.fileSystem;
    this.#stores = stores;
    this.#lock = lock;
  }

  async create(name: string): Promise<void> {
    const path = this.#path(name);
    await this.#alone(name, async () => {
      if ((await this.#fileSystem.stat(path)) !== undefined) throw misuse(`There is a store "${name}" already.`);
      const unnamed = `${this.#stores}/.new-${name}`;
      await this.#deleteIfThere(unnamed);
      await this.#fileSystem.makeDirectory(unnamed);
      await this.#writeFirstSegment(unnamed, name);
      // From its first moment under its name a store has a whole first segment.
      await this.#fileSystem.rename(unnamed, path);
      await this.#fileSystem.syncDirectory(this.#stores);
    });
  }

  async #writeFirstSegment(directory: string, name: string): Promise<void> {
    const id = this.#options.random.bytes(STORE_ID_BYTES);
    const file = await this.#fileSystem.open(`${directory}/${segmentFile(1)}`, "create");
    try {
      await file.write([encodeSegmentHeader({ id, name, number: 1, firstSequence: 1 })], 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#fileSystem.syncDirectory(directory);
  }

  async exists(name: string): Promise<boolean> {
    return (await this.#fileSystem.stat(this.#path(name))) !== undefined;
  }

  async open(name: string): Promise<Store> {
    const directory = this.#path(name);
    this.#take(name);
    try {
      if ((await this.#fileSystem.stat(directory)) === undefined) {
        throw new LoredexError(
          "CORRUPT",
          `The store "${name}" is missing: there is no ${directory}. Restore it from a backup.`,
        );
      }
    } catch (error) {
      this.#busy.delete(name);
      throw error;
    }
    return new FileStore({
      fileSystem: this.#fileSystem,
      directory,
      name,
      segmentBytes: this.#options.segmentBytes ?? SEGMENT_BYTES_DEFAULT,
      flushBytes: this.#options.flushBytes ?? FLUSH_BYTES_DEFAULT,
      onClosed: () => this.#busy.delete(name),
    });
  }

  async remove(name: string): Promise<void> {
    const path = this.#path(name);
    await this.#alone(name, async () => {
      const unnamed = `${this.#stores}/.removed-${name}`;
      await this.#deleteIfThere(unnamed);
      if ((await this.#fileSystem.stat(path)) === undefined) return;
      await this.#fileSystem.rename(path, unnamed);
      await this.#fileSystem.syncDirectory(this.#stores);
      await deleteDirectory(this.#fileSystem, unnamed);
    });
  }

  async list(): Promise<string[]> {
    this.#refuseIfClosed();
    const names = await this.#fileSystem.readDirectory(this.#stores);
    return names.filter((name) => STORE_NAME.test(name));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#busy.size > 0) {
      throw misuse(`The storage cannot be closed while stores are in use: ${[...this.#busy].join(", ")}.`);
    }
    this.#closed = true;
    await this.#lock.release();
  }

  #path(name: string): string {
    this.#refuseIfClosed();
    if (!STORE_NAME.test(name) || name.length > STORE_NAME_BYTES_MAX) {
      throw misuse(
        `"${name}" cannot be a store: use 1 to ${STORE_NAME_BYTES_MAX} lower-case letters, digits and dashes.`,
      );
    }
    return `${this.#stores}/${name}`;
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new LoredexError("CLOSED", "The storage is closed.");
  }

  #take(name: string): void {
    if (this.#busy.has(name)) throw misuse(`The store "${name}" is in use; close it first.`);
    this.#busy.add(name);
  }

  async #alone(name: string, work: () => Promise<void>): Promise<void> {
    this.#take(name);
    try {
      await work();
    } finally {
      this.#busy.delete(name);
    }
  }

  async #deleteIfThere(path: string): Promise<void> {
    if ((await this.#fileSystem.stat(path)) !== undefined) await deleteDirectory(this.#fileSystem, path);
  }
}
