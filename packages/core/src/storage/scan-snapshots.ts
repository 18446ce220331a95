/** Verifies all snapshots of a store, whole or damaged. Changes nothing. */

import { crc32 } from "node:zlib";
import { isDerivedSection } from "../model/derived-sections.ts";
import { SECTION_BYTES_MAX } from "../model/limits.ts";
import { decodeManifest, MANIFEST_BYTES_MAX, type ManifestSection } from "./manifest.ts";
import type { StorePlace } from "./recover.ts";
import type { DamagedSection, LoadedSection, StoreProblem } from "./store.ts";
import { manifestFile, type StoreListing, sectionFile, sectionOf } from "./store-files.ts";
import { isLossOfFile } from "./store-identity.ts";

const READ_BYTES = 4_194_304;
/** Unreadable ranges are skipped in units of this many bytes. */
const SECTOR_BYTES = 4_096;

/** A verified section. */
export interface WholeSection {
  readonly generation: number;
  /** Last record of its snapshot. */
  readonly sequence: number;
  readonly section: ManifestSection;
}

/** The result of verifying all snapshots of a store. */
export interface SnapshotScan {
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly StoreProblem[];
  /** Newest generation first. */
  readonly sections: readonly WholeSection[];
  /** Last records of the snapshots without damage, or with damage in derived sections only; newest first. */
  readonly wholeSequences: readonly number[];
  /** Last record of any snapshot whose manifest can be read; 0 if there is none. */
  readonly lastSequence: number;
  /** Last record of each generation whose manifest can be read. */
  readonly sequences: ReadonlyMap<number, number>;
}

/** Verifies all snapshots of a store, newest first. Without `storeId` their store ids are not compared. */
export async function scanSnapshots(
  place: StorePlace,
  listing: Pick<StoreListing, "generations">,
  storeId: Uint8Array | undefined,
): Promise<SnapshotScan> {
  const scan = { files: 0, bytes: 0, problems: [] as StoreProblem[], sections: [] as WholeSection[] };
  const wholeSequences: number[] = [];
  const sequences = new Map<number, number>();
  for (const generation of [...listing.generations].reverse()) {
    const problemsBefore = scan.problems.length;
    const sequence = await scanGeneration(place, generation, storeId, scan);
    if (sequence === undefined) continue;
    if (scan.problems.slice(problemsBefore).every(({ isDerived }) => isDerived === true)) wholeSequences.push(sequence);
    sequences.set(generation, sequence);
  }
  return { ...scan, wholeSequences, lastSequence: Math.max(0, ...sequences.values()), sequences };
}

/** The section files that are damaged, or that no manifest can verify; newest generation first. */
export function damagedSections(
  place: StorePlace,
  listing: Pick<StoreListing, "sections">,
  { sections, sequences }: SnapshotScan,
): DamagedSection[] {
  const whole = new Set(sections.map(({ generation, section }) => sectionFile(generation, section.name)));
  return [...listing.sections]
    .sort(([a], [b]) => b - a)
    .flatMap(([generation, files]) => files.map((file) => ({ file, sequence: sequences.get(generation) })))
    .filter(({ file }) => !whole.has(file))
    .map(({ file, sequence }) => ({ name: sectionOf(file), sequence, read: () => readWhatCan(place, file) }));
}

/** Reads a file as far as the disk can. Unreadable sectors are zeros. */
async function readWhatCan({ fileSystem, directory }: StorePlace, name: string): Promise<Uint8Array> {
  try {
    const file = await fileSystem.open(`${directory}/${name}`, "read");
    try {
      const bytes = Buffer.alloc(Math.min(await file.size(), SECTION_BYTES_MAX));
      for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
        const piece = bytes.subarray(at, at + SECTOR_BYTES);
        await file.read(piece, at).catch((error: unknown) => {
          if (!isLossOfFile(error)) throw error;
          piece.fill(0);
        });
      }
      return bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isLossOfFile(error)) throw error;
    return new Uint8Array(0);
  }
}

async function scanGeneration(
  place: StorePlace,
  generation: number,
  storeId: Uint8Array | undefined,
  scan: { files: number; bytes: number; problems: StoreProblem[]; sections: WholeSection[] },
): Promise<number | undefined> {
  const name = manifestFile(generation);
  const problem = (file: string, sequence: number, reason: string, isDerived = false) => {
    const what = { file: `${place.directory}/${file}`, offset: 0, sequence, reason };
    scan.problems.push(isDerived ? { ...what, isDerived } : what);
  };
  scan.files += 1;
  const read = await readFile(place, name, MANIFEST_BYTES_MAX);
  scan.bytes += read.bytes;
  const decoded =
    read.content === undefined
      ? { kind: "damaged" as const, reason: read.reason }
      : decodeManifest(Buffer.concat(read.content));
  if (decoded.kind !== "manifest") {
    const newer = "a newer Loredex wrote it";
    problem(name, 0, decoded.kind === "damaged" ? decoded.reason : newer);
    return undefined;
  }
  const { manifest } = decoded;
  const { sequence } = manifest;
  if (storeId !== undefined && Buffer.compare(manifest.storeId, storeId) !== 0) {
    problem(name, sequence, "it belongs to another store");
  }
  for (const section of manifest.sections) {
    scan.files += 1;
    const file = sectionFile(generation, section.name);
    const checked = await checkFile(place, file, section);
    scan.bytes += checked.bytes;
    if (checked.reason === undefined) scan.sections.push({ generation, sequence, section });
    else problem(file, sequence, checked.reason, isDerivedSection(section.name));
  }
  return sequence;
}

/** Reads a verified section again. Undefined if it is damaged by now. */
export async function loadWholeSection(
  place: StorePlace,
  { generation, section }: WholeSection,
): Promise<LoadedSection | undefined> {
  const read = await readFile(place, sectionFile(generation, section.name), section.bytes);
  if (read.content === undefined || read.checksum !== section.checksum) return undefined;
  return { name: section.name, version: section.version, bytes: Buffer.concat(read.content) };
}

async function checkFile(
  place: StorePlace,
  name: string,
  section: ManifestSection,
): Promise<{ readonly bytes: number; readonly reason?: string }> {
  const read = await readFile(place, name, section.bytes, false);
  if (read.content === undefined) return read;
  if (read.bytes !== section.bytes) {
    return { bytes: read.bytes, reason: `it has ${read.bytes} bytes instead of ${section.bytes}` };
  }
  if (read.checksum !== section.checksum) return { bytes: read.bytes, reason: "its checksum is wrong" };
  return { bytes: read.bytes };
}

type Read =
  | { readonly content: readonly Buffer[]; readonly bytes: number; readonly checksum: number }
  | { readonly content: undefined; readonly bytes: number; readonly reason: string };

/** Reads a file's bytes with their CRC-32. Without `keep` it holds only one slice of 4 MiB in memory, and returns no bytes. */
async function readFile(place: StorePlace, name: string, bytesMax: number, keep = true): Promise<Read> {
  let bytes = 0;
  try {
    const file = await place.fileSystem.open(`${place.directory}/${name}`, "read");
    try {
      const size = await file.size();
      if (size > bytesMax) return { content: undefined, bytes, reason: `it has ${size} bytes, too many` };
      const content: Buffer[] = [];
      let checksum = 0;
      let piece = Buffer.allocUnsafe(Math.min(READ_BYTES, size));
      while (bytes < size) {
        const part = piece.subarray(0, Math.min(piece.length, size - bytes));
        const got = await file.read(part, bytes);
        if (got < part.length) return { content: undefined, bytes, reason: "it became shorter while it was read" };
        checksum = crc32(part, checksum);
        bytes += got;
        if (!keep) continue;
        content.push(part);
        piece = Buffer.allocUnsafe(Math.min(READ_BYTES, size - bytes));
      }
      return { content, bytes, checksum };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isLossOfFile(error)) throw error;
    return { content: undefined, bytes, reason: "it is missing, or the disk cannot read it" };
  }
}
