import { HttpError } from "../errors.ts";
import type { BotRequest } from "./bot-request.ts";

/**
 * Runs work within a time limit. A late request is refused, whether it waited or worked: its client has most likely left.
 * The signal of the work aborts at the limit, and when the client has left.
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
    // The timer could not fire while the thread worked.
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
