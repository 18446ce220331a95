import type { QueryAnswer, SearchAnswer } from "@loredex/core";
import type { JsonRecord } from "../json.ts";
import { arrayReply, jsonReply, type Reply } from "../reply.ts";
import type { BotRequest } from "./bot-request.ts";
import { inTime } from "./in-time.ts";

/** `POST /api/v1/knowledge/search` */
export async function searchKnowledge(request: BotRequest): Promise<Reply> {
  const answer = await searchInTime(request, await request.json());
  return arrayReply(200, { head: "[", rows: answer.results, tail: "]" }, stalenessOf(answer));
}

/** `POST /api/v1/knowledge/query` */
export async function queryKnowledge(request: BotRequest): Promise<Reply> {
  const body = await request.json();
  const { requestId } = request;
  const answer = await inTime("search", request, (ended) =>
    request.bot.queryRequest(body, undefined, ended, { requestId }),
  );
  return queryReply(answer);
}

/** The answer to a query, with what was counted beside its results. */
export function queryReply(answer: QueryAnswer): Reply {
  const { results: data, staleSeconds: _, ...counted } = answer;
  return jsonReply(200, { success: true, data, ...counted }, stalenessOf(answer));
}

/** The header of an answer to a search that may be behind other nodes. */
export function stalenessOf({ staleSeconds }: Pick<SearchAnswer, "staleSeconds">): Reply["headers"] {
  return staleSeconds === undefined ? {} : { "x-loredex-stale": String(staleSeconds) };
}

/** Searches as the body asks, after the request's own body has been read. @throws HttpError `OVERLOADED` if it takes too long */
export function searchInTime(request: BotRequest, body: JsonRecord): Promise<SearchAnswer> {
  const { requestId } = request;
  return inTime("search", request, (ended) => request.bot.answerRequest(body, undefined, ended, { requestId }));
}
