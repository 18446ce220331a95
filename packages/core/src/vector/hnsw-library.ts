import type { HierarchicalNSW } from "hnswlib-node";

/** The graph library hnswlib-node, where it could be loaded. */
export interface HnswLibrary {
  readonly HierarchicalNSW: typeof HierarchicalNSW;
}

/**
 * Loads the graph library. It is an optional dependency without prebuilt binaries: where no compiler was at hand when it was
 * installed, the answer is why, in one line, and searches scan.
 */
export async function loadHnsw(): Promise<HnswLibrary | { readonly unavailable: string }> {
  try {
    const { default: library } = await import("hnswlib-node");
    // A broken build shows here, and not in the middle of a search.
    new library.HierarchicalNSW("ip", 1).initIndex(1, 2, 2, 1);
    return library;
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { unavailable: `The graph library hnswlib-node can't be loaded: ${reason?.trim()}` };
  }
}
