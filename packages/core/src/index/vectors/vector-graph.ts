import type { Sliced } from "../../scheduling/time-slices.ts";
import type { QueryVector } from "./codes.ts";
import type { NearestKeys } from "./nearest-keys.ts";
import type { VectorRows } from "./rows.ts";

/**
 * A graph above rows of codes, which finds most of the nearest without looking at all. It knows those rows that it was given by
 * {@link insert}. Obligations of an implementation:
 * - a key that has been forgotten is never offered, and neither is one whose row is gone, though the graph was not told yet;
 * - every cosine is the one of the codes: neighbours may be missed, but are never misjudged;
 * - the same insertions give the same graph.
 */
export interface VectorGraph {
  /** Keys that the graph finds. */
  readonly count: number;
  /** Points that tell of vectors that are gone, in memory and wherever the graph is kept. */
  readonly tombstones: number;
  /** Whether so much is gone that a graph made anew is better. */
  readonly isWorn: boolean;
  /** Whether {@link tidy} has something to do. */
  readonly isUntidy: boolean;
  /** Bytes of memory that the graph takes besides the rows. */
  readonly graphBytes: number;
  has(key: number): boolean;
  /** Takes the row of a key into the graph; an earlier state of it is forgotten. A key without a row is not an error. */
  insert(key: number): void;
  /** No longer finds a key; false if it did not before. The row may be gone or another one already. */
  forget(key: number): boolean;
  /** Does a piece of what deletions have left, below a millisecond: while {@link isUntidy}. */
  tidy(): void;
  /** Follows the row of a key to another key, which finds nothing yet. */
  move(from: number, to: number): void;
  /** Offers `nearest` the keys that the graph finds for a query's `k` nearest, with exact cosines. */
  search(query: QueryVector, k: number, nearest: NearestKeys): void;
  /**
   * The graph as bytes, as it was when this was called. Meanwhile nothing can be inserted or tidied, all else goes on.
   * @throws Error for a graph that is larger than `bytesMax`, which is built again after the next start, and where there is no room
   */
  save(bytesMax?: number): Promise<Uint8Array>;
  /**
   * Finds the rows of a loaded graph's points by their contents, in steps. Points that no row has are forgotten; rows that the graph does
   * not have are not found before they are inserted. False if a row has changed meanwhile: then it is to be done again.
   */
  match(): Sliced<boolean>;
  /** Frees the graph. Idempotent. */
  close(): void;
}

/** How graphs are made here. */
export interface Graphs {
  /** Whether graphs can be kept for the next start. */
  readonly areKept: boolean;
  /** The work of a search for the `k` nearest, in that of a search for few. */
  effort(k: number): number;
  /** An empty graph over `rows`, which is going to get about so many of them. */
  empty(rows: VectorRows, count: number): VectorGraph;
  /**
   * A graph from bytes that {@link VectorGraph.save} made, over these rows; undefined if a bit has changed, or if it was made in another way
   * or on another kind of machine. It finds nothing before {@link VectorGraph.match} has been called, since rows may change meanwhile.
   */
  load(rows: VectorRows, bytes: Uint8Array): Promise<VectorGraph | undefined>;
}
