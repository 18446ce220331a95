/**
 * Types of the optional package hnswlib-node, as far as this package uses it. They must exist even if hnswlib-node is not installed.
 * Labels are 32-bit unsigned integers. Points must be arrays of numbers; typed arrays are refused.
 */
declare module "hnswlib-node" {
  export class HierarchicalNSW {
    constructor(space: "ip", dimensions: number);
    /** Also frees the memory of the graph's earlier contents. */
    initIndex(capacity: number, m: number, efConstruction: number, randomSeed: number): void;
    resizeIndex(capacity: number): void;
    addPoint(point: number[], label: number): void;
    /** Throws for labels that are unknown or marked already. */
    markDelete(label: number): void;
    searchKnn(point: number[], k: number): { neighbors: number[] };
    setEf(ef: number): void;
    getCurrentCount(): number;
    getMaxElements(): number;
    getNumDimensions(): number;
    /** Runs in another thread; the graph must not change meanwhile. Resolves to true even if the disk was full. */
    writeIndex(path: string): Promise<boolean>;
    /** Only for a graph that was not initialised. Damaged bytes may end the process. The value of `setEf` is lost. */
    readIndex(path: string): Promise<boolean>;
  }
  const library: { readonly HierarchicalNSW: typeof HierarchicalNSW };
  export default library;
}
