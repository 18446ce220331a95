/** Time as a parameter: tests decide what it is, and wait for nothing. */
export interface Time {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
  /** Calls back after so many milliseconds, unless the returned function is called before. */
  limit(ms: number, onPassed: () => void): () => void;
}
