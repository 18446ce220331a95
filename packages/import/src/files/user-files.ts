/** Reads and writes files of the user, by the paths of a command. Failures have messages for the user. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { kinds, requireArguments, systemReason } from "@loredex/core";

/** A user file that cannot be read or written. */
export class UserFileError extends Error {
  /** The reason, without the path. */
  readonly reason: string;

  constructor(path: string, done: "read" | "written", cause: unknown) {
    const reason = reasonOfPath(path, cause);
    super(`${path} cannot be ${done}: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Returns the message of an error, for the user and without a path. */
export function reasonOf(error: unknown): string {
  return error instanceof UserFileError ? error.reason : systemReason(error);
}

/** Returns the message of an error on a path. A file name whose bytes are no UTF-8 is not found under its decoded name. */
export function reasonOfPath(path: string, error: unknown): string {
  const isNotThere = error instanceof Error && "code" in error && error.code === "ENOENT";
  return isNotThere && path.includes("\uFFFD") ? NOT_UTF_8 : reasonOf(error);
}

const NOT_UTF_8 = "its name, or that of a folder that it is in, is not in UTF-8; rename it";

interface ReadingOptions {
  /** True to read pipes as well. Default false. */
  readonly takesPipe?: boolean;
}
const READING_OPTIONS: kinds.OptionKinds<ReadingOptions> = { takesPipe: kinds.A_BOOLEAN };

/**
 * Yields the bytes of a file, or of a pipe with `takesPipe`.
 * @throws UserFileError also for a device, which might have no end
 */
export async function* bytesOfFile(path: string, options: ReadingOptions = {}): AsyncGenerator<Buffer> {
  requireArguments("bytesOfFile", { path, options }, { path: kinds.A_TEXT, options: READING_OPTIONS });
  const { takesPipe = false } = options;
  try {
    await requireReadable(path, takesPipe);
    yield* createReadStream(path, { highWaterMark: 1_048_576 });
  } catch (error) {
    throw new UserFileError(path, "read", error);
  }
}

async function requireReadable(path: string, takesPipe: boolean): Promise<void> {
  const found = await stat(path);
  if (found.isFile() || (takesPipe && (found.isFIFO() || found.isSocket()))) return;
  throw new Error(found.isDirectory() ? "this is a folder" : "this is no file");
}
