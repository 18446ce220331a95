import { hnswGraphs } from "../../src/index/vectors/hnsw.ts";
import { graphContract } from "./graph-contract.ts";

await graphContract("built-in", {
  open: async ({ temporaryDirectory }) => hnswGraphs(temporaryDirectory !== undefined),
});
