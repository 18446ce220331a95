import type { Missing } from "./missing.ts";

/** How much of a bot's knowledge has vectors. */
export interface VectorStats {
  /** The bot's embedder. With `none`, BM25 alone finds passages. */
  readonly embedder: string;
  /** Texts that can have a vector: embedding windows, titles and question variants. A long passage has several windows. */
  readonly texts: number;
  /** Texts that have the embedder's vector. */
  readonly vectors: number;
  /** Texts that have the static embedder's vector, until the embedder's is made or because it is missing. 0 if the embedder is a static one. */
  readonly staticVectors: number;
  /** Documents that lack vectors and will get them. */
  readonly documentsWaiting: number;
  /** Documents that the embedder refused several times. They are tried again after the next start. */
  readonly documentsGivenUp: number;
  /** Calls of the embedder that failed since the start. */
  readonly failures: number;
  /** Why the last call failed. Absent once a call has succeeded again. */
  readonly lastFailure?: string;
  /** Why no more vectors are made until the operator changes a setting, frees space or restarts the engine. Absent if nothing of that is needed. */
  readonly blocked?: string;
  /** Why the embedder cannot be used here. Absent if no reason is known. */
  readonly missing?: Missing;
  /** The token codes of its passages, which reranking compares. Absent if none are kept, and before its embedder is open. */
  readonly tokenCodes?: TokenCodeStats;
  /**
   * How the nearest vectors are found.
   * - `none`: exact scan, since there are too few for a graph.
   * - `unavailable`: exact scan, since the chosen graph backend is missing.
   * - `building`: exact scan, while a graph is built.
   * - `ready`: the HNSW graph.
   */
  readonly graph: "none" | "unavailable" | "building" | "ready";
  /** Why there is no graph although it would be faster. */
  readonly graphMissing?: Missing;
}

/** How much of a bot has token codes. */
export interface TokenCodeStats {
  /** Embedding windows, titles and question variants whose token codes are kept. */
  readonly texts: number;
  /** Bytes of token codes on the disk. */
  readonly diskBytes: number;
  /** Documents that lack some and will get them. */
  readonly documentsWaiting: number;
  /**
   * Documents whose token codes could not be made or kept. They are tried again when they change, when others can be kept, or after the next start.
   * All documents, if the file of token codes could not be opened.
   */
  readonly documentsGivenUp: number;
}
