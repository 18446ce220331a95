/** Files of the user's, by the paths that a command was given: what keeps one from being read or written is told in words. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { systemReason } from "@loredex/core";

/** A file of the user's that cannot be read or written. */
export class UserFileError extends Error {
  /** Why, without the path. */
  readonly reason: string;

  constructor(path: string, done: "read" | "written", cause: unknown) {
    const reason = reasonOf(cause);
    super(`${path} cannot be ${done}: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** What is wrong, in words and without a path, of what the system or we ourselves have thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof UserFileError ? error.reason : systemReason(error);
}

/**
 * The bytes of a file, or of a pipe where `takesPipe` says so.
 * @throws UserFileError also for a device, which might have no end
 */
export async function* bytesOfFile(path: string, { takesPipe = false } = {}): AsyncGenerator<Buffer> {
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
