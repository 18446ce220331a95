/** A store's caches: files that can be made again, and that nothing else depends on. */

import type { FileSystem } from "./file-system.ts";
import { deleteLeftovers } from "./store-files.ts";

/** Writes the cache whole, or leaves the one that was there. Not synced: what a crash leaves is found out by whoever reads it. */
export async function writeCacheFile(fileSystem: FileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const file = await fileSystem.open(temporary, "create");
    try {
      await file.write([bytes], 0);
    } finally {
      await file.close();
    }
    await fileSystem.rename(temporary, path);
  } catch (error) {
    const at = temporary.lastIndexOf("/");
    await deleteLeftovers(fileSystem, temporary.slice(0, at), [temporary.slice(at + 1)]);
    throw error;
  }
}

/** Undefined if there is none, or it cannot be read. */
export async function readCacheFile(fileSystem: FileSystem, path: string): Promise<Uint8Array | undefined> {
  try {
    const file = await fileSystem.open(path, "read");
    try {
      const bytes = new Uint8Array(await file.size());
      const read = await file.read(bytes, 0);
      return bytes.subarray(0, read);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
