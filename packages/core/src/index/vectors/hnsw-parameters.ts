/** How many links a graph has. More links give a higher recall and slower searches. */
export interface LinkParameters {
  /** Links of a new point in each layer. Also the most links of a point in an upper layer; the lowest layer allows twice as many. */
  readonly m: number;
  /** A point drops a link if the other end is this factor nearer to another point that it links to. */
  readonly detour: number;
}

/** How an HNSW graph is built and searched. More candidates give a higher recall and take longer. */
export interface HnswParameters extends LinkParameters {
  /** Number of candidates that a walk keeps to place a point. */
  readonly efConstruction: number;
  /** Least number of candidates that a search keeps. It keeps twice the number it is to find, if that is more. */
  readonly efSearch: number;
}

/** Measured on the static embedder's vectors of real passages beside hnswlib-node: see docs/decisions. */
export const HNSW_PARAMETERS: HnswParameters = { m: 16, detour: 1.2, efConstruction: 72, efSearch: 144 };
