/** What the storage tests share: disks to run on, and a history that can be told apart. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openFileStorage } from "../../src/storage/file-storage.ts";
import type { FileSystem, LockDirectory } from "../../src/storage/file-system.ts";
import { lockDirectory } from "../../src/storage/lock.ts";
import { nodeFileSystem } from "../../src/storage/node-file-system.ts";
import type { Storage, Store } from "../../src/storage/store.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { type History, openStore } from "../../testing/told-stores.ts";
import { seededRandom } from "../support/test-clock.ts";

/** A disk, and a directory on it that only this test uses. */
export interface Disk {
  readonly fileSystem: FileSystem;
  readonly lockDirectory: LockDirectory;
  readonly directory: string;
}

export interface SimulatedDisk extends Disk {
  readonly fileSystem: SimulatedFileSystem;
}

export function simulatedDisk(fileSystem = new SimulatedFileSystem()): SimulatedDisk {
  return { fileSystem, lockDirectory: fileSystem.lockDirectory, directory: "/data" };
}

/** Makes real directories that are deleted when the tests of the file are over. */
export function realDisks(): () => Promise<Disk> {
  const made: string[] = [];
  afterAll(async () => {
    for (const directory of made) await rm(directory, { recursive: true, force: true });
  });
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), "loredex-storage-"));
    made.push(directory);
    return { fileSystem: nodeFileSystem, lockDirectory, directory };
  };
}

export interface Sizes {
  readonly segmentBytes?: number;
  readonly flushBytes?: number;
  readonly sectionBytesMax?: number;
}

export function openOn(disk: Disk, sizes: Sizes = {}): Promise<Storage> {
  return openFileStorage({ ...disk, ...sizes, random: seededRandom(7) });
}

/** A new store on a disk, recovered and empty. */
export async function newStore(disk: Disk, sizes: Sizes = {}): Promise<{ storage: Storage; store: Store }> {
  const storage = await openOn(disk, sizes);
  await storage.create("bot");
  const { store } = await openStore(storage);
  return { storage, store };
}

/** What is in the store `bot` of a disk; nothing is left open. */
export async function historyOn(disk: Disk): Promise<History> {
  const storage = await openOn(disk);
  try {
    const { store, history } = await openStore(storage);
    await store.close();
    return history;
  } finally {
    await storage.close();
  }
}

/** Whole content of a file. */
export async function readWhole(disk: Disk, path: string): Promise<Buffer> {
  const file = await disk.fileSystem.open(path, "read");
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  await file.close();
  return bytes;
}

/** Puts a file where it is, synced, with its name. */
export async function writeWhole(disk: Disk, path: string, bytes: Uint8Array): Promise<void> {
  const file = await disk.fileSystem.open(path, "create");
  await file.write([bytes], 0);
  await file.sync();
  await file.close();
  await disk.fileSystem.syncDirectory(path.slice(0, path.lastIndexOf("/")));
}

export function storePath(disk: Disk, file = ""): string {
  return `${disk.directory}/stores/bot${file === "" ? "" : `/${file}`}`;
}

/** Names of the files in the store `bot`, sorted. */
export async function storeFiles(disk: Disk): Promise<string[]> {
  return (await disk.fileSystem.readDirectory(storePath(disk))).sort();
}

/** The files of blocks of the store `bot`. */
export async function blockFiles(disk: Disk): Promise<string[]> {
  return (await storeFiles(disk)).filter((name) => name.includes(".blocks"));
}

/** How many of `full` cases a slow test tries: all, or a part in the short form. */
export function slowShare(full: number): number {
  return process.env.TESTS_SHORT === "1" ? Math.ceil(full / 20) : full;
}
