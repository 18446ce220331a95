/** What implementations of the storage port share. */

export { Running } from "../platform/running.ts";
export { SerialQueue } from "../scheduling/serial-queue.ts";
export { blocksNotOpen, blocksOpen, checkBlock, checkParts } from "./block-store.ts";
export * from "./port-rules.ts";
export { checkSections } from "./snapshot.ts";
