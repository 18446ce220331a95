import { backgroundLane } from "../../scheduling/lanes.ts";
import { checksum } from "./checksum.ts";
import type { GraphLinks } from "./hnsw-links.ts";
import type { CodeGraphParameters } from "./hnsw-parameters.ts";

/**
 * A saved graph of links:
 *
 * ```
 *  0  magic "LDXLINKS"
 *  8  version, u32
 * 12  CRC-32 of everything from 16 on, u32
 * 16  1, u32, as the machine writes it: lists are kept as they lie in memory
 * 20  dimensions, links of a point, candidates that a point was placed among, points: u32 each
 * 36  the point where walks begin + 1; 0 for none, u32
 * 40  a point keeps no link to one that is so many times nearer to another of them, f64
 * 48  per point the content hash of its codes, f64; -1 where the vector is gone
 *     the lists of the lowest layer, point by point: their length, and room for all links, u32 each
 *     the lists of the upper layers in the same way, those of a point one after the other
 * ```
 * Numbers are little-endian but for the lists, and for the one at 16.
 */
const MAGIC = Buffer.from("LDXLINKS", "latin1");
const VERSION = 1;
const CRC_AT = 12;
const CHECKED_FROM = 16;
const HASHES_AT = 48;
/** In the place of a hash. */
const GONE = -1;

/** A graph that is to be saved. */
export interface LinksToSave {
  readonly dimensions: number;
  readonly parameters: CodeGraphParameters;
  readonly points: number;
  readonly entry: number;
  /** The content hash of a point's codes; -1 where there are none. */
  readonly hashOf: (point: number) => number;
  readonly links: GraphLinks;
}

/** @throws Error where it would be more than `bytesMax` */
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
    if (point > 0 && point % SLICE_POINTS === 0) await backgroundLane();
    view.setFloat64(HASHES_AT + point * 8, hashOf(point), true);
  }
  let at = HASHES_AT + points * 8;
  for (const [i, piece] of [...links.pieces()].entries()) {
    if (i % SLICE_PIECES === 0) await backgroundLane();
    bytes.set(piece, at);
    at += piece.length;
  }
  view.setUint32(CRC_AT, await checksum(bytes.subarray(CHECKED_FROM)), true);
  return bytes;
}

/** What a saved graph has besides the links. */
export interface SavedLinks {
  /** By point; -1 where the vector is gone. */
  readonly hashes: Float64Array;
  /** -1 for none. */
  readonly entry: number;
}

/**
 * Reads a saved graph into the empty links that `linksFor` makes for so many points; undefined if a bit of it has changed, if it was made in another
 * way or on another kind of machine, or if a link leads to where there is nothing.
 */
export async function readLinks(
  bytes: Uint8Array,
  dimensions: number,
  parameters: CodeGraphParameters,
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
    await backgroundLane();
  }
  links.makeRoom(points);
  let at = HASHES_AT + points * 8;
  if (bytes.length !== at + links.savedBytes) return undefined;
  const hashes = Float64Array.from({ length: points }, (_, point) => {
    const hash = view.getFloat64(HASHES_AT + point * 8, true);
    return Number.isSafeInteger(hash) && hash >= 0 ? hash : GONE;
  });
  for (const [i, piece] of [...links.pieces()].entries()) {
    if (i % SLICE_PIECES === 0) await backgroundLane();
    piece.set(bytes.subarray(at, at + piece.length));
    at += piece.length;
  }
  for (let from = 0; from < points; from += SLICE_POINTS) {
    await backgroundLane();
    if (!links.areSound(from, Math.min(points, from + SLICE_POINTS))) return undefined;
  }
  return { hashes, entry };
}

/** So many points at a time: about a millisecond. */
const SLICE_POINTS = 2_048;
/** Two megabytes. */
const SLICE_PIECES = 16;
