/**
 * What a clean end leaves for the next start: that every store but some is on the disk to its last byte. Whoever opens one of those need not write its last bytes
 * again, and waits for no sync. It names itself, so that it says nothing of a copy, which nobody may have synced. It lies where each version deletes all that it finds at its start, so that nobody takes it for the end of a later run.
 */

import { crc32 } from "node:zlib";
import { readCacheFile } from "./cache-file.ts";
import { systemCodeOf } from "./disk-errors.ts";
import type { FileSystem } from "./file-system.ts";

const DIRECTORY = "clean-end";
const FILE = "stores";

/**
 * The stores that the last end was not sure of; undefined where it was not a clean one. What said so is gone when this resolves, durably.
 * @throws what the disk says where it cannot be deleted: it would be believed after a crash
 */
export async function takeCleanEnd(
  fileSystem: FileSystem,
  temporaryDirectory: string,
): Promise<readonly string[] | undefined> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  const path = `${directory}/${FILE}`;
  const status = await fileSystem.stat(path);
  if (status === undefined) return undefined;
  const bytes = await readCacheFile(fileSystem, path);
  await fileSystem.unlink(path);
  await fileSystem.syncDirectory(directory);
  return bytes === undefined ? undefined : decoded(bytes, status.identity);
}

/** Says that all stores but these are on the disk. Nothing is synced: if it is lost, the next start is as after a crash. */
export async function leaveCleanEnd(
  fileSystem: FileSystem,
  temporaryDirectory: string,
  uncertain: Iterable<string>,
): Promise<void> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  for (const path of [temporaryDirectory, directory]) {
    await fileSystem.makeDirectory(path).catch((error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    });
  }
  const path = `${directory}/${FILE}`;
  const file = await fileSystem.open(path, "create");
  try {
    const { identity = "" } = (await fileSystem.stat(path)) ?? {};
    await file.write([encoded([identity, ...uncertain])], 0);
  } finally {
    await file.close();
  }
}

/** A checksum of eight hexadecimal digits, then a line with which file it is, then a line a name. */
function encoded(all: readonly string[]): Buffer {
  const lines = all.map((each) => `\n${each}`).join("");
  return Buffer.from(`${checksumOf(lines)}${lines}`);
}

/** Undefined for what a power cut left of it, and for a copy. */
function decoded(bytes: Uint8Array, identity: string): readonly string[] | undefined {
  const text = Buffer.from(bytes).toString();
  const lines = text.slice(CHECKSUM_DIGITS);
  if (text.slice(0, CHECKSUM_DIGITS) !== checksumOf(lines)) return undefined;
  const [, itself, ...names] = lines.split("\n");
  return itself === identity ? names : undefined;
}

const CHECKSUM_DIGITS = 8;

function checksumOf(lines: string): string {
  return crc32(lines).toString(16).padStart(CHECKSUM_DIGITS, "0");
}
