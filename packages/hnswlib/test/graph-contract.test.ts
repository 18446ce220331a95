import { hnswlib } from "@loredex/hnswlib";
import { graphContract } from "../../core/test/contracts/graph-contract.ts";

await graphContract("hnswlib", hnswlib());
