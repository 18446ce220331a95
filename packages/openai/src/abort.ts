import { onAbort, unlessAborted } from "@loredex/core";

/**
 * Runs work under a signal that aborts with any of the given ones, and rejects with the reason as soon as it does. No listeners are left on the given signals,
 * which may live long.
 */
export async function underSignals<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  const forget = signals.map((signal) => onAbort(signal, (reason) => own.abort(reason)));
  try {
    own.signal.throwIfAborted();
    return await unlessAborted(work(own.signal), own.signal);
  } finally {
    for (const each of forget) each();
  }
}

/** Resolves after this many milliseconds; rejects with the reason of an abort. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      forget();
      resolve();
    }, ms);
    const forget = onAbort(signal, (reason) => {
      clearTimeout(timer);
      reject(reason);
    });
  });
}
