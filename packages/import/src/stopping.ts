/** Helpers for an import whose signal aborts it. */
import { unlessAborted } from "@loredex/core";

/**
 * Returns the promise's result, or rejects as soon as the signal aborts.
 * @throws the reason of the signal
 */
export function unlessStopped<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return signal === undefined ? work : unlessAborted(work, signal);
}

/**
 * Yields items until the signal aborts. The item awaited at that time is abandoned.
 * @throws the reason of the signal
 */
export async function* untilStopped<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await unlessStopped(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    const end = Promise.resolve(iterator.return?.()).catch(() => undefined);
    // After an abort this is not awaited: it may wait for an item that never comes, and ends with it.
    if (signal?.aborted !== true) await end;
  }
}
