/** Time and rounds of the event loop, for the code that decides when something begins. */
export interface Rounds {
  /** The present time in milliseconds. It never runs backwards. */
  nowMs(): number;
  /** Runs it in the next round of the event loop, after all events that have arrived meanwhile. */
  next(run: () => void): void;
  /** Runs it after the current callback and all microtasks that follow from it. */
  afterThis(run: () => void): void;
  /** Runs it after `ms` milliseconds. Returns a function that cancels it. */
  later(ms: number, run: () => void): () => void;
}

export const SYSTEM_ROUNDS: Rounds = {
  nowMs: () => performance.now(),
  next: (run) => void setImmediate(run),
  // Microtasks of a promise run before the next tick that is requested meanwhile.
  afterThis: (run) => queueMicrotask(() => process.nextTick(run)),
  later: (ms, run) => {
    // One millisecond more, since a timer may fire a fraction of one early.
    const timer = setTimeout(run, Math.max(0, ms) + 1);
    // A waiting request has a connection. An unneeded timer would keep the process of a closed server alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
