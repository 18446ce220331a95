import { missingGraph } from "../../src/domain/missing.ts";
import type { WithoutHnsw } from "../../src/vector/hnsw-index.ts";

/** In the place of the graph library, where it is missing. */
export async function withoutGraph(): Promise<WithoutHnsw> {
  return { missing: missingGraph({ name: "hnswlib-node", why: "not here", mend: undefined }) };
}
