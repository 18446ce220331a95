import type { KeyScope } from "@loredex/core";
import { describeApi } from "../openapi/document.ts";
import type { Reply } from "../reply.ts";
import type { Route } from "../router.ts";
import { createArticle, deleteArticle, getArticle, listArticles, previewArticle, updateArticle } from "./articles.ts";
import { runBatch } from "./batch.ts";
import type { BotRequest } from "./bot-request.ts";
import { reportHealth, reportReadiness, type ServerState } from "./health.ts";
import { searchKnowledge } from "./search.ts";

/** What anyone may ask, without a key. */
export const OPEN_ROUTES: readonly Route<(state: ServerState) => Reply>[] = [
  { path: "/health", handlers: { GET: reportHealth } },
  { path: "/ready", handlers: { GET: reportReadiness } },
  { path: "/openapi.json", handlers: { GET: describeApi } },
];

/** A route that is answered by the bot whose key is sent. */
export interface BotRoute extends Route<(request: BotRequest) => Promise<Reply>> {
  /** What a key must open for it. */
  readonly scope: KeyScope;
}

export const BOT_ROUTES: readonly BotRoute[] = [
  { path: "/api/v1/knowledge/search", scope: "search", handlers: { POST: searchKnowledge } },
  { path: "/api/v1/knowledge/preview", scope: "all", handlers: { POST: previewArticle } },
  { path: "/api/v1/knowledge/batch", scope: "all", handlers: { POST: runBatch } },
  { path: "/api/v1/knowledge", scope: "all", handlers: { GET: listArticles, POST: createArticle } },
  {
    path: "/api/v1/knowledge/:id",
    scope: "all",
    handlers: { GET: getArticle, PUT: updateArticle, DELETE: deleteArticle },
  },
];

/** Every path of the API. */
export const ROUTES: readonly Route<unknown>[] = [...OPEN_ROUTES, ...BOT_ROUTES];
