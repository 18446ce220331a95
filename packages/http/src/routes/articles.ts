import type { Article, ArticleCreateOptions, ArticleWrite } from "@loredex/core";
import { articleTag, isKnownArticle, LoredexError, parseArticleFilter } from "@loredex/core";
import { arrayReply, emptyReply, jsonReply, type Reply } from "../reply.ts";
import { queryParameters } from "../request-target.ts";
import { CREATED, deletedBody, UPDATED, writtenBody } from "./article-bodies.ts";
import type { ArticleRequest } from "./bot-request.ts";
import { inTime, untilDeadline } from "./in-time.ts";

/** `POST /api/v1/knowledge` */
export async function createArticle(request: ArticleRequest): Promise<Reply> {
  return createdReply(await createdArticle(request));
}

/** Creates the article of the body. */
export async function createdArticle(
  request: ArticleRequest,
  options: Pick<ArticleCreateOptions, "withoutRate"> = {},
): Promise<ArticleWrite> {
  const { bot, header, json } = request;
  const idempotencyKey = header("idempotency-key");
  const body = await json();
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  return untilDeadline(request, (signal) => bot.createArticle(body, { ...options, ...key, signal }));
}

/** The answer to a create. */
export function createdReply(write: ArticleWrite): Reply {
  const headers = { ...tagged(write.article), ...(write.isReplayed ? { "idempotent-replayed": "true" } : {}) };
  return jsonReply(200, writtenBody(CREATED, write), headers);
}

/** `GET /api/v1/knowledge` */
export async function listArticles({ bot, query }: ArticleRequest): Promise<Reply> {
  const { articles, next } = await bot.articlePage(parseArticleFilter(queryParameters(query)));
  const tail = next === undefined ? "]}" : `],"next":${JSON.stringify(next)}}`;
  return arrayReply(200, { head: '{"success":true,"data":[', rows: articles, tail });
}

/** `GET /api/v1/knowledge/:id` */
export async function getArticle(request: ArticleRequest): Promise<Reply> {
  const article = await knownArticle(request);
  const ifNoneMatch = request.header("if-none-match");
  if (ifNoneMatch !== undefined && isKnownArticle(article, ifNoneMatch)) return emptyReply(tagged(article), 304);
  return jsonReply(200, { success: true, data: article }, tagged(article));
}

/** `PUT /api/v1/knowledge/:id` */
export async function updateArticle(request: ArticleRequest): Promise<Reply> {
  const { bot, json } = request;
  // A missing article is reported before an invalid body, so the article is looked up before the body is read.
  const { id } = await knownArticle(request);
  const body = await json();
  const options = condition(request);
  const write = await untilDeadline(request, (signal) => bot.updateArticle(id, body, { ...options, signal }));
  return jsonReply(200, writtenBody(UPDATED, write), tagged(write.article));
}

/** `DELETE /api/v1/knowledge/:id` */
export async function deleteArticle(request: ArticleRequest): Promise<Reply> {
  const id = articleId(request);
  const options = condition(request);
  await untilDeadline(request, (signal) => request.bot.deleteArticle(id, { ...options, signal }));
  return jsonReply(200, deletedBody(id));
}

/** `POST /api/v1/knowledge/preview` */
export async function previewArticle(request: ArticleRequest): Promise<Reply> {
  const body = await request.json();
  const preview = await inTime("preview", request, (signal) => request.bot.previewArticle(body, { signal }));
  const { passages, ...figures } = preview;
  const start = JSON.stringify({ success: true, data: figures }).slice(0, -2);
  return arrayReply(200, { head: `${start},"passages":[`, rows: passages, tail: "]}}" });
}

function tagged(article: Article): Record<string, string> {
  return { etag: articleTag(article) };
}

function condition({ header }: ArticleRequest): { readonly ifMatch?: string } {
  const ifMatch = header("if-match");
  return ifMatch === undefined ? {} : { ifMatch };
}

/** Reads the article whose id is in the path. @throws LoredexError `ARTICLE_NOT_FOUND` */
async function knownArticle(request: ArticleRequest): Promise<Article> {
  const article = await request.bot.getArticle(articleId(request));
  if (article === undefined) throw new LoredexError("ARTICLE_NOT_FOUND", "no such article");
  return article;
}

function articleId({ parameters }: ArticleRequest): string {
  return parameters.get("id") ?? "";
}
