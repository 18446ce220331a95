/**
 * The owner of the data in a directory. Files that another user writes there are private to that user (mode 0600), so the owner could
 * not read them. One import as root would break a service.
 */

import { open, readFile, rm, stat } from "node:fs/promises";
import { LoredexError } from "../model/errors.ts";
import { systemCodeOf } from "./disk-errors.ts";

/** The system's list of users. On some systems it is incomplete. */
const USERS_FILE = "/etc/passwd";
const ROOT = 0;
/** A file that exists for a moment, and only in another user's directory. */
const TRIAL = "owner-trial";

/**
 * The number of the user who owns the data in a directory, if this process runs as another one. Undefined on Windows, which has no such
 * numbers, and in a directory without data, which any user with write permission may use. For root, who may write everywhere, the
 * owner of an empty directory counts: it may have been created for a service that has not run yet.
 */
export async function otherOwner(directory: string): Promise<number | undefined> {
  const ownUser = process.geteuid?.();
  if (ownUser === undefined) return undefined;
  const owner = await ownerOf(`${directory}/stores`).catch((error: unknown) => {
    // A directory without permission to enter counts as its owner's.
    if (systemCodeOf(error) === "EACCES") return ownerOf(directory);
    throw error;
  });
  const whose = owner ?? (ownUser === ROOT ? await ownerOf(directory) : undefined);
  return whose === ownUser ? undefined : whose;
}

/** The user number of a file or directory; undefined if there is none. */
async function ownerOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Whether a new file of this process in a directory belongs to `owner`, since some network disks give all files to one user.
 * The trial file is deleted.
 */
export async function givesFilesTo(directory: string, owner: number): Promise<boolean> {
  const path = `${directory}/${TRIAL}`;
  try {
    await rm(path, { force: true });
    const file = await open(path, "wx", 0o600);
    try {
      return (await file.stat()).uid === owner;
    } finally {
      await file.close();
      await rm(path, { force: true });
    }
  } catch {
    return false;
  }
}

/** The error for a process that opens a directory of another user. */
export async function wrongUser(directory: string, owner: number): Promise<LoredexError> {
  const users = await readFile(USERS_FILE, "utf8").catch(() => "");
  const nameOf = (user: number): string | undefined =>
    users
      .split("\n")
      .map((line) => line.split(":"))
      .find(([, , number]) => number === String(user))?.[0];
  const worded = (user: number): string => `${nameOf(user) ?? "without a name"} (uid ${user})`;
  const ownUser = process.geteuid?.() ?? owner;
  return new LoredexError(
    "WRONG_USER",
    `The data directory ${directory} belongs to the user ${worded(owner)}, and this program runs as ${worded(ownUser)}: what it writes, the other one could not read. ` +
      `Nothing was changed. Run it as that user (sudo -u ${nameOf(owner) ?? `'#${owner}'`} ...), or make the directory this user's: chown -R ${ownUser} ${directory}`,
  );
}
