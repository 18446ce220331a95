/** Checks that open files are still those at their paths. A removed file accepts writes, and loses them all. */

import { LoredexError } from "../model/errors.ts";
import { systemCodeOf } from "./disk-errors.ts";
import type { Displacement, FileSystem, LostPlace } from "./file-system.ts";

/** Compares the file at a path with an identity. Undefined if they are equal, and if the disk gives no answer: later operations fail then. */
export async function displacement(
  fileSystem: Pick<FileSystem, "stat">,
  path: string,
  identity: string,
): Promise<Displacement | undefined> {
  try {
    const found = await fileSystem.stat(path);
    if (found === undefined) return "removed";
    return found.identity === identity ? undefined : "replaced";
  } catch (error) {
    return systemCodeOf(error) === "ENOTDIR" ? "removed" : undefined;
  }
}

/** The identity of an open file, for {@link displacement}. Undefined if a disk numbers one file differently each time, so that nothing can be compared. */
export async function comparableIdentity(
  fileSystem: Pick<FileSystem, "stat">,
  path: string,
  identity: () => Promise<string>,
): Promise<string | undefined> {
  const own = await identity().catch(() => undefined);
  return own === undefined || (await displacement(fileSystem, path, own)) === "replaced" ? undefined : own;
}

const HOW: Readonly<Record<Displacement, string>> = {
  removed: "was removed or moved away",
  replaced: "was replaced by another one",
};

const BACKUP =
  'Reading continues: back up now what is in memory ("loredex backup"), before you stop this program. Then put back what was there, or restore the backup, and start again.';

/** `READ_ONLY`: the log of one store is no longer at its path. */
export function lostLog(path: string, how: Displacement): LoredexError {
  return new LoredexError(
    "READ_ONLY",
    `The log ${path} ${HOW[how]} while it was written to. Writes are refused, since a restart would not find them. ${BACKUP}`,
  );
}

/** `READ_ONLY`: the data directory or its lock file is no longer at its path. */
export function lostDirectory({ what, path, how }: LostPlace): LoredexError {
  const name = what === "lock" ? "lock file" : "data directory";
  const danger =
    what === "lock" ? "Another program may have opened the data directory" : "A restart would not find what is written";
  return new LoredexError(
    "READ_ONLY",
    `The ${name} ${path} ${HOW[how]} while this program held it. All writes are refused: ${danger}. ${BACKUP}`,
  );
}

/** `READ_ONLY`: the catalog, which all other stores need, is lost. */
export function lostEssential({ message }: LoredexError): LoredexError {
  return new LoredexError(
    "READ_ONLY",
    `All writes are refused: without the catalog, nothing can be opened after a restart. ${message}`,
  );
}
