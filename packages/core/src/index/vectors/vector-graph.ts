import type { Sliced } from "../../scheduling/time-slices.ts";
import type { QueryVector } from "./codes.ts";
import type { NearestKeys } from "./nearest-keys.ts";
import type { VectorRows } from "./rows.ts";

/**
 * A graph over rows of quantized vectors for approximate nearest neighbour search: it finds most of the nearest and compares only few rows.
 * It knows the rows that {@link insert} gave it. Obligations of an implementation:
 * - a forgotten key is never offered; neither is a key whose row was deleted before the graph was told;
 * - every cosine is the exact one of the codes: the graph may miss neighbours, but never misjudges them;
 * - the same insertions give the same graph.
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
  /** Memory of the graph in bytes, without the rows. */
  readonly graphBytes: number;
  has(key: number): boolean;
  /** Adds the row of a key to the graph, in place of its earlier state. A key without a row is not an error. */
  insert(key: number): void;
  /** Takes a key out of the graph; false if the graph did not have it. The row may already be deleted or replaced. */
  forget(key: number): boolean;
  /** Repairs some of the links that deletions have left, in below a millisecond. Called while {@link isUntidy}. */
  tidy(): void;
  /** Follows a row from key `from` to key `to`, which the graph does not have yet. */
  move(from: number, to: number): void;
  /** Searches the `k` nearest of a query, and offers the found keys to `nearest` with exact cosines. */
  search(query: QueryVector, k: number, nearest: NearestKeys): void;
  /**
   * The graph as bytes, as of the call. Until it resolves, nothing can be inserted or tidied; all other calls are allowed.
   * @throws Error for a graph that is larger than `bytesMax`, which is built again after the next start, and where there is no space
   */
  save(bytesMax?: number): Promise<Uint8Array>;
  /**
   * Matches the points of a loaded graph with rows by their content hashes, in time slices. Points without a row are forgotten. Rows
   * without a point are not found before they are inserted. False if a row has changed between slices: then match again.
   */
  match(): Sliced<boolean>;
  /** Frees the graph. Idempotent. */
  close(): void;
}

/** A graph backend: makes and loads graphs. */
export interface Graphs {
  /** Whether graphs can be kept for the next start. */
  readonly areKept: boolean;
  /** The cost of a search for the `k` nearest, relative to a search for few; from 1. */
  effort(k: number): number;
  /** An empty graph over `rows`, which will get about `count` of them. */
  empty(rows: VectorRows, count: number): VectorGraph;
  /**
   * A graph over `rows` from bytes of {@link VectorGraph.save}. Undefined if the bytes are damaged, or if the graph was made with other
   * parameters or on another kind of machine. It finds nothing before {@link VectorGraph.match}, since rows may change meanwhile.
   */
  load(rows: VectorRows, bytes: Uint8Array): Promise<VectorGraph | undefined>;
}
