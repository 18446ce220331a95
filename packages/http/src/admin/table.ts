import * as bots from "./bots.ts";
import { consolePath } from "./console-files.ts";
import * as documents from "./documents.ts";
import * as insights from "./insights.ts";
import * as jobs from "./jobs.ts";
import { type AdminRoute, changesBot, createsBot, reads, readsBot, withQuery } from "./request.ts";
import * as searches from "./searches.ts";
import { listChanges, sendEvents, showStatus } from "./server.ts";
import { closeSession, SESSION_PATH, showSession } from "./session.ts";
import { backup, restore } from "./transfers.ts";

/** The paths of the admin API below this one. */
const ADMIN_PATH = "/api/v1/admin";
/** Of the events of the console. */
export const EVENTS_PATH = `${ADMIN_PATH}/events`;
const BOT = `${ADMIN_PATH}/bots/:bot`;

/** All operations of the admin API but `POST /session`, which needs no key. Literal paths stand before those with parameters. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  {
    path: SESSION_PATH,
    handlers: {
      GET: reads(showSession),
      DELETE: { access: "own", action: "sign out", takesQuery: true, run: closeSession, ofBot: false },
    },
  },
  {
    path: `${ADMIN_PATH}/bots`,
    handlers: { GET: reads(bots.listBots), POST: createsBot("bot create", bots.createBot) },
  },
  {
    path: BOT,
    handlers: {
      GET: readsBot(bots.showBot),
      PUT: changesBot("bot set", bots.setBot),
      DELETE: changesBot("bot remove", bots.removeBot),
    },
  },
  {
    path: `${BOT}/keys`,
    handlers: { GET: readsBot(bots.listKeys), POST: changesBot("key add", bots.addKey) },
  },
  { path: `${BOT}/keys/:name/rotate`, handlers: { POST: changesBot("key rotate", bots.rotateKey) } },
  { path: `${BOT}/keys/:name`, handlers: { DELETE: changesBot("key revoke", bots.revokeKey) } },
  { path: `${BOT}/agents`, handlers: { GET: readsBot(bots.listRegistered("agent")) } },
  {
    path: `${BOT}/agents/:name`,
    handlers: {
      PUT: changesBot("agent put", bots.putRegistered("agent")),
      DELETE: changesBot("agent remove", bots.removeRegistered("agent")),
    },
  },
  { path: `${BOT}/agents/:name/articles`, handlers: { GET: readsBot(bots.articlesOfAgent) } },
  { path: `${BOT}/channels`, handlers: { GET: readsBot(bots.listRegistered("channel")) } },
  {
    path: `${BOT}/channels/:name`,
    handlers: {
      PUT: changesBot("channel put", bots.putRegistered("channel")),
      DELETE: changesBot("channel remove", bots.removeRegistered("channel")),
    },
  },
  { path: `${BOT}/sources`, handlers: { GET: readsBot(documents.listSources) } },
  { path: `${BOT}/sources/:source`, handlers: { DELETE: changesBot("source remove", documents.removeSource) } },
  { path: `${BOT}/sources/:source/sync`, handlers: { POST: changesBot("source sync", jobs.syncSource) } },
  { path: `${BOT}/documents`, handlers: { GET: withQuery(readsBot(documents.listDocuments)) } },
  {
    path: `${BOT}/documents/:id`,
    handlers: {
      GET: readsBot(documents.getDocument),
      DELETE: changesBot("document remove", documents.removeDocument),
    },
  },
  {
    path: `${BOT}/documents/:id/status`,
    handlers: { PUT: changesBot("document status", documents.setDocumentStatus) },
  },
  {
    path: `${BOT}/articles`,
    handlers: {
      GET: withQuery(readsBot(documents.listArticles)),
      POST: withQuery(changesBot("article create", documents.createArticle)),
    },
  },
  { path: `${BOT}/articles/preview`, handlers: { POST: withQuery(readsBot(documents.previewArticle)) } },
  {
    path: `${BOT}/articles/:id`,
    handlers: {
      GET: withQuery(readsBot(documents.getArticle)),
      PUT: changesBot("article update", documents.updateArticle),
      DELETE: changesBot("article delete", documents.deleteArticle),
    },
  },
  { path: `${BOT}/usage`, handlers: { GET: withQuery(readsBot(documents.usage)) } },
  { path: `${BOT}/search`, handlers: { POST: withQuery(readsBot(searches.search)) } },
  { path: `${BOT}/query`, handlers: { POST: withQuery(readsBot(searches.query)) } },
  { path: `${BOT}/suggest`, handlers: { POST: readsBot(searches.suggest) } },
  { path: `${BOT}/explain`, handlers: { POST: readsBot(searches.explain) } },
  {
    path: `${BOT}/vocabulary`,
    handlers: {
      GET: readsBot(searches.getVocabulary),
      PUT: changesBot("vocabulary set", searches.setVocabulary),
    },
  },
  { path: `${BOT}/uploads`, handlers: { POST: withQuery(changesBot("import file", jobs.upload)) } },
  { path: `${BOT}/imports`, handlers: { POST: changesBot("import address", jobs.importAddresses) } },
  { path: `${BOT}/jobs`, handlers: { GET: readsBot(jobs.listJobs) } },
  { path: `${BOT}/jobs/:id`, handlers: { GET: readsBot(jobs.getJob) } },
  {
    path: `${BOT}/golden`,
    handlers: { GET: readsBot(insights.getGolden), PUT: changesBot("golden set", insights.setGolden) },
  },
  {
    path: `${BOT}/runs`,
    handlers: { GET: readsBot(insights.listRuns), POST: changesBot("eval", jobs.startRun) },
  },
  { path: `${BOT}/runs/:id`, handlers: { GET: readsBot(insights.getRun) } },
  { path: `${BOT}/gaps`, handlers: { GET: withQuery(readsBot(insights.listGaps)) } },
  {
    path: `${BOT}/questions`,
    handlers: {
      GET: withQuery(readsBot(insights.listQuestions)),
      DELETE: changesBot("questions clear", insights.clearQuestions),
    },
  },
  { path: `${BOT}/findings`, handlers: { GET: readsBot(insights.listFindings) } },
  { path: `${BOT}/backup`, handlers: { GET: withQuery({ ...readsBot(backup), action: "backup" }) } },
  { path: `${ADMIN_PATH}/restore`, handlers: { POST: withQuery(createsBot("restore", restore)) } },
  { path: `${ADMIN_PATH}/changes`, handlers: { GET: withQuery(reads(listChanges)) } },
  { path: `${ADMIN_PATH}/status`, handlers: { GET: reads(showStatus) } },
  { path: EVENTS_PATH, handlers: { GET: reads(sendEvents) } },
];

/** Whether a path belongs to the admin API, known or not. */
export function isAdminPath(segments: readonly string[]): boolean {
  return ADMIN_PATH.split("/").every((segment, index) => segments[index] === segment);
}

/** Whether a path belongs to the admin API or to the console, which a server may lack. */
export function isOfConsole(segments: readonly string[]): boolean {
  return isAdminPath(segments) || consolePath(segments) !== undefined;
}

/** The operations of the admin API, as the log and metrics name them. */
export const ADMIN_OPERATIONS: readonly { readonly method: string; readonly path: string }[] = [
  { method: "POST", path: SESSION_PATH },
  ...ADMIN_ROUTES.flatMap(({ path, handlers }) => Object.keys(handlers).map((method) => ({ method, path }))),
];
