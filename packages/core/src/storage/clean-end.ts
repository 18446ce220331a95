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
/** A separate file: an earlier version takes each line of the other one for the name of a store. */
const LENGTHS_FILE = "lengths";

/** Where a log ended. */
export interface LogLength {
  /** First record of its last segment. */
  readonly firstSequence: number;
  /** All bytes of that segment. */
  readonly bytes: number;
}

/** What a clean end says. */
export interface CleanEnd {
  /** The stores that it was not sure of. */
  readonly uncertain: readonly string[];
  /** How long the logs of stores were, as far as it is known. A log that is shorter now was cut by no crash. */
  readonly lengths: ReadonlyMap<string, LogLength>;
}

/** What the last end says; undefined where it was not a clean one. Changes nothing. */
export async function readCleanEnd(fileSystem: FileSystem, temporaryDirectory: string): Promise<CleanEnd | undefined> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  const uncertain = await readLines(fileSystem, `${directory}/${FILE}`);
  if (uncertain === undefined) return undefined;
  const lengths = await readLines(fileSystem, `${directory}/${LENGTHS_FILE}`);
  return { uncertain, lengths: new Map((lengths ?? []).map(lengthOf)) };
}

/**
 * The same, and deletes the files that said so, durably.
 * @throws what the disk says where it cannot be deleted: it would be believed after a crash
 */
export async function takeCleanEnd(fileSystem: FileSystem, temporaryDirectory: string): Promise<CleanEnd | undefined> {
  const directory = `${temporaryDirectory}/${DIRECTORY}`;
  const path = `${directory}/${FILE}`;
  if ((await fileSystem.stat(path)) === undefined) return undefined;
  const end = await readCleanEnd(fileSystem, temporaryDirectory);
  // Without this file the other one means nothing; that one is deleted with all temporary files.
  await fileSystem.unlink(path);
  await fileSystem.syncDirectory(directory);
  return end;
}

/** Says that all stores but the uncertain ones are on the disk, and how long logs are. Nothing is synced: if it is lost, the next start is as after a crash. */
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

/** A checksum of eight hexadecimal digits, then a line that names the kind of file, then one line for each entry. */
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

/** Why a segment is damaged that is shorter than at the last clean end. */
export function cutOff(bytes: number): string {
  return `it had ${bytes} bytes when its log was closed, and the last of them are missing or damaged`;
}
