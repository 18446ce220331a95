import type { QueryVector } from "../../../src/index/vectors/codes.ts";
import type { Neighbour } from "../../../src/index/vectors/nearest-keys.ts";
import { VectorRows, type VectorRowsOptions } from "../../../src/index/vectors/rows.ts";
import type { Graphs, VectorGraph } from "../../../src/index/vectors/vector-graph.ts";
import { nearestByGraph } from "../../../testing/told-vectors.ts";

/** Rows with a graph of them: finds vectors by the graph and by nothing else. */
export class IndexByGraph {
  readonly rows: VectorRows;
  readonly graph: VectorGraph;

  constructor(graphs: Graphs<VectorRows>, dimensions: number, options?: VectorRowsOptions) {
    this.rows = new VectorRows(dimensions, options);
    this.graph = graphs.empty(this.rows, 10);
  }

  get count(): number {
    return this.graph.count;
  }

  set(key: number, codes: Int8Array): void {
    this.rows.set(key, codes);
    this.graph.insert(key);
  }

  delete(key: number): boolean {
    this.rows.delete(key);
    return this.graph.forget(key);
  }

  /** What deletions have left is done away with. */
  tidy(): void {
    while (this.graph.isUntidy) this.graph.tidy();
  }

  nearest(query: QueryVector, k: number): Neighbour[] {
    return nearestByGraph(this.graph, query, k);
  }
}
