import type { GraphRows, Graphs, QueryVector, VectorGraph } from "@loredex/core";
import type { HierarchicalNSW } from "hnswlib-node";
import { fillHeader, headerBytes, isWhole, readGraph, TOMBSTONE } from "./graph-bytes.ts";
import { readBehind, withTemporaryFile, write } from "./graph-files.ts";
import type { HnswlibLibrary } from "./library.ts";

/** How the library builds and searches a graph. Higher values give a higher recall and take longer. */
export interface HnswlibParameters {
  /** Links of a point in an upper layer; the lowest layer has twice as many. */
  readonly m: number;
  /** Number of candidates that a walk keeps to place a point. */
  readonly efConstruction: number;
  /** Least number of candidates that a search keeps; see {@link candidatesFor}. */
  readonly efSearch: number;
}

/** Measured on 40,000 real passages: recall@10 against the exact scan is .995, recall@64 .993; see docs/decisions. */
export const HNSWLIB_PARAMETERS: HnswlibParameters = { m: 16, efConstruction: 200, efSearch: 100 };

/**
 * Number of candidates that a search for the `k` nearest keeps. A graph misses the farthest candidates most, so there must be
 * more than `k`.
 */
function candidatesFor(k: number, { efSearch }: HnswlibParameters): number {
  return Math.max(efSearch, k * 2);
}

/** How many are offered for each that is asked for: filtered searches use the others. */
const OFFERED = 1.25;

/** The graph backend of the library hnswlib-node. */
export function hnswlibGraphs(library: HnswlibLibrary): Graphs {
  return {
    areKept: library.temporaryDirectory !== undefined,
    effort: (k) => candidatesFor(k, HNSWLIB_PARAMETERS) / HNSWLIB_PARAMETERS.efSearch,
    empty: (rows, count) => new HnswlibGraph(library, rows, HNSWLIB_PARAMETERS, count),
    load: (rows, bytes) => HnswlibGraph.load(library, rows, bytes),
  };
}

/**
 * An HNSW graph (Malkov, Yashunin 2016) of the library hnswlib-node, over rows of quantized vectors. A row is found only after
 * {@link insert}. The library keeps a float copy of each vector.
 *
 * The library knows points by labels. Every insertion gets a new label, so that no point ever moves in the graph, which would
 * cost recall. A deleted point is only marked (a tombstone); it still takes memory and time. As labels are not keys, a new key
 * changes nothing in the graph.
 */
export class HnswlibGraph implements VectorGraph {
  readonly #library: HnswlibLibrary;
  readonly #rows: GraphRows;
  readonly #parameters: HnswlibParameters;
  #graph: HierarchicalNSW;
  #capacity: number;
  #labelOfKey = new Map<number, number>();
  /** By label: its key; {@link TOMBSTONE} for tombstones. */
  #keyOfLabel: number[] = [];
  /** By label: the content hash of the codes that the graph has. */
  #hashOfLabel: number[] = [];
  /** Buffer for a vector, filled again for every call of the library, which copies it. */
  readonly #point: number[];
  /** Labels to mark as deleted as soon as the graph has been written; undefined while it is not being written. */
  #markAfterSaving: number[] | undefined;
  #isClosed = false;

  /** Makes an empty graph over `rows`. It grows for the first time after `capacity` points. */
  constructor(library: HnswlibLibrary, rows: GraphRows, parameters = HNSWLIB_PARAMETERS, capacity = SMALLEST_CAPACITY) {
    this.#library = library;
    this.#rows = rows;
    this.#parameters = parameters;
    this.#capacity = Math.max(capacity, SMALLEST_CAPACITY);
    this.#graph = new library.HierarchicalNSW("ip", rows.dimensions);
    this.#graph.initIndex(this.#capacity, parameters.m, parameters.efConstruction, SEED);
    this.#point = new Array<number>(rows.dimensions).fill(0);
  }

  get count(): number {
    return this.#labelOfKey.size;
  }
  get tombstones(): number {
    return this.#keyOfLabel.length - this.#labelOfKey.size;
  }
  get isWorn(): boolean {
    const { tombstones, count } = this;
    return tombstones >= TOMBSTONES_MIN && tombstones > (tombstones + count) * TOMBSTONE_SHARE_MAX;
  }
  get isUntidy(): boolean {
    return false;
  }
  /** Estimated memory of the graph in bytes, without the rows: the library does not tell. */
  get graphBytes(): number {
    const bytesPerPoint = this.#rows.dimensions * 4 + (this.#parameters.m * 2 + 1) * 4 + BOOKKEEPING_BYTES;
    return this.#isClosed ? 0 : this.#capacity * bytesPerPoint;
  }
  /** Whether the graph is being saved. Nothing can be inserted meanwhile. */
  get isSaving(): boolean {
    return this.#markAfterSaving !== undefined;
  }

  has(key: number): boolean {
    return this.#labelOfKey.has(key);
  }

  insert(key: number): void {
    if (this.#isClosed || this.isSaving) throw new Error("A graph that is closed or being saved takes no vectors.");
    this.forget(key);
    const codes = this.#rows.codesOf(key);
    const inverseNorm = this.#rows.inverseNorm(key);
    const hash = this.#rows.hashOf(key);
    if (codes === undefined || inverseNorm === undefined || hash === undefined) return;
    const label = this.#keyOfLabel.length;
    if (label === this.#capacity) {
      this.#capacity = Math.ceil(this.#capacity * 1.5);
      this.#graph.resizeIndex(this.#capacity);
    }
    this.#graph.addPoint(this.#pointOf(codes, inverseNorm), label);
    this.#keyOfLabel.push(key);
    this.#hashOfLabel.push(hash);
    this.#labelOfKey.set(key, label);
  }

  forget(key: number): boolean {
    const label = this.#labelOfKey.get(key);
    if (label === undefined) return false;
    this.#labelOfKey.delete(key);
    this.#keyOfLabel[label] = TOMBSTONE;
    if (this.#markAfterSaving !== undefined) this.#markAfterSaving.push(label);
    else this.#graph.markDelete(label);
    return true;
  }

  /** Does nothing: a tombstone stays one. */
  tidy(): void {}

  search(query: QueryVector, k: number, offer: (key: number, cosine: number) => void): void {
    // The library refuses to search for more points than its capacity.
    const wanted = Math.min(k, this.count);
    if (wanted < 1 || this.#isClosed) return;
    this.#graph.setEf(candidatesFor(wanted, this.#parameters));
    // Deleted points that could not be marked yet are still found, so their number is added.
    const offered = Math.ceil(wanted * OFFERED);
    const found = Math.min(offered + (this.#markAfterSaving?.length ?? 0), this.#capacity);
    const { neighbors } = this.#graph.searchKnn(this.#pointOf(query.codes, query.inverseNorm), found);
    for (const label of neighbors) {
      const key = this.#keyOfLabel[label] ?? TOMBSTONE;
      const cosine = key === TOMBSTONE ? undefined : this.#rows.cosine(query, key);
      if (cosine !== undefined) offer(key, cosine);
    }
  }

  move(from: number, to: number): void {
    const label = this.#labelOfKey.get(from);
    if (label === undefined) return;
    this.#labelOfKey.delete(from);
    this.#labelOfKey.set(to, label);
    this.#keyOfLabel[label] = to;
  }

  async save(bytesMax: number): Promise<Uint8Array> {
    if (this.#isClosed || this.isSaving) throw new Error("The graph is closed or being saved already.");
    const { m, efConstruction } = this.#parameters;
    const points = this.#keyOfLabel.length;
    // Checked before writing, so that a file that is too large is not written at all.
    if (points * this.#rows.dimensions * FLOAT_BYTES > bytesMax) throw tooLarge(bytesMax);
    const hashes = this.#hashOfLabel.map((hash, label) => (this.#keyOfLabel[label] === TOMBSTONE ? TOMBSTONE : hash));
    this.#markAfterSaving = [];
    try {
      const bytes = await withTemporaryFile(temporaryDirectoryOf(this.#library), async (path) => {
        await this.#graph.writeIndex(path);
        return readBehind(path, headerBytes(hashes.length), bytesMax);
      });
      if (bytes === undefined) throw tooLarge(bytesMax);
      if (!isWhole(bytes.subarray(headerBytes(hashes.length)), hashes.length)) {
        throw new Error("The graph could not be written: is there room for temporary files?");
      }
      await fillHeader(bytes, {
        architecture: process.arch,
        dimensions: this.#rows.dimensions,
        m,
        efConstruction,
        hashes,
      });
      return bytes;
    } finally {
      for (const label of this.#markAfterSaving) this.#graph.markDelete(label);
      this.#markAfterSaving = undefined;
      if (this.#isClosed) this.#free();
    }
  }

  /** As {@link Graphs.load}. */
  static async load(
    library: HnswlibLibrary,
    rows: GraphRows,
    bytes: Uint8Array,
    parameters = HNSWLIB_PARAMETERS,
  ): Promise<HnswlibGraph | undefined> {
    const saved = await readGraph(bytes);
    if (saved === undefined) return undefined;
    const { header, graph } = saved;
    const isOurs =
      header.architecture === process.arch &&
      header.dimensions === rows.dimensions &&
      header.m === parameters.m &&
      header.efConstruction === parameters.efConstruction;
    // The library checks nothing that it reads.
    if (!isOurs || !isWhole(graph, header.hashes.length)) return undefined;
    const index = new HnswlibGraph(library, rows, parameters);
    await index.#read(graph);
    index.#hashOfLabel = [...header.hashes];
    return index;
  }

  *match(): Generator<void, boolean, void> {
    const { changes } = this.#rows;
    const keysOfHash = new Map<number, number[]>();
    // Keys fall, so that of several equal rows the lowest key is taken first.
    for (let key = this.#rows.end - 1; key >= 0; key--) {
      if (key % SLICE_ROWS === 0) yield;
      if (this.#rows.changes !== changes) return false;
      const hash = this.#rows.hashOf(key);
      if (hash === undefined) continue;
      const keys = keysOfHash.get(hash);
      if (keys === undefined) keysOfHash.set(hash, [key]);
      else keys.push(key);
    }
    const keyOfLabel: number[] = [];
    const labelOfKey = new Map<number, number>();
    const gone: number[] = [];
    for (const [label, hash] of this.#hashOfLabel.entries()) {
      if (label % SLICE_ROWS === 0) yield;
      if (this.#rows.changes !== changes) return false;
      // Equal vectors share a hash: each of their points gets one of their keys.
      const key = keysOfHash.get(hash)?.pop() ?? TOMBSTONE;
      keyOfLabel.push(key);
      if (key !== TOMBSTONE) labelOfKey.set(key, label);
      else if (hash !== TOMBSTONE) gone.push(label);
    }
    this.#keyOfLabel = keyOfLabel;
    this.#labelOfKey = labelOfKey;
    for (const label of gone) this.#graph.markDelete(label);
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#labelOfKey.clear();
    this.#keyOfLabel = [];
    this.#hashOfLabel = [];
    // Another thread reads the graph while it is saved.
    if (!this.isSaving) this.#free();
  }

  async #read(bytes: Uint8Array): Promise<void> {
    // Reading into a graph that has been initialised would leave it broken if it failed.
    const graph = new this.#library.HierarchicalNSW("ip", this.#rows.dimensions);
    await withTemporaryFile(temporaryDirectoryOf(this.#library), async (path) => {
      await write(path, bytes);
      await graph.readIndex(path);
    });
    this.#free();
    this.#graph = graph;
    this.#capacity = graph.getMaxElements();
  }

  /** Frees the library's memory by initialising the graph again. The garbage collector does not see how large the graph is. */
  #free(): void {
    this.#graph.initIndex(1, 2, 2, SEED);
  }

  #pointOf(codes: Int8Array | Int16Array, inverseNorm: number): number[] {
    const point = this.#point;
    for (let i = 0; i < point.length; i++) point[i] = (codes[i] ?? 0) * inverseNorm;
    return point;
  }
}

function temporaryDirectoryOf({ temporaryDirectory }: HnswlibLibrary): string {
  if (temporaryDirectory === undefined) throw new Error("There is no place for the files of a graph.");
  return temporaryDirectory;
}

function tooLarge(bytesMax: number): Error {
  return new Error(`A graph of more than ${bytesMax} bytes is not saved; every start builds it again.`);
}

/** A graph is built again when more than this share of its points are tombstones: they take memory, and time of searches. */
const TOMBSTONE_SHARE_MAX = 0.3;
/** Fewer tombstones are not worth building the graph again. */
const TOMBSTONES_MIN = 64;

/** Number of rows or labels that are matched in a time slice. */
const SLICE_ROWS = 1_024;

const FLOAT_BYTES = 4;
/** Fixed, so that the same insertions give the same graph. */
const SEED = 100;
const SMALLEST_CAPACITY = 256;
/** Bytes a point for its label, lock, level, upper links and table entries. */
const BOOKKEEPING_BYTES = 150;
