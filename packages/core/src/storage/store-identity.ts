/** Finds the id of a damaged store by any of its files. */

import { crc32 } from "node:zlib";
import { systemCodeOf } from "./disk-errors.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";
import { decodeRecordHeader, headerChecksum, logIdOf, RECORD_HEADER_BYTES, SEGMENT_HEADER_BYTES } from "./frame.ts";
import { decodeManifest, MANIFEST_BYTES_MAX } from "./manifest.ts";
import type { StorePlace } from "./recover.ts";
import { readSegmentHeader } from "./segment-reader.ts";
import { manifestFile, type StoreListing, segmentFile } from "./store-files.ts";

const LOG_ID_BYTES = 8;

/**
 * The id of a store: from its newest segment with a whole header, else from a manifest, else from its records.
 * Records carry the first 8 bytes of the id, which are enough to read a log. Undefined if no file has it.
 */
export async function findStoreId(place: StorePlace, listing: StoreListing): Promise<Uint8Array | undefined> {
  const { fileSystem, directory, name } = place;
  const ids: Uint8Array[] = [];
  for (const { firstSequence } of [...listing.segments].reverse()) {
    const path = `${directory}/${segmentFile(firstSequence)}`;
    const decoded = await reading(fileSystem, path, readSegmentHeader);
    if (decoded?.kind !== "header") continue;
    if (decoded.header.name === name) return decoded.header.id;
    ids.push(decoded.header.id);
  }
  for (const generation of [...listing.generations].reverse()) {
    const id = await reading(fileSystem, `${directory}/${manifestFile(generation)}`, idOfManifest);
    if (id !== undefined) return id;
  }
  if (ids[0] !== undefined) return ids[0];
  for (const { firstSequence } of [...listing.segments].reverse()) {
    const id = await reading(fileSystem, `${directory}/${segmentFile(firstSequence)}`, idOfFirstRecord);
    if (id !== undefined) return id;
  }
  return undefined;
}

async function idOfManifest(file: OpenFile): Promise<Uint8Array | undefined> {
  const size = await file.size();
  if (size > MANIFEST_BYTES_MAX) return undefined;
  const bytes = Buffer.alloc(size);
  if ((await file.read(bytes, 0)) < size) return undefined;
  const decoded = decodeManifest(bytes);
  return decoded.kind === "manifest" ? decoded.manifest.storeId : undefined;
}

/** The log id of the first record, if the record is whole. The rest of the store id is zeros. */
async function idOfFirstRecord(file: OpenFile): Promise<Uint8Array | undefined> {
  const header = Buffer.alloc(RECORD_HEADER_BYTES);
  if ((await file.read(header, SEGMENT_HEADER_BYTES)) < RECORD_HEADER_BYTES) return undefined;
  const id = new Uint8Array(2 * LOG_ID_BYTES);
  id.set(header.subarray(16, 16 + LOG_ID_BYTES));
  const decoded = decodeRecordHeader(header, 0, logIdOf(id));
  if (decoded === undefined) return undefined;
  if (SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES + decoded.payloadBytes > (await file.size())) return undefined;
  const payload = Buffer.alloc(decoded.payloadBytes);
  if ((await file.read(payload, SEGMENT_HEADER_BYTES + RECORD_HEADER_BYTES)) < payload.length) return undefined;
  return crc32(payload, headerChecksum(header, 0)) === decoded.checksum ? id : undefined;
}

/** Reads from a file; undefined if it is missing or unreadable. */
async function reading<T>(
  fileSystem: FileSystem,
  path: string,
  read: (file: OpenFile) => Promise<T>,
): Promise<T | undefined> {
  try {
    const file = await fileSystem.open(path, "read");
    return await read(file).finally(() => file.close());
  } catch (error) {
    if (isLossOfFile(error)) return undefined;
    throw error;
  }
}

/** Whether an error means a missing file or bad sectors, which an inspection reports instead of failing. */
export function isLossOfFile(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === "ENOENT" || code === "EIO";
}
