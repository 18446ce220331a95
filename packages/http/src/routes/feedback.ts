import { jsonReply, type Reply } from "../reply.ts";
import type { BotRequest } from "./bot-request.ts";

/** `POST /api/v1/knowledge/feedback` */
export async function giveFeedback(request: BotRequest): Promise<Reply> {
  await request.feedback(await request.json());
  return jsonReply(200, { success: true });
}
