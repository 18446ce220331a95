import { HttpError } from "../errors.ts";
import { arrayReply, type Reply } from "../reply.ts";
import type { BotRequest } from "./bot-request.ts";

/** `POST /api/v1/knowledge/search` */
export async function searchKnowledge({ bot, json, searchMs, waitedMs }: BotRequest): Promise<Reply> {
  const body = await json();
  const results = await inTime(() => bot.searchRequest(body), searchMs, waitedMs());
  return arrayReply(200, { head: "[", rows: results, tail: "]" });
}

/**
 * What comes too late is refused, whether it waited or worked: its client has most likely left.
 * @throws HttpError `OVERLOADED`
 */
async function inTime<Result>(work: () => Promise<Result>, limitMs: number, waitedMs: number): Promise<Result> {
  const startedMs = performance.now() - waitedMs;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(limitMs)), Math.max(0, limitMs - waitedMs));
  });
  try {
    const result = await Promise.race([work(), late]);
    // While the thread worked, the timer had no turn.
    if (performance.now() - startedMs > limitMs) throw tooLate(limitMs);
    return result;
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(limitMs: number): HttpError {
  const seconds = limitMs / 1_000;
  return new HttpError(
    "OVERLOADED",
    `The search took more than ${seconds} seconds and was given up. Please try again.`,
  );
}
