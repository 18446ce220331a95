/**
 * Turns texts into vectors of unit length whose cosines say how close the meanings are. Obligations of an implementation:
 * - the same text gives the same vector, for as long as `id` and `version` stay the same;
 * - neither method blocks the event loop;
 * - after an abort the promise rejects with the signal's reason, and no work is started for it any more.
 */
export interface Embedder {
  readonly id: string;
  /** Changes whenever vectors would. Vectors of different versions are never compared. */
  readonly version: string;
  readonly dimensions: number;
  /** Share of the dense score when it is fused with that of the words, 0 to 1. */
  readonly weight: number;
  /** Maps a cosine to [0, 1], never falling as it rises. */
  calibrate(cosine: number): number;
  /** One vector a text, in order. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Rejects what is pending and releases everything. Idempotent. */
  close(): Promise<void>;
}
