import { scheduler } from "../../scheduling/scheduler.ts";
import { checksum } from "./checksum.ts";
import type { GraphLinks } from "./hnsw-links.ts";
import type { HnswParameters } from "./hnsw-parameters.ts";

/**
 * The file format of a saved HNSW graph:
 *
 * ```
 *  0  magic "LDXLINKS"
 *  8  version, u32
 * 12  CRC-32 of everything from 16 on, u32
 * 16  1, u32, as the machine writes it: lists are kept as they lie in memory
 * 20  dimensions, links of a point, candidates that a point was placed among, points: u32 each
 * 36  the entry point of walks + 1; 0 for none, u32
 * 40  the detour factor of the links, f64
 * 48  per point the content hash of its codes, f64; -1 where the vector is deleted
 *     the lists of the lowest layer, point by point: their length, then space for the most links, u32 each
 *     the lists of the upper layers in the same way, those of a point one after the other
 * ```
 * Numbers are little-endian, except the lists and the number at 16, which are in the machine's byte order.
 */
const MAGIC = Buffer.from("LDXLINKS", "latin1");
const VERSION = 1;
const CRC_AT = 12;
const CHECKED_FROM = 16;
const HASHES_AT = 48;
/** Stands in the place of a hash: the vector is deleted. */
const GONE = -1;

/** The data of a graph that is to be saved. */
export interface LinksToSave {
  readonly dimensions: number;
  readonly parameters: HnswParameters;
  readonly points: number;
  readonly entry: number;
  /** The content hash of a point's codes; -1 where the point has none. */
  readonly hashOf: (point: number) => number;
  readonly links: GraphLinks;
}

/**
 * Writes a graph as bytes, in time slices.
 * @throws Error for a graph of more than `bytesMax` bytes
 */
export async function writeLinks(graph: LinksToSave, bytesMax: number): Promise<Uint8Array> {
  const { dimensions, parameters, points, entry, hashOf, links } = graph;
  const length = HASHES_AT + points * 8 + links.savedBytes;
  if (length > bytesMax) {
    throw new Error(`A graph of more than ${bytesMax} bytes is not saved; every start builds it again.`);
  }
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(8, VERSION, true);
  new Uint32Array(bytes.buffer, 16, 1)[0] = 1;
  view.setUint32(20, dimensions, true);
  view.setUint32(24, parameters.m, true);
  view.setUint32(28, parameters.efConstruction, true);
  view.setUint32(32, points, true);
  view.setUint32(36, entry + 1, true);
  view.setFloat64(40, parameters.detour, true);
  for (let point = 0; point < points; point++) {
    if (point > 0 && point % SLICE_POINTS === 0) await scheduler.background();
    view.setFloat64(HASHES_AT + point * 8, hashOf(point), true);
  }
  let at = HASHES_AT + points * 8;
  for (const [i, piece] of [...links.pieces()].entries()) {
    if (i % SLICE_PIECES === 0) await scheduler.background();
    bytes.set(piece, at);
    at += piece.length;
  }
  view.setUint32(CRC_AT, await checksum(bytes.subarray(CHECKED_FROM)), true);
  return bytes;
}

/** The data of a saved graph besides its links. */
export interface SavedLinks {
  /** By point: the content hash; -1 where the vector is deleted. */
  readonly hashes: Float64Array;
  /** The entry point of walks; -1 for none. */
  readonly entry: number;
}

/**
 * Reads a saved graph into the empty links that `linksFor` makes for its number of points, in time slices. Undefined if the bytes are damaged or a link
 * leads to no point. Undefined also if the graph was made with other parameters or in another byte order.
 */
export async function readLinks(
  bytes: Uint8Array,
  dimensions: number,
  parameters: HnswParameters,
  linksFor: (points: number) => GraphLinks,
): Promise<SavedLinks | undefined> {
  if (bytes.length < HASHES_AT || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isOurs =
    view.getUint32(8, true) === VERSION &&
    new Uint32Array(bytes.slice(16, 20).buffer)[0] === 1 &&
    view.getUint32(20, true) === dimensions &&
    view.getUint32(24, true) === parameters.m &&
    view.getUint32(28, true) === parameters.efConstruction &&
    view.getFloat64(40, true) === parameters.detour;
  const [points, entry] = [view.getUint32(32, true), view.getUint32(36, true) - 1];
  const fewest = HASHES_AT + points * (8 + (parameters.m * 2 + 1) * 4);
  if (!isOurs || bytes.length < fewest || entry >= points) return undefined;
  if (view.getUint32(CRC_AT, true) !== (await checksum(bytes.subarray(CHECKED_FROM)))) return undefined;
  const links = linksFor(points);
  for (let end = Math.min(points, SLICE_POINTS); end < points; end = Math.min(points, end + SLICE_POINTS)) {
    links.makeRoom(end);
    await scheduler.background();
  }
  links.makeRoom(points);
  let at = HASHES_AT + points * 8;
  if (bytes.length !== at + links.savedBytes) return undefined;
  const hashes = Float64Array.from({ length: points }, (_, point) => {
    const hash = view.getFloat64(HASHES_AT + point * 8, true);
    return Number.isSafeInteger(hash) && hash >= 0 ? hash : GONE;
  });
  for (const [i, piece] of [...links.pieces()].entries()) {
    if (i % SLICE_PIECES === 0) await scheduler.background();
    piece.set(bytes.subarray(at, at + piece.length));
    at += piece.length;
  }
  for (let from = 0; from < points; from += SLICE_POINTS) {
    await scheduler.background();
    if (!links.areSound(from, Math.min(points, from + SLICE_POINTS))) return undefined;
  }
  return { hashes, entry };
}

/** Number of points that are handled between two yields: about a millisecond. */
const SLICE_POINTS = 2_048;
/** Number of pieces that are copied between two yields: two megabytes. */
const SLICE_PIECES = 16;
