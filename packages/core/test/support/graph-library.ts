import { tmpdir } from "node:os";
import { optionalPart } from "../../../../test/support/optional-part.ts";
import { type HnswlibLibrary, loadHnswlib } from "../../src/index/vectors/hnswlib-graph.ts";

const loaded = await loadHnswlib(tmpdir());

/** The graph library, for tests that are skipped where it is not built. */
export const graphs = optionalPart(
  "the graph library",
  "missing" in loaded ? `${loaded.missing.why}. To mend it: ${loaded.missing.mend}` : undefined,
);

/** The library, in tests that only run where it is there. */
export function graphLibrary(): HnswlibLibrary {
  if ("missing" in loaded) throw new Error("This test needs the graph library.");
  return loaded;
}
