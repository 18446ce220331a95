import type { QueryVector } from "./codes.ts";

/**
 * The vectors that a graph finds: one row of int8 codes for each key, as far as a graph backend reads them. A row may be
 * deleted or replaced before the graph is told.
 */
export interface GraphRows {
  /** Codes in a row: 1 to 4,096. */
  readonly dimensions: number;
  /** The highest key + 1; 0 if there is none. Keys are integers from 0, mostly dense. */
  readonly end: number;
  /** Rises whenever a vector is set, deleted or moved to another key. */
  readonly changes: number;
  /** A copy of a vector's codes, -127 to 127 each; undefined if there is no vector. */
  codesOf(key: number): Int8Array | undefined;
  /** 1 / (the length) of a vector's codes; 0 for a vector of zeros, undefined if there is no vector. */
  inverseNorm(key: number): number | undefined;
  /** The content hash of a vector's codes, an integer from 0 to 2^53 - 1, the same on every machine; undefined if there is no vector. */
  hashOf(key: number): number | undefined;
  /** The exact cosine of the query and a vector, -1 to 1; undefined if there is no vector. */
  cosine(query: QueryVector, key: number): number | undefined;
}

/**
 * A graph over rows of quantized vectors for approximate nearest neighbour search: it finds most of the nearest and compares only few rows.
 * It knows the rows that {@link insert} gave it. Obligations of an implementation:
 * - a forgotten key is never offered; neither is a key whose row was deleted before the graph was told;
 * - every cosine is the exact one of the codes ({@link GraphRows.cosine}): the graph may miss neighbours, but never misjudges them;
 * - the same insertions give the same graph;
 * - each call but {@link save} works in about a millisecond at most, or yields: all bots share one thread;
 * - only {@link insert}, {@link tidy} and {@link save} may throw.
 */
export interface VectorGraph {
  /** Number of keys that the graph finds. */
  readonly count: number;
  /** Number of points that still describe deleted vectors, in memory and in saved bytes. */
  readonly tombstones: number;
  /** Whether the graph has too many deleted points: a new graph is better. */
  readonly isWorn: boolean;
  /** Whether {@link tidy} has something to do. */
  readonly isUntidy: boolean;
  /** Memory of the graph in bytes, without the rows. 0 once it is closed. */
  readonly graphBytes: number;
  has(key: number): boolean;
  /**
   * Adds the row of a key to the graph, in place of its earlier state. A key without a row is not an error.
   * @throws Error if the graph is closed or being saved, or has no memory; then searches scan from now on
   */
  insert(key: number): void;
  /** Takes a key out of the graph; false if the graph did not have it. The row may already be deleted or replaced. */
  forget(key: number): boolean;
  /** Repairs some of the links that deletions have left, in below a millisecond. Called while {@link isUntidy}. */
  tidy(): void;
  /** Follows a row from key `from` to key `to`, which the graph does not have yet. */
  move(from: number, to: number): void;
  /**
   * Searches the `k` nearest of a query, and offers each found key once, with its exact cosine, in any order. More than `k` may be offered. A filtered
   * search asks for as many as hold those that it wants on average: where fewer of the offered ones are allowed, all rows are scanned. A quarter
   * more than `k` spares nearly all of them the scan.
   */
  search(query: QueryVector, k: number, offer: (key: number, cosine: number) => void): void;
  /**
   * The graph as bytes, as of the call. Until it resolves, nothing can be inserted or tidied; all other calls are allowed.
   * @throws Error for a graph that is larger than `bytesMax`, which is built again after the next start, and where there is no space
   */
  save(bytesMax: number): Promise<Uint8Array>;
  /**
   * Matches the points of a loaded graph with rows by their content hashes. Runs in time slices: each step takes below a millisecond. Points
   * without a row are forgotten. Rows without a point are not found before they are inserted. False if a row has changed between slices: then
   * match again.
   */
  match(): Generator<void, boolean, void>;
  /** Frees the graph; it finds nothing from then on. Idempotent, and allowed while it is being saved. */
  close(): void;
}

/** Makes and loads the graphs of one engine. `Rows` is what its graphs read of rows. */
export interface Graphs<Rows = GraphRows> {
  /** Whether graphs can be kept for the next start. */
  readonly areKept: boolean;
  /** The cost of a search for the `k` nearest, relative to a search for few; from 1. */
  readonly effort: (k: number) => number;
  /** An empty graph over `rows`, which will get about `count` of them. */
  readonly empty: (rows: Rows, count: number) => VectorGraph;
  /**
   * A graph over `rows` from bytes of {@link VectorGraph.save}, which may be damaged or those of another backend. Undefined if they are damaged,
   * or if the graph was made with other parameters or on another kind of machine: the graph is built again then. It finds nothing before
   * {@link VectorGraph.match}, since rows may change meanwhile.
   */
  readonly load: (rows: Rows, bytes: Uint8Array) => Promise<VectorGraph | undefined>;
}

/** Why a graph backend cannot be used here. Every search scans then. */
export interface NoGraphs {
  readonly missing: {
    /** The package or part that is missing. */
    readonly name: string;
    /** Why, in one line. */
    readonly why: string;
    /** The remedy in one line, mostly a command. Absent if none is known. */
    readonly mend?: string;
  };
}

/** A graph backend: an algorithm for approximate nearest neighbour search that an engine can be opened with, as its option `graph`. */
export interface GraphBackend<Rows = GraphRows> {
  /**
   * Loads the backend, or tells why it cannot be used here. An engine calls this once, when the first bot with vectors is opened.
   * @param given `temporaryDirectory`: for temporary files, made if it is missing; the next engine that opens the data directory empties it.
   * Undefined where no graph is to be kept
   */
  open(given: { readonly temporaryDirectory: string | undefined }): Promise<Graphs<Rows> | NoGraphs>;
}
