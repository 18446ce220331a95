/**
 * Does work that may take so many milliseconds: after them its signal is aborted with a `TimeoutError`. The timer ends with the work: one for each question that
 * outlives it by seconds, as those of `AbortSignal.timeout` do, costs three times as much. It keeps no program running.
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
