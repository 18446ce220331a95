/**
 * The clean-end files: they tell the next start that all stores but the named ones are synced to the last byte.
 * Opening a synced store rewrites no bytes and waits for no sync. Each file holds its own identity, so that it is not believed in a
 * copy, which may be unsynced. It lies in a directory that every version empties at its start, so that it never outlives the next run.
 */

import { crc32 } from "node:zlib";
import { readCacheFile } from "./cache-file.ts";
import { systemCodeOf } from "./disk-errors.ts";
import type { FileSystem } from "./file-system.ts";

const DIRECTORY = "clean-end";
const FILE = "stores";
/** A separate file: an earlier version reads each line of the other file as the name of a store. */
const LENGTHS_FILE = "lengths";

/** The length of a log. */
export interface LogLength {
  /** First record of its last segment. */
  readonly firstSequence: number;
  /** All bytes of that segment. */
  readonly bytes: number;
}

/** The facts that a clean end leaves. */
export interface CleanEnd {
  /** Names of stores that may have unsynced bytes. */
  readonly uncertain: readonly string[];
  /** Known lengths of logs, by store. No crash makes a log shorter than that. */
  readonly lengths: ReadonlyMap<string, LogLength>;
}

/** Reads the facts of the last end; undefined if it was not clean. Changes nothing. */
export async function readCleanEnd(fileSystem: FileSystem, temporaryDirectory: string): Promise<CleanEnd | undefined> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  const uncertain = await readLines(fileSystem, `${directory}/${FILE}`);
  if (uncertain === undefined) return undefined;
  const lengths = await readLines(fileSystem, `${directory}/${LENGTHS_FILE}`);
  return { uncertain, lengths: new Map((lengths ?? []).map(lengthOf)) };
}

/**
 * Reads the facts of the last end, and durably deletes their file, which would be believed after a later crash.
 * @throws the disk's error if it cannot be deleted
 */
export async function takeCleanEnd(fileSystem: FileSystem, temporaryDirectory: string): Promise<CleanEnd | undefined> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  const path = `${directory}/${FILE}`;
  if ((await fileSystem.stat(path)) === undefined) return undefined;
  const end = await readCleanEnd(fileSystem, temporaryDirectory);
  // Without this file the other one means nothing. It is deleted with all temporary files.
  await fileSystem.unlink(path);
  await fileSystem.syncDirectory(directory);
  return end;
}

/** Writes the facts of a clean end. They are not synced: if they are lost, the next start is as after a crash. */
export async function leaveCleanEnd(
  fileSystem: FileSystem,
  temporaryDirectory: string,
  { uncertain, lengths }: { readonly uncertain: Iterable<string>; readonly lengths: ReadonlyMap<string, LogLength> },
): Promise<void> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  for (const path of [temporaryDirectory, directory]) {
    await fileSystem.makeDirectory(path).catch((error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    });
  }
  const lines = [...lengths].map(([name, { firstSequence, bytes }]) => `${name} ${firstSequence} ${bytes}`);
  await writeLines(fileSystem, `${directory}/${LENGTHS_FILE}`, lines);
  await writeLines(fileSystem, `${directory}/${FILE}`, [...uncertain]);
}

function lengthOf(line: string): [string, LogLength] {
  const [name = "", firstSequence, bytes] = line.split(" ");
  return [name, { firstSequence: Number(firstSequence), bytes: Number(bytes) }];
}

async function readLines(fileSystem: FileSystem, path: string): Promise<readonly string[] | undefined> {
  const status = await fileSystem.stat(path);
  if (status === undefined) return undefined;
  const bytes = await readCacheFile(fileSystem, path);
  return bytes === undefined ? undefined : decoded(bytes, status.identity);
}

async function writeLines(fileSystem: FileSystem, path: string, lines: readonly string[]): Promise<void> {
  const file = await fileSystem.open(path, "create");
  try {
    const { identity = "" } = (await fileSystem.stat(path)) ?? {};
    await file.write([encoded([identity, ...lines])], 0);
  } finally {
    await file.close();
  }
}

/** Encodes lines, the first of which is the file's identity, behind a checksum of eight hexadecimal digits. */
function encoded(all: readonly string[]): Buffer {
  const lines = all.map((each) => `\n${each}`).join("");
  return Buffer.from(`${checksumOf(lines)}${lines}`);
}

/** Decodes the lines. Undefined if a power cut damaged them, and in a copy of the file. */
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

/** The reason for damage of a segment that is shorter than at the last clean end. */
export function cutOff(bytes: number): string {
  return `it had ${bytes} bytes when its log was closed, and the last of them are missing or damaged`;
}
