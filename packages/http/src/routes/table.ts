import type { IncomingMessage } from "node:http";
import type { KeyScope } from "@loredex/core";
import { difyFailureOf } from "../dify/refusals.ts";
import type { Failure } from "../errors.ts";
import { describeApi } from "../openapi/document.ts";
import { type Reply, redirectReply } from "../reply.ts";
import type { Route } from "../router.ts";
import { createArticle, deleteArticle, getArticle, listArticles, previewArticle, updateArticle } from "./articles.ts";
import { runBatch } from "./batch.ts";
import type { BotRequest } from "./bot-request.ts";
import { sendPageFile, showDocs } from "./docs.ts";
import { giveFeedback } from "./feedback.ts";
import { reportHealth, reportReadiness, type ServerState } from "./health.ts";
import type { OpenRequest } from "./open-request.ts";
import { retrieveForDify } from "./retrieval.ts";
import { queryKnowledge, searchKnowledge } from "./search.ts";
import { suggestTexts } from "./suggest.ts";
import { showUsage } from "./usage.ts";

/** A route that needs no key. */
type OpenRoute = Route<(state: ServerState, request: OpenRequest) => Reply>;

const ALWAYS_OPEN: readonly OpenRoute[] = [
  { path: "/health", handlers: { GET: reportHealth } },
  { path: "/ready", handlers: { GET: reportReadiness } },
  { path: "/openapi.json", handlers: { GET: describeApi } },
  // For a proxy that only forwards the API itself.
  { path: "/api/v1/openapi.json", handlers: { GET: describeApi } },
];

const DOCS: readonly OpenRoute[] = [
  { path: "/docs", handlers: { GET: showDocs } },
  { path: "/docs/:file", handlers: { GET: sendPageFile } },
];

/** Addresses that people type for the page. They lead to it, and are not described: a description has no path with a slash at its end. */
const TO_DOCS: readonly OpenRoute[] = [
  { path: "/", handlers: { GET: () => redirectReply("docs") } },
  { path: "/docs/", handlers: { GET: () => redirectReply("../docs") } },
];

/** A route that the bot of the key answers. */
export interface BotRoute extends Route<(request: BotRequest) => Promise<Reply>> {
  /** The scope that a key must have. */
  readonly scope: KeyScope;
  /** The form of its refusals, if it is not the usual one. */
  readonly failureOf?: FailureForm;
}

/** Makes the answer to an error. */
export type FailureForm = (error: unknown, request: IncomingMessage) => Failure;

export const BOT_ROUTES: readonly BotRoute[] = [
  { path: "/api/v1/knowledge/search", scope: "search", handlers: { POST: searchKnowledge } },
  { path: "/api/v1/knowledge/query", scope: "search", handlers: { POST: queryKnowledge } },
  { path: "/api/v1/knowledge/suggest", scope: "search", handlers: { POST: suggestTexts } },
  { path: "/api/v1/knowledge/feedback", scope: "search", handlers: { POST: giveFeedback } },
  { path: "/api/v1/retrieval", scope: "search", handlers: { POST: retrieveForDify }, failureOf: difyFailureOf },
  { path: "/api/v1/knowledge/preview", scope: "all", handlers: { POST: previewArticle } },
  { path: "/api/v1/knowledge/batch", scope: "all", handlers: { POST: runBatch } },
  { path: "/api/v1/knowledge", scope: "all", handlers: { GET: listArticles, POST: createArticle } },
  {
    path: "/api/v1/knowledge/:id",
    scope: "all",
    handlers: { GET: getArticle, PUT: updateArticle, DELETE: deleteArticle },
  },
  { path: "/api/v1/usage", scope: "all", handlers: { GET: showUsage } },
];

/** The operations of the API that need a key: each method of each path, as the log and metrics name it. */
export const API_OPERATIONS: readonly { readonly method: string; readonly path: string }[] = BOT_ROUTES.flatMap(
  ({ path, handlers }) => Object.keys(handlers).map((method) => ({ method, path })),
);

/** The paths of a server. */
export interface Routes {
  readonly open: readonly OpenRoute[];
  readonly all: readonly Route<unknown>[];
  /** Those of all that the description has. */
  readonly described: readonly Route<unknown>[];
}

/** The routes, with or without the page at `/docs`. */
export function routesWith({ docs }: { readonly docs: boolean }): Routes {
  const described = docs ? [...ALWAYS_OPEN, ...DOCS] : ALWAYS_OPEN;
  const open = docs ? [...described, ...TO_DOCS] : described;
  return { open, all: [...open, ...BOT_ROUTES], described: [...described, ...BOT_ROUTES] };
}
