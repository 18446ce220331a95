import { checksum } from "./checksum.ts";

/**
 * The header of a saved hnswlib graph. The library's own bytes have no checksum, and damaged bytes end the process. So they are wrapped:
 *
 * ```
 *  0  magic "LDXGRAPH"
 *  8  version, u32
 * 12  CRC-32 of everything from 16 on, u32
 * 16  architecture of the machine, 8 ASCII characters padded with zeros: the library writes integers as they lie in memory
 * 24  dimensions, M, efConstruction, number of labels: u32 each
 * 40  bytes of the graph, f64
 * 48  per label the content hash of its codes, f64; -1 for a deleted label
 *     the graph as the library wrote it
 * ```
 * Numbers are little-endian.
 */
export interface GraphHeader {
  readonly architecture: string;
  readonly dimensions: number;
  readonly m: number;
  readonly efConstruction: number;
  /** By label: the content hash; {@link TOMBSTONE} for a label whose vector is deleted. */
  readonly hashes: readonly number[];
}

/** Stands in the place of a hash or a key: the label's vector is deleted. */
export const TOMBSTONE = -1;

const MAGIC = Buffer.from("LDXGRAPH", "latin1");
const VERSION = 1;
const CRC_AT = 12;
const CHECKED_FROM = 16;
const ARCHITECTURE_BYTES = 8;
const HASHES_AT = 48;

/** Length of the header in bytes, hashes included. */
export function headerBytes(labels: number): number {
  return HASHES_AT + labels * 8;
}

/** Writes the header into `bytes` before the graph, the CRC-32 last. `bytes` is complete then. */
export async function fillHeader(bytes: Uint8Array, header: GraphHeader): Promise<void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  bytes.set(Buffer.from(header.architecture.padEnd(ARCHITECTURE_BYTES, "\0"), "latin1").subarray(0, 8), 16);
  view.setUint32(24, header.dimensions, true);
  view.setUint32(28, header.m, true);
  view.setUint32(32, header.efConstruction, true);
  view.setUint32(36, header.hashes.length, true);
  view.setFloat64(40, bytes.length - headerBytes(header.hashes.length), true);
  for (const [label, hash] of header.hashes.entries()) view.setFloat64(HASHES_AT + label * 8, hash, true);
  view.setUint32(CRC_AT, await checksum(bytes.subarray(CHECKED_FROM)), true);
}

/** Reads a saved graph; undefined if the bytes are damaged or of another version. */
export async function readGraph(
  bytes: Uint8Array,
): Promise<{ readonly header: GraphHeader; readonly graph: Uint8Array } | undefined> {
  if (bytes.length < HASHES_AT || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const labels = view.getUint32(36, true);
  if (view.getUint32(8, true) !== VERSION) return undefined;
  if (bytes.length !== headerBytes(labels) + view.getFloat64(40, true)) return undefined;
  if (view.getUint32(CRC_AT, true) !== (await checksum(bytes.subarray(CHECKED_FROM)))) return undefined;
  const graph = bytes.subarray(headerBytes(labels));
  const header: GraphHeader = {
    architecture: textBeforeZero(bytes.subarray(16, 24)),
    dimensions: view.getUint32(24, true),
    m: view.getUint32(28, true),
    efConstruction: view.getUint32(32, true),
    hashes: Array.from({ length: labels }, (_, label) => view.getFloat64(HASHES_AT + label * 8, true)),
  };
  return { header, graph };
}

/**
 * Whether the library wrote its file to the end: it does not notice a full disk. The file of hnswlib has this layout:
 *
 * ```text
 *  0  header of 96 bytes: the number of points at 16, bytes a point at 24, both u64
 * 96  all points
 *     per point its upper links, after their length in bytes, u32
 * ```
 */
export function isWhole(graph: Uint8Array, points: number): boolean {
  if (graph.length < LIBRARY_HEADER_BYTES) return false;
  const view = new DataView(graph.buffer, graph.byteOffset, graph.byteLength);
  if (view.getBigUint64(16, true) !== BigInt(points)) return false;
  let at = LIBRARY_HEADER_BYTES + points * Number(view.getBigUint64(24, true));
  for (let point = 0; point < points; point++) {
    if (at + 4 > graph.length) return false;
    at += 4 + view.getUint32(at, true);
  }
  return at === graph.length;
}

const LIBRARY_HEADER_BYTES = 96;

/** The text before the first zero byte: shorter texts are padded with zeros. */
function textBeforeZero(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString("latin1");
}
