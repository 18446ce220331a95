/** Directories made durably, and deleted with their files. */

import { dirname } from "node:path";
import { fileForDirectory, systemCodeOf } from "./disk-errors.ts";
import type { FileSystem } from "./file-system.ts";

/** What a killed process left: only the holder of the lock can use it. Each file has a directory of its own. */
export async function deleteTemporary(fileSystem: FileSystem, path: string): Promise<void> {
  const left = await fileSystem.readDirectory(path).catch(() => []);
  for (const name of left) await deleteDirectory(fileSystem, `${path}/${name}`).catch(() => undefined);
}

/** Makes a directory and its parents where they are missing, and their names durable. */
export async function ensureDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  const parent = dirname(path);
  if (parent === path) return;
  const found = await fileSystem.stat(path);
  if (found !== undefined && found.kind !== "directory") throw fileForDirectory(path);
  if (found === undefined) {
    await ensureDirectory(fileSystem, parent);
    await fileSystem.makeDirectory(path).catch(async (error: unknown) => {
      // Another program that opens it at the same time may have been quicker: the lock says who gets it.
      if ((await fileSystem.stat(path))?.kind !== "directory") throw error;
    });
    await fileSystem.syncDirectory(parent);
    return;
  }
  // Its maker may have died before its name was durable. A parent that we may not read is not our concern.
  await fileSystem.syncDirectory(parent).catch((error: unknown) => {
    const code = systemCodeOf(error);
    if (code !== "EACCES" && code !== "EPERM") throw error;
  });
}

/** Deletes a directory of files. */
export async function deleteDirectory(fileSystem: FileSystem, path: string): Promise<void> {
  for (const name of await fileSystem.readDirectory(path)) await fileSystem.unlink(`${path}/${name}`);
  await fileSystem.removeDirectory(path);
}

export const REPLACED = ".replaced-";

/** A store that gave way gets its name back, unless the other one has it by now. */
export async function settleReplaced(fileSystem: FileSystem, stores: string, replaced: string): Promise<void> {
  const path = `${stores}/${replaced.slice(REPLACED.length)}`;
  if ((await fileSystem.stat(path)) !== undefined) return deleteDirectory(fileSystem, `${stores}/${replaced}`);
  await fileSystem.rename(`${stores}/${replaced}`, path);
  await fileSystem.syncDirectory(stores);
}
