import { arrayReply, type Reply } from "../reply.ts";
import type { BotRequest } from "./bot-request.ts";

/** `POST /api/v1/knowledge/search` */
export async function searchKnowledge({ bot, json }: BotRequest): Promise<Reply> {
  const results = await bot.searchRequest(await json());
  return arrayReply(200, { head: "[", rows: results, tail: "]" });
}
