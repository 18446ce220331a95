/** A store's caches: derived files that nothing else depends on. */

import type { FileSystem } from "./file-system.ts";
import { deleteLeftovers } from "./store-files.ts";

/** Writes a cache whole, or leaves the previous one. It is not synced: readers must verify the bytes that a crash leaves. */
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

/** Reads a cache. Undefined if there is none, or it cannot be read. */
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
