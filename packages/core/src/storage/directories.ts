/** Creating directories durably, and deleting them with their files. */

import { dirname } from "node:path";
import { fileForDirectory, systemCodeOf } from "./disk-errors.ts";
import type { FileSystem } from "./file-system.ts";

/** Deletes the temporary directories of a killed process. Only the holder of the lock may call it. */
export async function deleteTemporary(fileSystem: FileSystem, path: string): Promise<void> {
  const left = await fileSystem.readDirectory(path).catch(() => []);
  for (const name of left) await deleteDirectory(fileSystem, `${path}/${name}`).catch(() => undefined);
}

/** Creates a directory and its parents if they are missing, and makes their names durable. */
export async function ensureDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  const parent = dirname(path);
  if (parent === path) return;
  const found = await fileSystem.stat(path);
  if (found !== undefined && found.kind !== "directory") throw fileForDirectory(path);
  if (found === undefined) {
    await ensureDirectory(fileSystem, parent);
    await fileSystem.makeDirectory(path).catch(async (error: unknown) => {
      // Another program may have created it meanwhile. The lock decides which of them gets it.
      if ((await fileSystem.stat(path))?.kind !== "directory") throw error;
    });
    await fileSystem.syncDirectory(parent);
    return;
  }
  // Its creator may have died before the name was durable. A parent without read permission is skipped.
  await fileSystem.syncDirectory(parent).catch((error: unknown) => {
    const code = systemCodeOf(error);
    if (code !== "EACCES" && code !== "EPERM") throw error;
  });
}

/** Deletes a directory that holds only files. */
export async function deleteDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  for (const name of await fileSystem.readDirectory(path)) await fileSystem.unlink(`${path}/${name}`);
  await fileSystem.removeDirectory(path);
}

export const REPLACED = ".replaced-";

/** Settles an interrupted replacement: the old store gets its name back, unless the new one has it. Then the old one is deleted. */
export async function settleReplaced(fileSystem: FileSystem, stores: string, replaced: string): Promise<void> {
  const path = `${stores}/${replaced.slice(REPLACED.length)}`;
  if ((await fileSystem.stat(path)) !== undefined) return deleteDirectory(fileSystem, `${stores}/${replaced}`);
  await fileSystem.rename(`${stores}/${replaced}`, path);
  await fileSystem.syncDirectory(stores);
}
