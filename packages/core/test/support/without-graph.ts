import type { WithoutHnswlib } from "../../src/index/vectors/hnswlib-graph.ts";
import { missingGraph } from "../../src/model/missing.ts";

/** In the place of the graph library, where it is missing. */
export async function withoutGraph(): Promise<WithoutHnswlib> {
  return { missing: missingGraph({ name: "hnswlib-node", why: "not here", mend: undefined }) };
}
