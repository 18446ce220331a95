import { A_FUNCTION, A_SIGNAL, optional } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";

type Callback = (reason: Error) => void;

/** By signal: the callbacks that wait for it. All share one listener, since Node warns of a leak where a signal has more than ten. */
const WAITING = new WeakMap<AbortSignal, Set<{ readonly callback: Callback }>>();

/** The reason of an aborted signal, as something that can be thrown. */
function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("The work was cancelled.", { cause: reason });
}

/** The listener of every signal. */
function callAll(this: AbortSignal): void {
  const waiting = WAITING.get(this) ?? [];
  WAITING.delete(this);
  const failures: unknown[] = [];
  for (const { callback } of waiting) {
    try {
      callback(abortReason(this));
    } catch (error) {
      // The others are told all the same.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Calls back once when the signal aborts, at once if it has. Returns what takes the callback away again. However many callbacks wait for a
 * signal, it has one listener. For those who write embedders.
 * @throws ValidationError if it is no AbortSignal
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

/** What the work brings, or the signal's reason as soon as it aborts, whether or not the work heeds it. */
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
