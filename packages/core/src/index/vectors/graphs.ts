import { hnswGraphs } from "./hnsw.ts";
import { loadHnswlib, type WithoutHnswlib } from "./hnswlib.ts";
import { hnswlibGraphs } from "./hnswlib-graph.ts";
import type { Graphs } from "./vector-graph.ts";

/** The graph backends: the engine's own HNSW over quantized vectors, or the optional library hnswlib-node. */
export const GRAPH_KINDS = ["built-in", "hnswlib"] as const;
export type GraphKind = (typeof GRAPH_KINDS)[number];

/** The graph backend of a kind, or why it is missing here. Graphs are kept for the next start only if there is a temporary directory. */
export async function openGraphs(
  kind: GraphKind,
  temporaryDirectory: string | undefined,
): Promise<Graphs | WithoutHnswlib> {
  if (kind === "built-in") return hnswGraphs(temporaryDirectory !== undefined);
  const library = await loadHnswlib(temporaryDirectory);
  return "missing" in library ? library : hnswlibGraphs(library);
}
