import { HttpError } from "../errors.ts";
import { arrayReply, type Reply } from "../reply.ts";
import type { BotRequest } from "./bot-request.ts";

/** `POST /api/v1/knowledge/search` */
export async function searchKnowledge({ bot, json, searchMs, waitedMs, signal }: BotRequest): Promise<Reply> {
  const body = await json();
  const given = { limitMs: searchMs, waitedMs: waitedMs(), signal };
  const results = await inTime((ended) => bot.searchRequest(body, undefined, ended), given);
  return arrayReply(200, { head: "[", rows: results, tail: "]" });
}

interface Given {
  readonly limitMs: number;
  readonly waitedMs: number;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * What comes too late is refused, whether it waited or worked: its client has most likely left. The work is given a signal that ends it then,
 * and when its client has left.
 * @throws HttpError `OVERLOADED`
 */
async function inTime<Result>(work: (ended: AbortSignal) => Promise<Result>, given: Given): Promise<Result> {
  const { limitMs, waitedMs, signal } = given;
  const startedMs = performance.now() - waitedMs;
  const ending = new AbortController();
  const leave = (): void => ending.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        ending.abort(tooLate(limitMs));
        reject(tooLate(limitMs));
      },
      Math.max(0, limitMs - waitedMs),
    );
  });
  try {
    const result = await Promise.race([work(ending.signal), late]);
    // While the thread worked, the timer had no turn.
    if (performance.now() - startedMs > limitMs) throw tooLate(limitMs);
    return result;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

function tooLate(limitMs: number): HttpError {
  const seconds = limitMs / 1_000;
  return new HttpError(
    "OVERLOADED",
    `The search took more than ${seconds} seconds and was given up. Please try again.`,
  );
}
