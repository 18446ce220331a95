import { A_FUNCTION, A_SIGNAL, optional } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";

type Callback = (reason: Error) => void;

/** The callbacks of each signal. They share one listener, since Node warns of a leak if a signal has more than ten. */
const WAITING = new WeakMap<AbortSignal, Set<{ readonly callback: Callback }>>();

/** The reason of an aborted signal, as an Error. */
function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("The work was cancelled.", { cause: reason });
}

/** The listener of all signals. */
function callAll(this: AbortSignal): void {
  const waiting = WAITING.get(this) ?? [];
  WAITING.delete(this);
  const failures: unknown[] = [];
  for (const { callback } of waiting) {
    try {
      callback(abortReason(this));
    } catch (error) {
      // The other callbacks are still called.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Calls back once when the signal aborts; at once if it has aborted. Returns a function that removes the callback. A signal gets one listener,
 * whatever the number of callbacks. For authors of embedders.
 * @throws ValidationError if `signal` is no AbortSignal
 */
export function onAbort(signal: AbortSignal | undefined, callback: Callback): () => void {
  requireArguments("onAbort", { signal, callback }, { signal: optional(A_SIGNAL), callback: A_FUNCTION });
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    callback(abortReason(signal));
    return () => undefined;
  }
  const waiting = WAITING.get(signal) ?? new Set();
  if (waiting.size === 0) {
    WAITING.set(signal, waiting);
    signal.addEventListener("abort", callAll, { once: true });
  }
  const own = { callback };
  waiting.add(own);
  return () => {
    if (!waiting.delete(own) || waiting.size > 0 || WAITING.get(signal) !== waiting) return;
    WAITING.delete(signal);
    signal.removeEventListener("abort", callAll);
  };
}

/** Resolves with the result of the work, or rejects with the signal's reason as soon as it aborts, even if the work ignores the signal. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  requireArguments("unlessAborted", { signal }, { signal: A_SIGNAL });
  let forget: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    forget = onAbort(signal, reject);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    forget();
  }
}

/**
 * Runs work with a deadline of `ms` milliseconds: then its signal is aborted with a `TimeoutError`. The timer ends with the work, and keeps no process
 * alive.
 * `AbortSignal.timeout` costs three times as much per question, as its timers outlive the work by seconds.
 */
export async function withinMs<Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException(`It took longer than ${ms} ms.`, "TimeoutError")), ms);
  timer.unref();
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
  }
}
