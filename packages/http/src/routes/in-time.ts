import { HttpError } from "../errors.ts";
import type { BotRequest } from "./bot-request.ts";

/**
 * What comes too late is refused, whether it waited or worked: its client has most likely left. The work is given a signal that ends it then,
 * and when its client has left.
 * @throws HttpError `OVERLOADED`
 */
export async function inTime<Result>(
  what: "search" | "preview",
  { searchMs: limitMs, waitedMs: waited, signal }: Pick<BotRequest, "searchMs" | "waitedMs" | "signal">,
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const waitedMs = waited();
  const startedMs = performance.now() - waitedMs;
  const ending = new AbortController();
  const leave = (): void => ending.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        ending.abort(tooLate(what, limitMs));
        reject(tooLate(what, limitMs));
      },
      Math.max(0, limitMs - waitedMs),
    );
  });
  try {
    const result = await Promise.race([work(ending.signal), late]);
    // While the thread worked, the timer could not fire.
    if (performance.now() - startedMs > limitMs) throw tooLate(what, limitMs);
    return result;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

function tooLate(what: string, limitMs: number): HttpError {
  const seconds = limitMs / 1_000;
  return new HttpError(
    "OVERLOADED",
    `The ${what} took more than ${seconds} seconds and was given up. Please try again.`,
  );
}
