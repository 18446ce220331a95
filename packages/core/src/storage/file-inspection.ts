/** Read-only inspection of a data directory that no process holds. It holds the lock meanwhile. */

import { LoredexError } from "../model/errors.ts";
import { readCacheFile } from "./cache-file.ts";
import { readCleanEnd } from "./clean-end.ts";
import { withDiskErrors } from "./disk-errors.ts";
import type { FileSystem, LockDirectory } from "./file-system.ts";
import { salvageStore, verifyStore } from "./inspect-store.ts";
import { isStoreName, StoreNames } from "./port-rules.ts";
import type { StorePlace } from "./recover.ts";
import type { StorageInspection } from "./store.ts";
import { cacheFile } from "./store-files.ts";

/** An inspection of a data directory, which also reads caches. */
export interface FileInspection extends StorageInspection {
  /** The unverified bytes of a store's cache; undefined if there is none. */
  readCache(store: string, name: string): Promise<Uint8Array | undefined>;
  /** Releases the directory. */
  close(): Promise<void>;
}

/**
 * Opens a data directory for inspection.
 * Throws `DIRECTORY_IN_USE` if another process holds it, `WRONG_USER` if the data is another user's, `STORAGE_FAILED` if it is no data directory.
 */
export async function openFileInspection(options: {
  readonly directory: string;
  readonly fileSystem: FileSystem;
  readonly lockDirectory: LockDirectory;
}): Promise<FileInspection> {
  const fileSystem = withDiskErrors(options.fileSystem);
  const stores = `${options.directory}/stores`;
  if ((await fileSystem.stat(stores))?.kind !== "directory") {
    throw new LoredexError("STORAGE_FAILED", `${options.directory} is no data directory: it has no folder "stores".`);
  }
  const lock = await options.lockDirectory(options.directory);
  const end = await readCleanEnd(fileSystem, `${options.directory}/temporary`).catch(() => undefined);
  const names = new StoreNames();
  const placeOf = (name: string): StorePlace => {
    names.check(name);
    return { fileSystem, directory: `${stores}/${name}`, name };
  };
  return {
    list: async () => (await fileSystem.readDirectory(stores)).filter(isStoreName),
    verify: async (name) => verifyStore(placeOf(name), () => undefined, end?.lengths.get(name)),
    salvage: async (name, visitor) => salvageStore(placeOf(name), visitor, end?.lengths.get(name)),
    readCache: async (store, name) => readCacheFile(fileSystem, `${placeOf(store).directory}/${cacheFile(name)}`),
    close: async () => {
      if (names.close()) await lock.release();
    },
  };
}
