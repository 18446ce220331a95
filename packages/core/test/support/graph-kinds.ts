import { hnswGraphs } from "../../src/index/vectors/hnsw.ts";
import { hnswlibGraphs } from "../../src/index/vectors/hnswlib-graph.ts";
import type { Graphs } from "../../src/index/vectors/vector-graph.ts";
import { graphLibrary, graphs } from "./graph-library.ts";

/** What builds graphs, for tests of what all of them keep to. */
export interface KindOfGraphs {
  readonly name: string;
  readonly isHere: boolean;
  /** Whether what is gone goes on to take room until the graph is made anew. */
  readonly hasTombstones: boolean;
  readonly graphs: () => Graphs;
}

export const KINDS_OF_GRAPHS: readonly KindOfGraphs[] = [
  { name: "over codes", isHere: true, hasTombstones: false, graphs: () => hnswGraphs(true) },
  {
    name: graphs.named("of hnswlib-node"),
    isHere: !graphs.isMissing,
    hasTombstones: true,
    graphs: () => hnswlibGraphs(graphLibrary()),
  },
];
