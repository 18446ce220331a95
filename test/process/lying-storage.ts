/** The control of the power cuts: a storage on the real disk that claims to sync and does not. */

import type { Storage } from "@loredex/core";
import { systemRandom } from "../../packages/core/src/platform/system.ts";
import { openFileStorage } from "../../packages/core/src/storage/file-storage.ts";
import type { FileSystem } from "../../packages/core/src/storage/file-system.ts";
import { lockDirectory } from "../../packages/core/src/storage/lock.ts";
import { nodeFileSystem } from "../../packages/core/src/storage/node-file-system.ts";

export function lyingStorage(directory: string): Promise<Storage> {
  const nothing = async () => undefined;
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    open: async (path, mode) => ({ ...(await nodeFileSystem.open(path, mode)), dataSync: nothing, sync: nothing }),
    syncDirectory: nothing,
  };
  return openFileStorage({ directory, fileSystem, lockDirectory, random: systemRandom });
}
