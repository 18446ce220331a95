/** Time and rounds of the event loop, for the code that decides when something begins. */
export interface Rounds {
  /** Never runs backwards. */
  nowMs(): number;
  /** Has it run in the next round of the event loop: when all that has come in meanwhile was heard. */
  next(run: () => void): void;
  /** Has it run when what is going on now, and all that follows from it at once, has come to a rest. */
  afterThis(run: () => void): void;
  /** Has it run after so many milliseconds. Returns what stops it. */
  later(ms: number, run: () => void): () => void;
}

export const SYSTEM_ROUNDS: Rounds = {
  nowMs: () => performance.now(),
  next: (run) => void setImmediate(run),
  // What follows from a promise runs before the next tick that is asked for meanwhile.
  afterThis: (run) => queueMicrotask(() => process.nextTick(run)),
  later: (ms, run) => {
    // A whole millisecond later, since a timer may be early by a fraction of one.
    const timer = setTimeout(run, Math.max(0, ms) + 1);
    // A waiting request has a connection. A timer that nobody needs any more would keep a closed server's process.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
