import {
  type Article,
  DOCUMENT_OFFSET_MAX,
  DOCUMENT_SEARCH_CHARACTERS_MAX,
  DOCUMENT_SORTS,
  DOCUMENT_STATES,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  PAGE_DOCUMENTS_MAX,
} from "@loredex/core";
import { jsonReply, type Reply } from "../reply.ts";
import {
  createdArticle,
  createdReply,
  deleteArticle as deleteArticleOf,
  getArticle as getArticleOf,
  listArticles as listArticlesOf,
  previewArticle as previewArticleOf,
  updateArticle as updateArticleOf,
} from "../routes/articles.ts";
import { showUsage } from "../routes/usage.ts";
import { aChoice, aFlag, aNumeral, aText, maybe, readFields, readQuery } from "./fields.ts";
import { type AdminBotRequest, DONE, dataReply, parameter } from "./request.ts";

/** Articles, imported documents and their sources. */

export async function listDocuments({ opened, query }: AdminBotRequest): Promise<Reply> {
  const request = readQuery(query, {
    offset: maybe(aNumeral(0, DOCUMENT_OFFSET_MAX)),
    limit: maybe(aNumeral(1, PAGE_DOCUMENTS_MAX)),
    sort: maybe(aChoice(DOCUMENT_SORTS)),
    search: maybe(aText({ max: DOCUMENT_SEARCH_CHARACTERS_MAX })),
    type: maybe(aChoice(DOCUMENT_TYPES)),
    status: maybe(aChoice(DOCUMENT_STATES)),
  });
  const { rows, total } = await (await opened()).documentPage(request);
  return jsonReply(200, { success: true, data: rows, total });
}

/** An imported document, or an article as searches return it. */
export async function getDocument(request: AdminBotRequest): Promise<Reply> {
  const id = parameter(request, "id");
  const article = await (await request.opened()).getArticle(id);
  if (article !== undefined) return dataReply(asDocument(article));
  return dataReply(await request.admin.operator.getDocument(request.bot.id, id));
}

function asDocument({ id, status, title, body, metadata, source }: Article) {
  const url = source === undefined ? {} : { url: source };
  const metaData = { ...metadata, title };
  return { resourceDocId: id, type: "EXTERNAL", status, metaData, ...url, content: [{ md: body }] };
}

export async function setDocumentStatus(request: AdminBotRequest): Promise<Reply> {
  const { status } = readFields(await request.json(), { status: aChoice(DOCUMENT_STATUSES) });
  await request.admin.operator.setDocumentStatus(request.bot.id, parameter(request, "id"), status);
  return DONE();
}

export async function removeDocument(request: AdminBotRequest): Promise<Reply> {
  await request.admin.operator.removeDocument(request.bot.id, parameter(request, "id"));
  return DONE();
}

export async function listSources({ admin, bot }: AdminBotRequest): Promise<Reply> {
  return dataReply(await admin.operator.listSources(bot.id));
}

export async function removeSource(request: AdminBotRequest): Promise<Reply> {
  const removed = await request.admin.operator.removeSource(request.bot.id, parameter(request, "source"));
  return dataReply({ removed });
}

/** With `?undo=true` a deleted article is created again, without the rate. */
export async function createArticle(request: AdminBotRequest): Promise<Reply> {
  const { undo = false } = readQuery(request.query, { undo: maybe(aFlag) });
  const write = await createdArticle(await request.asBotRequest(), { withoutRate: undo });
  request.names({ target: write.article.id });
  return createdReply(write);
}

export const listArticles = async (request: AdminBotRequest) => listArticlesOf(await request.asBotRequest());
export const getArticle = async (request: AdminBotRequest) => getArticleOf(await request.asBotRequest());
export const updateArticle = async (request: AdminBotRequest) => updateArticleOf(await request.asBotRequest());
export const deleteArticle = async (request: AdminBotRequest) => deleteArticleOf(await request.asBotRequest());
export const previewArticle = async (request: AdminBotRequest) => previewArticleOf(await request.asBotRequest());
export const usage = async (request: AdminBotRequest) => showUsage(await request.asBotRequest());
