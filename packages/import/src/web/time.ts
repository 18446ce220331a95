/** Time as a dependency: tests set it, and wait for nothing. */
export interface Time {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Ends early when the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after this number of milliseconds, unless the returned function is called before. */
  limit(ms: number, onPassed: () => void): () => void;
}
