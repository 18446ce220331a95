import type { WithoutGraphs } from "../../src/index/vectors/graphs.ts";
import { missingGraph } from "../../src/model/missing.ts";

/** In the place of a graph backend, where it is missing. */
export async function withoutGraph(): Promise<WithoutGraphs> {
  return { missing: missingGraph({ name: "@loredex/hnswlib", why: "not here", mend: undefined }) };
}
