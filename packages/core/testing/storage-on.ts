import { systemRandom } from "../src/platform/system.ts";
import { openFileStorage } from "../src/storage/file-storage.ts";
import type { FileSystem, LockDirectory } from "../src/storage/file-system.ts";
import type { Storage } from "../src/storage/store.ts";

/**
 * Opens the storage of `Engine.open({ directory })` on another file system than the real disk, such as a {@link SimulatedFileSystem}.
 * @param directory its path; created if it is missing
 */
export function openStorageOn(
  fileSystem: FileSystem & { readonly lockDirectory: LockDirectory },
  directory: string,
): Promise<Storage> {
  const { lockDirectory } = fileSystem;
  return openFileStorage({ directory, fileSystem, lockDirectory, random: systemRandom });
}
