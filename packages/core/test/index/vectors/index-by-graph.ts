import { ExactScan } from "../../../src/index/vectors/exact-scan.ts";
import { NearestKeys } from "../../../src/index/vectors/nearest-keys.ts";
import { type QueryVector, VectorRows, type VectorRowsOptions } from "../../../src/index/vectors/rows.ts";
import type { Graphs, VectorGraph } from "../../../src/index/vectors/vector-graph.ts";
import type { Neighbour, VectorIndex } from "../../../src/index/vectors/vector-index.ts";

/** Finds vectors by a graph and by nothing else. */
export class IndexByGraph implements VectorIndex {
  readonly rows: VectorRows;
  readonly graph: VectorGraph;

  constructor(graphs: Graphs, dimensions: number, options?: VectorRowsOptions) {
    this.rows = new VectorRows(dimensions, options);
    this.graph = graphs.empty(this.rows, 10);
  }

  get dimensions(): number {
    return this.rows.dimensions;
  }
  get count(): number {
    return this.graph.count;
  }
  get bytes(): number {
    return this.rows.bytes + this.graph.graphBytes;
  }

  set(key: number, codes: Int8Array): void {
    this.rows.set(key, codes);
    this.graph.insert(key);
  }

  delete(key: number): boolean {
    this.rows.delete(key);
    return this.graph.forget(key);
  }

  has(key: number): boolean {
    return this.graph.has(key);
  }

  /** What deletions have left is done away with. */
  tidy(): void {
    while (this.graph.isUntidy) this.graph.tidy();
  }

  nearest(query: QueryVector, k: number, allowed?: (key: number) => boolean): Neighbour[] {
    if (allowed !== undefined) return new ExactScan(this.rows).nearest(query, k, allowed);
    const nearest = new NearestKeys(k);
    this.graph.search(query, k, nearest);
    return nearest.neighbours();
  }
}
