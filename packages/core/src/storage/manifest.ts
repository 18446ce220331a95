/**
 * The bytes of a snapshot's manifest: the list of its sections, with their checksums.
 * All numbers are little-endian.
 *
 *       0   8  magic "LDXMANIF"
 *       8   4  format version, 1
 *      12   4  bytes of the whole file
 *      16  16  store id
 *      32   8  sequence number of the last record that the snapshot holds
 *      40   4  number of sections
 *      44      each section: 1 length of its name · name, ASCII · 4 version · 8 bytes · 4 CRC-32 of its bytes
 *   end-4   4  CRC-32 of all bytes before
 *
 * Every format version keeps magic, version and the CRC at the end, so that a manifest of a newer version can be told
 * from a damaged one.
 */

import { crc32 } from "node:zlib";
import { readUInt64, STORE_ID_BYTES, writeUInt64 } from "./frame.ts";

const MANIFEST_FORMAT_VERSION = 1;
/** More than 16,000 sections of the longest names; checked before a manifest is read into memory. */
export const MANIFEST_BYTES_MAX = 1_048_576;

const MAGIC = Buffer.from("LDXMANIF", "latin1");
const HEADER_BYTES = 44;

/** A section in a manifest: its name, format version, length and CRC-32. */
export interface ManifestSection {
  readonly name: string;
  readonly version: number;
  readonly bytes: number;
  readonly checksum: number;
}

/** A decoded manifest. */
export interface Manifest {
  readonly storeId: Uint8Array;
  readonly sequence: number;
  readonly sections: readonly ManifestSection[];
}

/** The result of decoding a manifest. */
export type DecodedManifest =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "unsupported"; readonly version: number }
  | { readonly kind: "damaged"; readonly reason: string };

/** Encodes a manifest, with its checksum. */
export function encodeManifest(manifest: Manifest): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header, 0);
  header.writeUInt32LE(MANIFEST_FORMAT_VERSION, 8);
  header.set(manifest.storeId, 16);
  writeUInt64(header, manifest.sequence, 32);
  header.writeUInt32LE(manifest.sections.length, 40);
  const parts = [header, ...manifest.sections.map(encodeSection)];
  header.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0) + 4, 12);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(Buffer.concat(parts)));
  return Buffer.concat([...parts, checksum]);
}

function encodeSection(section: ManifestSection): Buffer {
  const name = Buffer.from(section.name, "latin1");
  const bytes = Buffer.alloc(1 + name.length + 16);
  bytes.writeUInt8(name.length, 0);
  name.copy(bytes, 1);
  bytes.writeUInt32LE(section.version, 1 + name.length);
  writeUInt64(bytes, section.bytes, 5 + name.length);
  bytes.writeUInt32LE(section.checksum, 13 + name.length);
  return bytes;
}

/** Decodes and verifies a manifest. */
export function decodeManifest(bytes: Buffer): DecodedManifest {
  if (bytes.length < HEADER_BYTES + 4 || !bytes.subarray(0, 8).equals(MAGIC)) {
    return { kind: "damaged", reason: "it does not begin as a manifest" };
  }
  const end = bytes.length - 4;
  if (bytes.readUInt32LE(end) !== crc32(bytes.subarray(0, end))) {
    return { kind: "damaged", reason: "its checksum is wrong" };
  }
  const version = bytes.readUInt32LE(8);
  if (version !== MANIFEST_FORMAT_VERSION) return { kind: "unsupported", version };
  const sections: ManifestSection[] = [];
  let at = HEADER_BYTES;
  // Bytes with a right checksum came from encodeManifest. The bounds guard against forged files.
  for (let count = bytes.readUInt32LE(40); count > 0; count -= 1) {
    const nameEnd = at + 1 + (at < end ? bytes.readUInt8(at) : 0);
    if (nameEnd + 16 > end) return { kind: "damaged", reason: "its list of sections is cut short" };
    sections.push({
      name: bytes.toString("latin1", at + 1, nameEnd),
      version: bytes.readUInt32LE(nameEnd),
      bytes: readUInt64(bytes, nameEnd + 4),
      checksum: bytes.readUInt32LE(nameEnd + 12),
    });
    at = nameEnd + 16;
  }
  if (at !== end || bytes.readUInt32LE(12) !== bytes.length) return { kind: "damaged", reason: "its length is wrong" };
  const storeId = Uint8Array.from(bytes.subarray(16, 16 + STORE_ID_BYTES));
  return { kind: "manifest", manifest: { storeId, sequence: readUInt64(bytes, 32), sections } };
}
