/**
 * Whose data is in a directory. What another user writes there is that user's alone (mode 0600), so that the one whose data it is could
 * read it no more: root would break a service with one import.
 */

import { open, readFile, rm, stat } from "node:fs/promises";
import { LoredexError } from "../model/errors.ts";
import { systemCodeOf } from "./disk-errors.ts";

/** The system's list of users; not all systems have all of theirs in it. */
const USERS_FILE = "/etc/passwd";
const ROOT = 0;
/** Is there for a moment, and only where somebody else's data is. */
const TRIAL = "owner-trial";

/**
 * The number of the user whose data is in a directory, where that is not the one whom this process runs as. Undefined on Windows, which has no such
 * numbers, and where there is no data yet, for the first is whoever may write there. That is nothing to root, who may everywhere: to root such a
 * directory is for the data of whoever has it, as one that was made for a service that has not run yet.
 */
export async function otherOwner(directory: string): Promise<number | undefined> {
  const ownUser = process.geteuid?.();
  if (ownUser === undefined) return undefined;
  const owner = await ownerOf(`${directory}/stores`).catch((error: unknown) => {
    // A directory that we may not look into says by itself whose it is.
    if (systemCodeOf(error) === "EACCES") return ownerOf(directory);
    throw error;
  });
  const whose = owner ?? (ownUser === ROOT ? await ownerOf(directory) : undefined);
  return whose === ownUser ? undefined : whose;
}

/** Undefined if nothing is there. */
async function ownerOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Whether a file that this process makes in a directory belongs to `owner` all the same: some network disks give all files to one user.
 * Nothing stays.
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

/** What to tell whoever opens a directory of somebody else's. */
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
