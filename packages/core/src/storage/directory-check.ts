/** Checks whether a data directory could be opened, without creating or changing anything. */

import { access, constants, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { LoredexError } from "../model/errors.ts";
import { A_TEXT, aWholeNumber } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";
import { otherOwner, wrongUser } from "./directory-owner.ts";
import { diskError, diskFull, fileForDirectory, withDiskErrors } from "./disk-errors.ts";
import { requireUnlocked } from "./lock.ts";
import { nodeFileSystem } from "./node-file-system.ts";
import { isStoreName } from "./port-rules.ts";
import { isNeededFile } from "./store-files.ts";

/** With less free space no bot can be created, and the next snapshot fails. */
const FREE_BYTES_MIN = 1_048_576;
/** Permission to list a folder, to enter it, and to create files in it. */
const ALL_RIGHTS = constants.R_OK | constants.W_OK | constants.X_OK;

/** The condition of a data directory, for this process. */
export interface DirectoryCondition {
  /** The absolute path. */
  readonly path: string;
  readonly exists: boolean;
  /** Why this user cannot use it: `WRONG_USER`, `NO_ACCESS`, `STORAGE_FAILED`. */
  readonly refusal?: LoredexError;
  /** Why no process can open it now: `DIRECTORY_IN_USE`, or `STORAGE_FAILED` if locks do not work. */
  readonly lock?: LoredexError;
  /** Bytes that this user may still write there; absent if the system gives no number. */
  readonly freeBytes?: number;
  /** `DISK_FULL`, if less than the minimum is free. */
  readonly full?: LoredexError;
}

const fileSystem = withDiskErrors(nodeFileSystem);

/**
 * Checks whether a data directory could be opened. It takes the lock for a moment, and changes nothing. On a disk that gives all files
 * to one user, it reports `WRONG_USER` for a directory that could be opened.
 */
export async function checkDirectory(directory: string, freeBytesMin = FREE_BYTES_MIN): Promise<DirectoryCondition> {
  const kinds = { directory: A_TEXT, freeBytesMin: aWholeNumber(0) };
  requireArguments("checkDirectory", { directory, freeBytesMin }, kinds);
  const path = resolve(directory);
  const existing = await nearestDirectory(path);
  const refusal = await failureOf(path, requireUsable(path, existing));
  const lock = await failureOf(path, requireUnlocked(path));
  const freeBytes = await freeBytesOf(existing);
  return {
    path,
    exists: existing === path,
    ...(refusal === undefined ? {} : { refusal }),
    ...(lock === undefined ? {} : { lock }),
    ...(freeBytes === undefined ? {} : { freeBytes }),
    ...(freeBytes !== undefined && freeBytes < freeBytesMin ? { full: diskFull("write in", path) } : {}),
  };
}

/** The directory itself if it exists, else the nearest existing one above it. */
async function nearestDirectory(path: string): Promise<string> {
  const found = await nodeFileSystem.stat(path).catch(() => undefined);
  return found?.kind === "directory" || dirname(path) === path ? path : nearestDirectory(dirname(path));
}

async function requireUsable(path: string, existing: string): Promise<void> {
  const found = await fileSystem.stat(path);
  if (found === undefined) return requireRights("create the directory", path, existing);
  if (found.kind !== "directory") throw fileForDirectory(path);
  const owner = await otherOwner(path);
  if (owner !== undefined) throw await wrongUser(path, owner);
  await requireRights("read and write", path);
  const stores = `${path}/stores`;
  if ((await fileSystem.stat(stores)) === undefined) return;
  await requireRights("read and write", stores);
  for (const name of (await fileSystem.readDirectory(stores)).filter(isStoreName)) {
    const store = `${stores}/${name}`;
    await requireRights("read and write", store);
    for (const file of (await fileSystem.readDirectory(store)).filter(isNeededFile))
      await fileSystem.requireAccess(`${store}/${file}`);
  }
}

/** Throws unless this process has all permissions. @param where the folder that needs them for this action */
async function requireRights(action: string, path: string, where = path): Promise<void> {
  await access(where, ALL_RIGHTS).catch((cause: unknown) => {
    throw diskError(action, path, cause);
  });
}

async function freeBytesOf(directory: string): Promise<number | undefined> {
  const disk = await statfs(directory).catch(() => undefined);
  // Some virtual file systems report no sizes.
  return disk === undefined || disk.blocks === 0 ? undefined : disk.bavail * disk.bsize;
}

async function failureOf(path: string, trial: Promise<void>): Promise<LoredexError | undefined> {
  try {
    await trial;
    return undefined;
  } catch (error) {
    return error instanceof LoredexError ? error : diskError("look at", path, error);
  }
}
