import { onAbort } from "./on-abort.ts";

/** What waiting takes of the machine; tests have one of their own. */
export interface Pace {
  /** Resolves after this time, in milliseconds; rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Calls `late` after this time, unless what it gives back is called before. */
  after(ms: number, late: () => void): () => void;
  /** A clock that is never set back, in milliseconds. */
  nowMs(): number;
  /** Evenly from 0 to below 1. */
  random(): number;
}

/** The time and the chance of the machine. */
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

/** A new name for one create: 128 bits of chance. `randomUUID` is missing on pages without TLS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
