/** Time as a parameter: tests decide what it is, and wait for nothing. */
export interface Time {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Ends early when the signal says so. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back after so many milliseconds, unless the returned function is called before. */
  limit(ms: number, onPassed: () => void): () => void;
}
