/** Identifies a store's log by its segment headers, before any record is read. */

import { LoredexError } from "../model/errors.ts";
import { corruptAt } from "./disk-errors.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";
import { logIdOf, type SegmentHeader, type StoreIdentity } from "./frame.ts";
import { findLaterFlush, readSegmentHeader } from "./segment-reader.ts";
import { type SegmentFile, segmentFile } from "./store-files.ts";

/** A store's directory and identity. */
export interface LogPlace {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly identity: StoreIdentity;
}

/** The files of a store's log. */
export interface LogFiles {
  readonly identity: StoreIdentity;
  /** The segments in order. The header of the newest is verified, those of older ones are not. */
  readonly segments: readonly SegmentFile[];
  /** A newest segment that a crash interrupted before its first record. */
  readonly unfinished?: SegmentFile;
}

/** Reads the identity of a log from its newest segment. Throws `CORRUPT` if it has none, or is another store's. */
export async function identifyLog(
  fileSystem: FileSystem,
  directory: string,
  name: string,
  segments: readonly SegmentFile[],
): Promise<LogFiles> {
  const newest = segments.at(-1);
  if (newest === undefined) {
    throw new LoredexError(
      "CORRUPT",
      `${directory} has no log segment, although a store is never without one. Nothing was changed; restore it from a backup.`,
    );
  }
  const decoded = await headerOf(fileSystem, directory, newest);
  if (typeof decoded !== "string") return { identity: identityOf(decoded, name, directory, newest), segments };
  const older = segments.slice(0, -1);
  const previous = older.at(-1);
  if (previous === undefined) throw corruptAt(pathOf(directory, newest), 0, newest.firstSequence, decoded);
  const header = await headerOf(fileSystem, directory, previous);
  if (typeof header === "string") throw corruptAt(pathOf(directory, previous), 0, previous.firstSequence, header);
  const identity = identityOf(header, name, directory, previous);
  await refuseRecords({ fileSystem, directory, identity }, newest, decoded);
  return { identity, segments: older, unfinished: newest };
}

function pathOf(directory: string, segment: SegmentFile): string {
  return `${directory}/${segmentFile(segment.firstSequence)}`;
}

/** A segment's header, or its damage in words. */
async function headerOf(
  fileSystem: FileSystem,
  directory: string,
  segment: SegmentFile,
): Promise<SegmentHeader | string> {
  const file = await fileSystem.open(pathOf(directory, segment), "read");
  return await decodeHeader(file, pathOf(directory, segment)).finally(() => file.close());
}

async function decodeHeader(file: OpenFile, path: string): Promise<SegmentHeader | string> {
  const decoded = await readSegmentHeader(file);
  if (decoded.kind === "header") return decoded.header;
  if (decoded.kind === "damaged") return decoded.reason;
  throw new LoredexError(
    "UNSUPPORTED_FORMAT",
    `${path} has format version ${decoded.version}: it was written by a newer Loredex. Open it with that one.`,
  );
}

function identityOf(header: SegmentHeader, name: string, directory: string, segment: SegmentFile): StoreIdentity {
  if (header.name !== name) {
    const reason = `it belongs to the store "${header.name}", not to "${name}"`;
    throw corruptAt(pathOf(directory, segment), 0, segment.firstSequence, reason);
  }
  return { id: header.id, name };
}

/** Throws `CORRUPT` if a segment with a damaged header holds a record: a crash leaves a damaged header only before the first record. */
async function refuseRecords(place: LogPlace, segment: SegmentFile, reason: string): Promise<void> {
  const path = pathOf(place.directory, segment);
  const file = await place.fileSystem.open(path, "read");
  try {
    const logId = logIdOf(place.identity.id);
    const record = await findLaterFlush(file, await file.size(), logId, 0, segment.firstSequence - 1);
    if (record !== undefined) {
      throw corruptAt(path, 0, segment.firstSequence, `${reason}, and record ${record.sequence} is in it`);
    }
  } finally {
    await file.close();
  }
}

/** Throws `CORRUPT` unless the header of an open segment matches its name and its store. Resolves with its number. */
export async function checkSegment(
  { directory, identity }: LogPlace,
  segment: SegmentFile,
  file: OpenFile,
): Promise<number> {
  const path = pathOf(directory, segment);
  const header = await decodeHeader(file, path);
  const refuse = (reason: string) => corruptAt(path, 0, segment.firstSequence, reason);
  if (typeof header === "string") throw refuse(header);
  if (header.name !== identity.name || Buffer.compare(header.id, identity.id) !== 0) {
    throw refuse(`it belongs to another store ("${header.name}")`);
  }
  if (header.firstSequence !== segment.firstSequence) {
    throw refuse(`it is the segment from record ${header.firstSequence} on`);
  }
  return header.number;
}
