/** Callbacks by signal. They share one listener, because Node warns of a leak when a signal has more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function callAll(this: AbortSignal): void {
  const callbacks = waiting.get(this) ?? [];
  waiting.delete(this);
  for (const callback of callbacks) callback();
}

/** Calls back once when the signal aborts, or at once if it has. Returns a function that removes the callback. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const callbacks = waiting.get(signal) ?? new Set();
  if (callbacks.size === 0) {
    waiting.set(signal, callbacks);
    signal.addEventListener("abort", callAll, { once: true });
  }
  // A new function, so that the same callback can wait twice.
  const own = () => callback();
  callbacks.add(own);
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0 || waiting.get(signal) !== callbacks) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", callAll);
  };
}
