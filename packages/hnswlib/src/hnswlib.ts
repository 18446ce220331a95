import type { GraphBackend } from "@loredex/core";
import { hnswlibGraphs } from "./hnswlib-graph.ts";
import { loadLibrary } from "./library.ts";

/**
 * The graph backend of the native library hnswlib-node, for `Engine.open({ graph: hnswlib() })`.
 * The library is loaded when the first bot needs it. If it cannot be loaded, every search scans, and `stats().vectors.graphMissing` says why.
 */
export function hnswlib(): GraphBackend {
  return {
    async open({ temporaryDirectory }) {
      const library = await loadLibrary(temporaryDirectory);
      return "missing" in library ? library : hnswlibGraphs(library);
    },
  };
}
