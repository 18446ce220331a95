import type { Missing } from "./missing.ts";

/** How far a bot's knowledge is found by meaning. */
export interface VectorStats {
  /** The bot's embedder; `none` finds by words. */
  readonly embedder: string;
  /** Parts of passages, titles, and wordings of questions: what can have a vector. A long passage has several parts. */
  readonly texts: number;
  /** Those of them that have the embedder's. */
  readonly vectors: number;
  /** Those that have its static embedder's, until the embedder's come or because it is not to be had; 0 for a static embedder that is the embedder. */
  readonly staticVectors: number;
  /** Documents that lack vectors and will get them. */
  readonly documentsWaiting: number;
  /** Documents that the embedder refused again and again: tried anew after the next start. */
  readonly documentsGivenUp: number;
  /** Calls of the embedder that failed since the start. */
  readonly failures: number;
  /** Why the last call failed; absent once one has succeeded again. */
  readonly lastFailure?: string;
  /** The same, if it does not pass by itself: no more vectors are made before somebody changes a setting, makes room or starts the engine again. */
  readonly blocked?: string;
  /** What keeps the embedder from being used here; absent if nothing does, as far as is known. */
  readonly missing?: Missing;
  /** The token codes of its passages, which reranking compares; absent where none are kept, and before its embedder is open. */
  readonly tokenCodes?: TokenCodeStats;
  /** How the nearest vectors are found: by an exact scan (`none`: there are too few for a graph; `unavailable`: the engine was told to use a graph library that is missing), by that while a graph is built, or by the graph. */
  readonly graph: "none" | "unavailable" | "building" | "ready";
  /** Why there is no graph where one would be faster. */
  readonly graphMissing?: Missing;
}

export interface TokenCodeStats {
  /** Parts of passages, titles and wordings whose token codes are kept. */
  readonly texts: number;
  /** What they take on the disk, in bytes. */
  readonly diskBytes: number;
  /** Documents that lack some and will get them. */
  readonly documentsWaiting: number;
  /**
   * Documents whose token codes could not be made or kept: tried again when they change, when others can be kept, or after the next start. All there are where the
   * file of token codes could not be opened.
   */
  readonly documentsGivenUp: number;
}
