import { resolve } from "node:path";
import type { Random } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { openFileStorage } from "./file-storage.ts";
import { lockDirectory } from "./lock.ts";
import { openMemoryStorage } from "./memory-storage.ts";
import { nodeFileSystem } from "./node-file-system.ts";
import type { Storage } from "./store.ts";

/** Opens the storage of a data directory; without a directory, a storage in memory. */
export function openStorage(directory: string | undefined, random: Random, logger: Logger): Promise<Storage> | Storage {
  if (directory === undefined) return openMemoryStorage();
  const disk = { directory: resolve(directory), fileSystem: nodeFileSystem, lockDirectory };
  return openFileStorage({ ...disk, random, reserveLogger: logger });
}
