import { tmpdir } from "node:os";
import { type HnswLibrary, loadHnsw } from "../../src/vector/hnsw-index.ts";

const loaded = await loadHnsw(tmpdir());

/** The graph library; undefined where it can't be loaded. */
export const hnsw: HnswLibrary | undefined = "missing" in loaded ? undefined : loaded;

/** Added to the names of tests that are skipped without the library, so that the report says why. */
export const withoutHnsw = "missing" in loaded ? ` (skipped: ${loaded.missing.why})` : "";

/** The library, in tests that only run where it is there. */
export function library(): HnswLibrary {
  if (hnsw === undefined) throw new Error("This test needs the graph library.");
  return hnsw;
}
