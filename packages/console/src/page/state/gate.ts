export interface Gate {
  /** Resolves once the gate is opened. Rejects if the signal aborts before. */
  readonly passed: (signal: AbortSignal | undefined) => Promise<void>;
  /** Lets all pass that wait now. */
  readonly open: () => void;
}

/** Where requests wait for something to be again as it was. */
export function gate(): Gate {
  const waiting = new Set<() => void>();
  return {
    passed: (signal) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
    open: () => {
      for (const resume of waiting) resume();
      waiting.clear();
    },
  };
}
