import { codeGraphs } from "./hnsw.ts";
import { loadHnsw, type WithoutHnsw } from "./hnswlib.ts";
import { hnswGraphs } from "./hnswlib-graph.ts";
import type { Graphs } from "./vector-graph.ts";

/** What builds and searches graphs: the engine itself, above the codes, or the optional library hnswlib-node. */
export const GRAPH_KINDS = ["built-in", "hnswlib"] as const;
export type GraphKind = (typeof GRAPH_KINDS)[number];

/** Graphs of a kind, or why they are not to be had here. They are kept where there is a place for their files for a moment. */
export async function openGraphs(
  kind: GraphKind,
  temporaryDirectory: string | undefined,
): Promise<Graphs | WithoutHnsw> {
  if (kind === "built-in") return codeGraphs(temporaryDirectory !== undefined);
  const library = await loadHnsw(temporaryDirectory);
  return "missing" in library ? library : hnswGraphs(library);
}
