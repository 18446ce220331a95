import { jsonReply, type Reply } from "../reply.ts";
import type { ArticleRequest } from "./bot-request.ts";
import { inTime } from "./in-time.ts";
import { stalenessOf } from "./search.ts";

/** `POST /api/v1/knowledge/suggest` */
export async function suggestTexts(request: ArticleRequest): Promise<Reply> {
  const body = await request.json();
  const answer = await inTime("suggestion", request, (ended) => request.bot.suggestRequest(body, ended));
  return jsonReply(200, { success: true, data: answer.suggestions }, stalenessOf(answer));
}
