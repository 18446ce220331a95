/** The reason of an aborted signal, as something that can be thrown. */
function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("The work was cancelled.", { cause: reason });
}

/** Calls back once when the signal aborts, at once if it has. Returns what takes the callback away again. For those who write embedders. */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: Error) => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) {
    callback(abortReason(signal));
    return () => undefined;
  }
  const listener = () => callback(abortReason(signal));
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** What the work brings, or the signal's reason as soon as it aborts, whether or not the work heeds it. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
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
