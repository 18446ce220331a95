import { onAbort } from "./on-abort.ts";

/** Clock, timers and randomness; tests replace them. */
export interface Pace {
  /** Resolves after this time, in milliseconds; rejects with the signal's reason as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Calls `late` after this time, unless the returned function is called before. */
  after(ms: number, late: () => void): () => void;
  /** A monotonic clock in milliseconds. */
  nowMs(): number;
  /** A uniform random number from 0 to below 1. */
  random(): number;
}

/** The clock and the randomness of the machine. */
export const REAL_PACE: Pace = {
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        forget();
        resolve();
      }, ms);
      const forget = onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal?.reason);
      });
    });
  },
  after(ms, late) {
    const timer = setTimeout(late, ms);
    return () => clearTimeout(timer);
  },
  nowMs: () => performance.now(),
  random: () => Math.random(),
};

/** Returns a new key for one create: 128 random bits. `randomUUID` is missing on pages without TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
