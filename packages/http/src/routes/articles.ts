import type { ArticleWrite } from "@loredex/core";
import { LoredexError, parseArticleFilter } from "@loredex/core";
import { arrayReply, jsonReply, type Reply } from "../reply.ts";
import { queryParameters } from "../request-target.ts";
import type { BotRequest } from "./bot-request.ts";

/** `POST /api/v1/knowledge` */
export async function createArticle({ bot, json }: BotRequest): Promise<Reply> {
  const write = await bot.createArticle(await json());
  return writeReply("Content addition was initiated.", write);
}

/** `GET /api/v1/knowledge` */
export async function listArticles({ bot, query }: BotRequest): Promise<Reply> {
  const filter = parseArticleFilter(queryParameters(query));
  return arrayReply(200, { head: '{"success":true,"data":[', rows: await bot.listArticles(filter), tail: "]}" });
}

/** `PUT /api/v1/knowledge/:id` */
export async function updateArticle({ bot, parameters, json }: BotRequest): Promise<Reply> {
  const id = articleId(parameters);
  // A missing article is told before anything is said about the body, so it is looked up before the body is read.
  if ((await bot.getArticle(id)) === undefined) throw new LoredexError("ARTICLE_NOT_FOUND", "no such article");
  const write = await bot.updateArticle(id, await json());
  return writeReply("Content update was initiated.", write);
}

/** `DELETE /api/v1/knowledge/:id` */
export async function deleteArticle({ bot, parameters }: BotRequest): Promise<Reply> {
  const id = articleId(parameters);
  await bot.deleteArticle(id);
  return jsonReply(200, { success: true, message: `Article ${id} was deleted.` });
}

function writeReply(message: string, { article, characterUsed }: ArticleWrite): Reply {
  return jsonReply(200, { success: true, message, data: article, characterUsed });
}

function articleId(parameters: ReadonlyMap<string, string>): string {
  return parameters.get("id") ?? "";
}
