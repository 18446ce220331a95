import { contextOf } from "../dify/knowledge-id.ts";
import { recordsOf } from "../dify/records.ts";
import { RetrievalError } from "../dify/refusals.ts";
import { parseRetrieval } from "../dify/request.ts";
import { arrayReply, type Reply } from "../reply.ts";
import type { BotRequest } from "./bot-request.ts";
import { searchInTime, stalenessOf } from "./search.ts";

/** `POST /api/v1/retrieval`: a search by Dify in the bot that the key opens. */
export async function retrieveForDify(request: BotRequest): Promise<Reply> {
  const { knowledgeId, query, filters, topK, scoreThreshold } = parseRetrieval(await request.json());
  // The key identifies the bot. The id must agree, so that a key in the wrong place does not answer with the wrong knowledge.
  const { id, name } = request.opened;
  const context = contextOf(knowledgeId.trim(), [id, name]);
  if (context === undefined) throw new RetrievalError("KNOWLEDGE_NOT_FOUND");
  const answer = await searchInTime(request, { query, filters, options: { topK, context } });
  const rows = recordsOf(answer.results, { topK, scoreThreshold });
  return arrayReply(200, { head: '{"records":[', rows, tail: "]}" }, stalenessOf(answer));
}
