export type { GraphBackend } from "@loredex/core";
export { hnswlib } from "./hnswlib.ts";
