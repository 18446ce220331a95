import { HttpError } from "../errors.ts";
import type { BotRequest } from "./bot-request.ts";

/** What a request's deadline follows from: its time limit, the time that it has waited, and whether its client is still there. */
type TimedRequest = Pick<BotRequest, "searchMs" | "waitedMs" | "signal">;

/**
 * Runs work within a time limit. A late request is refused, whether it waited or worked: its client has most likely left.
 * The signal of the work aborts at the limit, and when the client has left.
 * @throws HttpError `OVERLOADED`
 */
export async function inTime<Result>(
  what: "search" | "suggestion" | "preview" | "explanation",
  request: TimedRequest,
  work: (ended: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limitMs = request.searchMs;
  const startedMs = performance.now() - request.waitedMs();
  let refuse: (error: HttpError) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  const worked = async (ended: AbortSignal): Promise<Result> => {
    const result = await Promise.race([work(ended), late]);
    // The timer could not fire while the thread worked.
    if (performance.now() - startedMs > limitMs) throw tooLate(what, limitMs);
    return result;
  };
  return untilDeadline(request, worked, () => {
    const error = tooLate(what, limitMs);
    refuse(error);
    return error;
  });
}

/**
 * Runs work whose signal aborts at the request's deadline, and when the client has left. The work itself decides what that ends.
 * @param late makes the signal's reason at the deadline
 */
export async function untilDeadline<Result>(
  { searchMs, waitedMs, signal }: TimedRequest,
  work: (ended: AbortSignal) => Promise<Result>,
  late: () => Error = () => new HttpError("OVERLOADED"),
): Promise<Result> {
  const ending = new AbortController();
  const leave = (): void => ending.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  const timer = setTimeout(() => ending.abort(late()), Math.max(0, searchMs - waitedMs()));
  try {
    return await work(ending.signal);
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
