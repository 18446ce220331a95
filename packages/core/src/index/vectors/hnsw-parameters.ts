/** How many links there are. More of them find more, and take longer. */
export interface LinkParameters {
  /** Links that a new point gets, and most links of a point in every layer but the lowest, which has twice as many. */
  readonly m: number;
  /** A point keeps no link to one that is so many times nearer to another that it has a link to. */
  readonly detour: number;
}

/** How a graph of links is built and searched. More of each finds more, and takes longer. */
export interface CodeGraphParameters extends LinkParameters {
  /** Candidates that are looked at to place a point. */
  readonly efConstruction: number;
  /** Candidates that a search keeps, at least; twice as many as it is to find, if that is more. */
  readonly efSearch: number;
}

/** Measured on the static embedder's vectors of real passages beside hnswlib-node: see docs/decisions. */
export const CODE_GRAPH_PARAMETERS: CodeGraphParameters = { m: 16, detour: 1.2, efConstruction: 72, efSearch: 144 };
