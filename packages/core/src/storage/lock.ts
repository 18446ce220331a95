/// <reference path="./fs-native-extensions.d.ts" />
/**
 * The exclusive lock of a data directory. The system's file lock (Linux: of the open file; macOS: flock; Windows: LockFileEx)
 * ends with the process. So a crash never leaves a stale lock, as a file with a process id would.
 */

import { type FileHandle, open, realpath } from "node:fs/promises";
import { LoredexError, reasonOf } from "../model/errors.ts";
import { BUNDLED_HINT } from "../platform/bundled.ts";
import { givesFilesTo, otherOwner, wrongUser } from "./directory-owner.ts";
import { diskError, systemCodeOf } from "./disk-errors.ts";
import type { DirectoryLock, LostPlace } from "./file-system.ts";
import { identityOf, nodeFileSystem } from "./node-file-system.ts";
import { comparableIdentity, displacement } from "./place-check.ts";
import { answeringSocket } from "./server-socket.ts";

/** Real paths that this process holds. Systems differ in whether a process can take its own lock again. */
const held = new Set<string>();

function inUse(directory: string, holder: string): LoredexError {
  return new LoredexError(
    "DIRECTORY_IN_USE",
    `The data directory ${directory} is in use by ${holder}. Stop that one first, or choose another directory.`,
  );
}

async function takeLock(file: FileHandle, directory: string): Promise<void> {
  const { tryLock } = await nativeLocks();
  let taken: boolean;
  try {
    taken = tryLock(file.fd);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code !== "EACCES" && code !== "EBUSY") throw error;
    taken = false;
  }
  if (!taken) throw inUse(directory, "another program");
}

/**
 * Throws `WRONG_USER` if the data belongs to another user, and new files would not. The lock is checked first: a holder of it
 * can be asked to do the work.
 */
async function requireOwner(directory: string, lockPath: string): Promise<void> {
  const owner = await otherOwner(directory);
  if (owner === undefined) return;
  await requireNobody(directory, lockPath);
  if (!(await givesFilesTo(directory, owner))) throw await wrongUser(directory, owner);
}

/** Throws `DIRECTORY_IN_USE` if a server answers for the directory, even if its lock file was deleted or replaced. */
async function requireNoServer(directory: string): Promise<void> {
  const socket = await answeringSocket(directory);
  if (socket !== undefined) throw inUse(directory, `a running server, which answers at ${socket}`);
}

/** Throws `DIRECTORY_IN_USE` if another program holds the lock. A missing lock file is not created; one that may not be opened counts as free. */
async function requireNobody(directory: string, lockPath: string): Promise<void> {
  const file = await open(lockPath, "r+").catch(() => undefined);
  try {
    if (file !== undefined) await takeLock(file, directory);
  } finally {
    await file?.close();
  }
}

/**
 * Probes the lock: throws as {@link lockDirectory} would if the directory is held, or if locks do not work here. Creates nothing, and
 * releases the lock at once.
 */
export async function requireUnlocked(directory: string): Promise<void> {
  const realPath = await realpath(directory).catch(() => directory);
  if (held.has(realPath)) throw inUse(directory, "this program already");
  await nativeLocks();
  await requireNoServer(directory);
  await requireNobody(directory, `${directory}/lock`);
}

/** Loads the native module on first use, since an engine in memory needs none. */
async function nativeLocks() {
  try {
    return await import("fs-native-extensions");
  } catch (cause) {
    const [reason] = reasonOf(cause).split("\n");
    const message = `The native module that locks data directories, fs-native-extensions, cannot be loaded: ${reason}. ${BUNDLED_HINT}`;
    throw new LoredexError("STORAGE_FAILED", message, { cause });
  }
}

/**
 * Takes the lock `directory`/lock until it is released or this process ends. A server that answers for the directory is
 * checked first: it holds the directory even without its lock file.
 * Throws `DIRECTORY_IN_USE` if this or another process holds it, `WRONG_USER` if the data there is another user's, `STORAGE_FAILED` if
 * locks do not work here.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = `${directory}/lock`;
  const realPath = await realpath(directory).catch((cause: unknown) => {
    throw diskError("find", directory, cause);
  });
  if (held.has(realPath)) throw inUse(directory, "this program already");
  held.add(realPath);
  let file: FileHandle | undefined;
  let identities: Identities;
  try {
    await requireNoServer(directory);
    await requireOwner(directory, path);
    file = await open(path, "a", 0o600);
    await takeLock(file, directory);
    identities = await identitiesOf(file, directory);
  } catch (cause) {
    held.delete(realPath);
    await file?.close();
    throw diskError("lock", path, cause);
  }
  return holding(file, directory, realPath, identities);
}

/** Identities of the held files; undefined if a disk numbers one file differently each time, so that nothing can be compared. */
type Identities = Readonly<Record<LostPlace["what"], string>> | undefined;

async function identitiesOf(file: FileHandle, directory: string): Promise<Identities> {
  const lock = await comparableIdentity(nodeFileSystem, `${directory}/lock`, async () => identityOf(await file.stat()));
  const found = await nodeFileSystem.stat(directory);
  return found === undefined || lock === undefined ? undefined : { lock, directory: found.identity };
}

/** The place that is lost. The directory is checked before its lock, which moves with it. */
async function lostOf(directory: string, identities: Identities): Promise<LostPlace | undefined> {
  if (identities === undefined) return undefined;
  const places = [
    { what: "directory", path: directory },
    { what: "lock", path: `${directory}/lock` },
  ] as const;
  for (const place of places) {
    const how = await displacement(nodeFileSystem, place.path, identities[place.what]);
    if (how !== undefined) return { ...place, how };
  }
  return undefined;
}

function holding(file: FileHandle, directory: string, realPath: string, identities: Identities): DirectoryLock {
  let released: Promise<void> | undefined;
  return {
    lost: () => lostOf(directory, identities),
    release() {
      // The file stays. If it were deleted, two programs could lock two files of the same name.
      released ??= file.close().finally(() => held.delete(realPath));
      return released;
    },
  };
}
