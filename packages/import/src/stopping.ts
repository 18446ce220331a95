/** What an import does when its signal ends it. */
import { unlessAborted } from "@loredex/core";

/**
 * What the promise gives, or the signal's reason as soon as that says that nobody waits any more.
 * @throws the reason of the signal
 */
export function unlessStopped<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return signal === undefined ? work : unlessAborted(work, signal);
}

/**
 * The items until the signal says that nobody waits any more; what is waited for then is left alone.
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
    // It may wait for what never comes, and ends when that does.
    if (signal?.aborted !== true) await end;
  }
}
