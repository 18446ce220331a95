import type { HierarchicalNSW } from "hnswlib-node";
import { reasonOf } from "../domain/errors.ts";

/** The graph library hnswlib-node, where it could be loaded. */
export interface HnswLibrary {
  readonly HierarchicalNSW: typeof HierarchicalNSW;
  /** Where its files may lie for a moment; undefined where no graph is to be saved or loaded. */
  readonly temporaryDirectory: string | undefined;
}

/**
 * Loads the graph library. It is an optional dependency without prebuilt binaries: where no compiler was at hand when it was
 * installed, the answer is why, in one line, and searches scan.
 */
export async function loadHnsw(
  temporaryDirectory: string | undefined,
): Promise<HnswLibrary | { readonly unavailable: string }> {
  try {
    const {
      default: { HierarchicalNSW },
    } = await import("hnswlib-node");
    // A broken build shows here, and not in the middle of a search.
    new HierarchicalNSW("ip", 1).initIndex(1, 2, 2, 1);
    return { HierarchicalNSW, temporaryDirectory };
  } catch (error) {
    const [reason] = reasonOf(error).split("\n");
    return { unavailable: `The graph library hnswlib-node can't be loaded: ${reason?.trim()}` };
  }
}
