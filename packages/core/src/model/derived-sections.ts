/** The derived data of a bot. It can be rebuilt, so damage in it never keeps a bot from being opened. Except for the graph, these are sections of a snapshot. */

/** The cache of a store with the graph of the vectors. */
export const GRAPH_CACHE = "graph";

/** The search index, rebuilt from the documents. */
export const INDEX_SECTION = "search-index";
/** The static embedder's vectors, rebuilt from the documents. */
export const FIRST_VECTORS_SECTION = "first-vectors";
/** The embedder's vectors. They take long to rebuild and may have been paid for, so recovery prefers a snapshot that still has them. */
export const VECTORS_SECTION = "vectors";

const DERIVED: ReadonlySet<string> = new Set([INDEX_SECTION, FIRST_VECTORS_SECTION, VECTORS_SECTION]);

/** Whether a section can be rebuilt where it is missing. */
export function isDerivedSection(name: string): boolean {
  return DERIVED.has(name);
}
