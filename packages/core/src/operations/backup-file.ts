/**
 * The bytes of a backup: one bot in one file, written and read from front to back. All numbers are little-endian.
 *
 *     header                                       each section, in the order of the description
 *       0   8  magic "LDXBACKU"                      0   4  bytes of the frame, 1 to 1,048,576
 *       8   4  format version, 1                     4   n  that many bytes of the section
 *      12   4  bytes of the description, n           ... more frames ...
 *      16   n  description, canonical JSON               4  zero: the section ends
 *    16+n   4  CRC-32 of all bytes before           end
 *                                                    0   8  magic "LDXBKEND"
 *                                                    8  32  SHA-256 of all bytes before, this magic included
 *
 * Every format version keeps magic, version, length and CRC of the header, so that a newer file can be told from a
 * damaged one. Nothing follows the end.
 */

import { createHash, type Hash } from "node:crypto";
import { crc32 } from "node:zlib";
import stableStringify from "fast-json-stable-stringify";
import { LoredexError } from "../model/errors.ts";
import type { FirstSnapshot, SnapshotSection } from "../storage/store.ts";

const BACKUP_FORMAT_VERSION = 1;

const MAGIC = Buffer.from("LDXBACKU", "latin1");
const END_MAGIC = Buffer.from("LDXBKEND", "latin1");
const FIXED_BYTES = 16;
const DIGEST_BYTES = 32;
/** Checked before anything is allocated. */
const DESCRIPTION_BYTES_MAX = 1_048_576;
const FRAME_BYTES_MAX = 1_048_576;

/** A backup that is being read. Its sections must be read to their ends, in order. Only then the whole backup is verified. */
export interface OpenBackup extends FirstSnapshot {
  /** The description that the writer gave. */
  readonly about: unknown;
  /** Releases the source. Must be called, also after an error. */
  close(): Promise<void>;
}

interface Description {
  readonly about: unknown;
  readonly sequence: number;
  readonly sections: readonly { readonly name: string; readonly version: number }[];
}

/** Encodes a backup. Its sections are pulled as the bytes are read. */
export async function* encodeBackup(about: object, { sequence, sections }: FirstSnapshot): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of unsigned(about, sequence, sections)) {
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

async function* unsigned(
  about: object,
  sequence: number,
  sections: readonly SnapshotSection[],
): AsyncGenerator<Uint8Array> {
  const named = sections.map(({ name, version }) => ({ name, version }));
  const description = Buffer.from(stableStringify({ about, sequence, sections: named }));
  const header = Buffer.alloc(FIXED_BYTES + description.length + 4);
  MAGIC.copy(header, 0);
  header.writeUInt32LE(BACKUP_FORMAT_VERSION, 8);
  header.writeUInt32LE(description.length, 12);
  description.copy(header, FIXED_BYTES);
  header.writeUInt32LE(crc32(header.subarray(0, -4)), header.length - 4);
  yield header;
  for (const { chunks } of sections) {
    for await (const chunk of chunks) yield* frames(chunk);
    yield Buffer.alloc(4);
  }
  yield END_MAGIC;
}

function* frames(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += FRAME_BYTES_MAX) {
    const part = chunk.subarray(at, at + FRAME_BYTES_MAX);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(part.length);
    yield length;
    yield part;
  }
}

/**
 * Opens a backup: reads its header, and leaves its sections to the caller.
 * @throws LoredexError `CORRUPT` if it is cut off or was changed, here or while its sections are read; `UNSUPPORTED_FORMAT`
 */
export async function openBackup(source: AsyncIterable<Uint8Array>): Promise<OpenBackup> {
  const reader = new BackupReader(source);
  let header: Description;
  try {
    header = await readHeader(reader);
    if (header.sections.length === 0) await readEnd(reader);
  } catch (error) {
    await reader.close();
    throw error;
  }
  const { about, sequence, sections } = header;
  const last = sections.length - 1;
  return {
    about,
    sequence,
    close: () => reader.close(),
    sections: sections.map(({ name, version }, index) => {
      return { name, version, chunks: readSection(reader, index, index === last) };
    }),
  };
}

/** Reads a whole backup and keeps nothing. Resolves with the bytes of the counted sections. @throws LoredexError as {@link openBackup} */
export async function readThrough(
  { sections }: OpenBackup,
  isCounted: (section: SnapshotSection) => boolean,
): Promise<number> {
  let bytes = 0;
  for (const section of sections)
    for await (const { length } of section.chunks) if (isCounted(section)) bytes += length;
  return bytes;
}

async function readHeader(reader: BackupReader): Promise<Description> {
  const fixed = await reader.take(FIXED_BYTES);
  if (!fixed.subarray(0, 8).equals(MAGIC)) throw reader.damaged("it does not begin as a backup");
  const length = fixed.readUInt32LE(12);
  if (length > DESCRIPTION_BYTES_MAX) throw reader.damaged("its header is too long");
  const description = await reader.take(length);
  const checksum = (await reader.take(4)).readUInt32LE(0);
  if (checksum !== crc32(description, crc32(fixed))) throw reader.damaged("the checksum of its header is wrong");
  const version = fixed.readUInt32LE(8);
  if (version !== BACKUP_FORMAT_VERSION) {
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `The backup has format version ${version}: it was written by a newer Loredex. Restore it with that one.`,
    );
  }
  const read = parseDescription(description.toString("utf8"));
  if (read === undefined) throw reader.damaged("its header says nothing that could be read");
  return read;
}

function parseDescription(json: string): Description | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  // Boundary: the fields are checked one by one; storage checks names and versions of sections.
  const { about, sequence, sections } = value as Record<string, unknown>;
  if (!Number.isSafeInteger(sequence) || !Array.isArray(sections)) return undefined;
  const isSection = (item: unknown): item is Description["sections"][number] =>
    typeof item === "object" &&
    item !== null &&
    "name" in item &&
    typeof item.name === "string" &&
    "version" in item &&
    typeof item.version === "number";
  return sections.every(isSection) ? { about, sequence: Number(sequence), sections } : undefined;
}

async function* readSection(reader: BackupReader, index: number, isLast: boolean): AsyncGenerator<Uint8Array> {
  if (reader.section !== index) throw new RangeError("Sections of a backup are read in order.");
  for (;;) {
    const length = (await reader.take(4)).readUInt32LE(0);
    if (length === 0) break;
    if (length > FRAME_BYTES_MAX) throw reader.damaged("a frame is too long");
    yield await reader.take(length);
  }
  reader.section += 1;
  // A caller may trust a section that it read to its end. The end of the last one verifies them all.
  if (isLast) await readEnd(reader);
}

async function readEnd(reader: BackupReader): Promise<void> {
  const magic = await reader.take(END_MAGIC.length);
  if (!magic.equals(END_MAGIC)) throw reader.damaged("its end is not where it should be");
  const digest = reader.digest();
  if (!(await reader.take(DIGEST_BYTES)).equals(digest)) throw reader.damaged("its SHA-256 is wrong: it was changed");
  if (!(await reader.isAtEnd())) throw reader.damaged("something follows its end");
}

/** Reads given numbers of bytes from a stream, and hashes them. */
class BackupReader {
  /** Index of the next section. */
  section = 0;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #hash: Hash = createHash("sha256");
  #piece: Uint8Array = new Uint8Array();
  #position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Takes exactly `count` bytes, which stay valid. */
  async take(count: number): Promise<Buffer> {
    const taken: Uint8Array[] = [];
    for (let missing = count; missing > 0; ) {
      if (this.#piece.length === 0 && !(await this.#next())) throw this.damaged("it is cut off");
      const part = this.#piece.subarray(0, missing);
      this.#piece = this.#piece.subarray(part.length);
      this.#position += part.length;
      missing -= part.length;
      taken.push(part);
    }
    const bytes = Buffer.concat(taken);
    this.#hash.update(bytes);
    return bytes;
  }

  /** The SHA-256 of all bytes taken so far. */
  digest(): Buffer {
    return this.#hash.copy().digest();
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async isAtEnd(): Promise<boolean> {
    return this.#piece.length === 0 && !(await this.#next());
  }

  damaged(reason: string): LoredexError {
    return new LoredexError(
      "CORRUPT",
      `The backup is damaged before byte ${this.#position}: ${reason}. Nothing was restored; use another backup.`,
    );
  }

  async #next(): Promise<boolean> {
    while (this.#piece.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return false;
      this.#piece = value;
    }
    return true;
  }
}
