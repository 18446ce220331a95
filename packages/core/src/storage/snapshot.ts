/**
 * Snapshots on disk. A snapshot is written in this order, each step durable before the next:
 *
 *     sections under temporary names → their real names → the manifest under a temporary name → its real name
 *
 * A snapshot exists from the moment its manifest has its name. Only then superfluous files are deleted. The previous
 * snapshot is kept, together with the log after it.
 */

import { crc32 } from "node:zlib";
import { isDerivedSection } from "../model/derived-sections.ts";
import { LoredexError } from "../model/errors.ts";
import { SECTION_BYTES_MAX } from "../model/limits.ts";
import { systemCodeOf } from "./disk-errors.ts";
import type { FileSystem } from "./file-system.ts";
import { decodeManifest, encodeManifest, MANIFEST_BYTES_MAX, type ManifestSection } from "./manifest.ts";
import { misuse } from "./port-rules.ts";
import type { DroppedSection, LoadedSection, LoadedSnapshot, SnapshotSection } from "./store.ts";
import {
  deleteLeftovers,
  manifestFile,
  SECTION_NAME,
  SECTION_NAME_CHARACTERS_MAX,
  sectionFile,
} from "./store-files.ts";

const READ_BYTES = 4_194_304;
const WRITE_BYTES = 1_048_576;

/** The place of a store's snapshots. */
export interface SnapshotPlace {
  /** With errors as `withDiskErrors` makes them. */
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly storeId: Uint8Array;
}

/** A whole snapshot on disk. */
export interface Generation {
  readonly generation: number;
  readonly sequence: number;
  /** Bytes of its sections and its manifest. */
  readonly bytes: number;
  /** Names of its section files. */
  readonly sections: readonly string[];
}

/** A snapshot that has just been written. */
export interface WrittenGeneration extends Generation {
  /** Names of derived sections that were too long. */
  readonly leftOut: readonly string[];
}

/** The result of loading a generation. */
export type LoadedGeneration =
  | { readonly kind: "good"; readonly snapshot: LoadedSnapshot; readonly generation: Generation }
  | ({ readonly kind: "damaged" } & Damage);

/** The damage of a file. */
export interface Damage {
  readonly reason: string;
  /** The disk's error, if it could not read the file. The contents may be whole. */
  readonly unreadable?: LoredexError;
  /** The file does not exist. */
  readonly isMissing?: true;
}

/** Throws unless the names and versions of sections are valid, and the names unique. */
export function checkSections(sections: readonly SnapshotSection[]): void {
  const names = new Set(sections.map((section) => section.name));
  if (names.size < sections.length) throw misuse("Two sections of the snapshot have the same name.");
  for (const { name, version } of sections) {
    if (!SECTION_NAME.test(name) || name.length > SECTION_NAME_CHARACTERS_MAX) {
      throw misuse(`"${name}" cannot be a section: use lower-case letters and dashes.`);
    }
    if (!Number.isInteger(version) || version < 0 || version > 0xffff_ffff) {
      throw misuse(`The version of section "${name}" must be an integer from 0 to 4294967295.`);
    }
  }
}

/** Writes a snapshot as generation `generation`. If it fails, it leaves no file, or none that a recovery would use. */
export async function writeGeneration(
  place: SnapshotPlace,
  generation: number,
  sequence: number,
  sections: readonly SnapshotSection[],
  sectionBytesMax = SECTION_BYTES_MAX,
): Promise<WrittenGeneration> {
  const { fileSystem, directory, storeId } = place;
  const manifestName = manifestFile(generation);
  const names = sections.map((section) => sectionFile(generation, section.name));
  try {
    const written: ManifestSection[] = [];
    const leftOut: string[] = [];
    for (const { name, version, chunks, isDerived = false } of sections) {
      const file = sectionFile(generation, name);
      const found = await writeFile(place, file, chunks, sectionBytesMax);
      if (found !== undefined) written.push({ name, version, ...found });
      else if (isDerived) leftOut.push(name);
      else throw misuse(`${file} is longer than ${sectionBytesMax} bytes: no snapshot can be written any more.`);
    }
    if (sections.length > 0) await fileSystem.syncDirectory(directory);
    const manifest = encodeManifest({ storeId, sequence, sections: written });
    await writeFile(place, manifestName, [manifest], SECTION_BYTES_MAX);
    await fileSystem.syncDirectory(directory);
    const bytes = written.reduce((sum, section) => sum + section.bytes, manifest.length);
    const files = written.map(({ name }) => sectionFile(generation, name));
    return { generation, sequence, bytes, sections: files, leftOut };
  } catch (error) {
    await deleteGeneration(place, generation, names).catch(() => undefined);
    throw error;
  }
}

/** Writes one file, atomically. Undefined if the chunks exceed `bytesMax`: no file is left then, but all chunks have been pulled, since others may follow. */
async function writeFile(
  { fileSystem, directory }: SnapshotPlace,
  name: string,
  chunks: SnapshotSection["chunks"],
  bytesMax: number,
): Promise<{ bytes: number; checksum: number } | undefined> {
  const path = `${directory}/${name}`;
  const file = await fileSystem.open(`${path}.tmp`, "create");
  let bytes = 0;
  let checksum = 0;
  let isTooLong = false;
  try {
    for await (const chunk of chunks) {
      isTooLong ||= bytes + chunk.length > bytesMax;
      if (isTooLong) continue;
      // In slices, since the checksum of a large chunk takes long. Empty slices are skipped: Node.js would forget the checksum so far.
      for (let at = 0; at < chunk.length; at += WRITE_BYTES) {
        const piece = chunk.subarray(at, at + WRITE_BYTES);
        checksum = crc32(piece, checksum);
        await file.write([piece], bytes);
        bytes += piece.length;
      }
    }
    if (!isTooLong) await file.sync();
  } finally {
    await file.close();
  }
  if (isTooLong) {
    await fileSystem.unlink(`${path}.tmp`);
    return undefined;
  }
  await fileSystem.rename(`${path}.tmp`, path);
  return { bytes, checksum };
}

/** Deletes a generation: the manifest first and durably, since a manifest without its sections would look like damage. */
export async function deleteGeneration(
  { fileSystem, directory }: SnapshotPlace,
  generation: number,
  sections: readonly string[],
): Promise<void> {
  const manifest = manifestFile(generation);
  await deleteLeftovers(fileSystem, directory, [`${manifest}.tmp`]);
  if ((await fileSystem.stat(`${directory}/${manifest}`)) !== undefined) {
    await fileSystem.unlink(`${directory}/${manifest}`);
    await fileSystem.syncDirectory(directory);
  }
  await deleteLeftovers(fileSystem, directory, [...sections.map((name) => `${name}.tmp`), ...sections]);
}

/**
 * Reads and verifies all of a generation. Damaged derived sections are left out. Throws `UNSUPPORTED_FORMAT` if a newer version wrote it.
 * @param expect called with the bytes of its sections before they are read; if it throws, the reading ends with that error
 */
export async function loadGeneration(
  place: SnapshotPlace,
  generation: number,
  expect?: (bytes: number) => void,
): Promise<LoadedGeneration> {
  const name = manifestFile(generation);
  const found = await readFile(place, name, MANIFEST_BYTES_MAX);
  if (!("bytes" in found)) return { kind: "damaged", ...found };
  const { bytes } = found;
  const decoded = decodeManifest(bytes);
  if (decoded.kind === "damaged") return { kind: "damaged", reason: `${name}: ${decoded.reason}` };
  if (decoded.kind === "unsupported") {
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `${place.directory}/${name} has format version ${decoded.version}: it was written by a newer Loredex. Open it with that one.`,
    );
  }
  const { manifest } = decoded;
  if (Buffer.compare(manifest.storeId, place.storeId) !== 0) {
    return { kind: "damaged", reason: `${name}: it belongs to another store` };
  }
  expect?.(manifest.sections.reduce((sum, section) => sum + section.bytes, 0));
  const sections = new Map<string, LoadedSection>();
  const dropped: DroppedSection[] = [];
  let totalBytes = bytes.length;
  for (const section of manifest.sections) {
    const loaded = await loadSection(place, sectionFile(generation, section.name), section);
    totalBytes += section.bytes;
    if (Buffer.isBuffer(loaded))
      sections.set(section.name, { name: section.name, version: section.version, bytes: loaded });
    else if (isDerivedSection(section.name)) dropped.push(droppedSection(section.name, loaded));
    else return { kind: "damaged", ...loaded };
  }
  const names = manifest.sections.map((section) => sectionFile(generation, section.name));
  return {
    kind: "good",
    snapshot: { sequence: manifest.sequence, sections, ...(dropped.length > 0 ? { dropped } : {}) },
    generation: { generation, sequence: manifest.sequence, bytes: totalBytes, sections: names },
  };
}

function droppedSection(name: string, { reason, isMissing }: Damage): DroppedSection {
  return { name, reason, ...(isMissing === true ? { isMissing } : {}) };
}

/** Describes a generation by its manifest, without reading its sections. Undefined if the manifest cannot be read. */
export async function describeGeneration(place: SnapshotPlace, generation: number): Promise<Generation | undefined> {
  const found = await readFile(place, manifestFile(generation), MANIFEST_BYTES_MAX);
  if (!("bytes" in found)) return undefined;
  const decoded = decodeManifest(found.bytes);
  if (decoded.kind !== "manifest" || Buffer.compare(decoded.manifest.storeId, place.storeId) !== 0) return undefined;
  const { sequence, sections } = decoded.manifest;
  const bytes = sections.reduce((sum, section) => sum + section.bytes, found.bytes.length);
  return { generation, sequence, bytes, sections: sections.map(({ name }) => sectionFile(generation, name)) };
}

async function loadSection(place: SnapshotPlace, name: string, section: ManifestSection): Promise<Buffer | Damage> {
  const found = await readFile(place, name, section.bytes);
  if (!("bytes" in found)) return found;
  const { bytes, checksum } = found;
  if (bytes.length !== section.bytes) {
    return { reason: `${name}: it has ${bytes.length} bytes instead of ${section.bytes}` };
  }
  return checksum === section.checksum ? bytes : { reason: `${name}: its checksum is wrong` };
}

/** Reads a file's bytes with their CRC-32, or returns its damage: missing, unreadable, or longer than expected. */
async function readFile(
  { fileSystem, directory }: SnapshotPlace,
  name: string,
  bytesMax: number,
): Promise<{ readonly bytes: Buffer; readonly checksum: number } | Damage> {
  try {
    const file = await fileSystem.open(`${directory}/${name}`, "read");
    try {
      const size = await file.size();
      if (size > Math.min(bytesMax, SECTION_BYTES_MAX)) return { reason: `${name}: it has ${size} bytes, too many` };
      const bytes = Buffer.allocUnsafeSlow(size);
      let checksum = 0;
      // In slices, so that other bots are served between them.
      for (let at = 0; at < size; at += READ_BYTES) {
        const piece = bytes.subarray(at, Math.min(at + READ_BYTES, size));
        if ((await file.read(piece, at)) < piece.length)
          return { reason: `${name}: it became shorter while it was read` };
        checksum = crc32(piece, checksum);
      }
      return { bytes, checksum };
    } finally {
      await file.close();
    }
  } catch (error) {
    // A lost file or a bad sector is damage, and an older snapshot may replace it. Any other error may pass, so it is thrown.
    const code = systemCodeOf(error);
    if (code === "ENOENT") return { reason: `${name}: it is missing`, isMissing: true };
    if (code !== "EIO" || !(error instanceof LoredexError)) throw error;
    return { reason: `${name}: the disk cannot read it`, unreadable: error };
  }
}
