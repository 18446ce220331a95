import { ERROR_TABLE } from "../errors.ts";
import { schemaRef } from "./schemas.ts";

/** The operations: what is sent to each path and what may come back. */

type ErrorName = keyof typeof ERROR_TABLE;

const requestId = {
  "x-request-id": { description: "Names this request in the service's log.", schema: { type: "string" } },
};
const retryAfter = {
  "retry-after": {
    description: "Whole seconds after which the same request can succeed.",
    schema: { type: "integer" },
  },
};
const allow = { allow: { description: "The methods of this path.", schema: { type: "string" } } };

/** Headers of answers with these statuses, besides the request's id. */
const HEADERS: Readonly<Record<number, object>> = { 405: allow, 429: retryAfter, 503: retryAfter };

function answer(description: string, schema: object, status = 200, type = "application/json") {
  return { description, headers: { ...requestId, ...HEADERS[status] }, content: { [type]: { schema } } };
}

/** What any operation with a key can answer when the service cannot do its work. */
const COMMON: readonly ErrorName[] = [
  "METHOD_NOT_ALLOWED",
  "UNAUTHENTICATED",
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE",
  "INTERNAL",
  "OVERLOADED",
  "CLOSED",
  "CORRUPT",
  "BOT_INACCESSIBLE",
];
const WITH_BODY: readonly ErrorName[] = ["VALIDATION", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];
const WRITING: readonly ErrorName[] = ["READ_ONLY", "NO_ACCESS", "DISK_FULL", "BOT_FULL"];
const CHARGED: readonly ErrorName[] = ["QUOTA_EXCEEDED", "RATE_EXCEEDED"];

/** Answers by status; several errors of one status share one. */
function failures(...groups: readonly (readonly ErrorName[])[]) {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of groups.flat()) {
    const { status } = ERROR_TABLE[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  const entries = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(entries.map(([status, names]) => [String(status), failure(status, names)]));
}

function failure(status: number, names: readonly ErrorName[]) {
  if (status === ERROR_TABLE.VALIDATION.status) {
    return answer("Code 1001: the input breaks the rules that data.result names.", schemaRef("InvalidInput"), status);
  }
  if (status === ERROR_TABLE.RATE_EXCEEDED.status)
    return answer(RATE_EXCEEDED, { type: "string" }, status, "text/plain");
  const codes = [...new Set(names.map((name) => ERROR_TABLE[name].number))];
  return answer(`Code ${codes.join(", ")}: see the table of errors.`, schemaRef("Failure"), status);
}

const RATE_EXCEEDED =
  "More characters were added within a minute than the bot's rate allows. Without Retry-After the write is larger than a whole minute allows and can never be admitted as it is.";

const jsonBody = (schema: object) => ({ required: true, content: { "application/json": { schema } } });

const idParameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The article's id.",
  schema: { type: "string" },
};

const queryParameter = (name: string, description: string) => ({
  name,
  in: "query",
  required: false,
  description,
  schema: { type: "string" },
});

const openOperation = (operationId: string, summary: string, schema: object) => ({
  operationId,
  summary,
  security: [],
  responses: { "200": answer("Yes.", schema), ...failures(["VALIDATION", "METHOD_NOT_ALLOWED"]) },
});

export const PATHS = {
  "/api/v1/knowledge/search": {
    post: {
      operationId: "searchKnowledge",
      summary: "Find the documents that answer a question, best first",
      requestBody: jsonBody(schemaRef("SearchRequest")),
      responses: {
        "200": answer("The documents that match, by falling bestMatchScore; empty if none does.", {
          type: "array",
          items: schemaRef("SearchResult"),
        }),
        ...failures(COMMON, WITH_BODY),
      },
    },
  },
  "/api/v1/knowledge": {
    post: {
      operationId: "createArticle",
      summary: "Create an article",
      requestBody: jsonBody(schemaRef("ArticleCreate")),
      responses: {
        "200": answer("The article is stored and is being made searchable.", schemaRef("ArticleWritten")),
        ...failures(COMMON, WITH_BODY, CHARGED, WRITING),
      },
    },
    get: {
      operationId: "listArticles",
      summary: "List articles, oldest first",
      parameters: [
        queryParameter("id", "Only the article with this id."),
        queryParameter("title", "Only articles with exactly this title."),
      ],
      responses: {
        "200": answer("The articles that match both parameters; empty if none does.", schemaRef("ArticleList")),
        ...failures(COMMON, ["VALIDATION"]),
      },
    },
  },
  "/api/v1/knowledge/{id}": {
    parameters: [idParameter],
    put: {
      operationId: "updateArticle",
      summary: "Update an article",
      requestBody: jsonBody(schemaRef("ArticleUpdate")),
      responses: {
        "200": answer(
          "The update is stored; searches show it as soon as the status is active.",
          schemaRef("ArticleWritten"),
        ),
        ...failures(COMMON, ["ARTICLE_NOT_FOUND"], WITH_BODY, CHARGED, WRITING),
      },
    },
    delete: {
      operationId: "deleteArticle",
      summary: "Delete an article",
      responses: {
        "200": answer("The article is gone; no search finds it any more.", schemaRef("ArticleDeleted")),
        ...failures(COMMON, ["ARTICLE_NOT_FOUND", "VALIDATION"], WRITING),
      },
    },
  },
  "/health": { get: openOperation("reportHealth", "Does the process answer?", schemaRef("Condition")) },
  "/ready": {
    get: {
      operationId: "reportReadiness",
      summary: "Are requests welcome?",
      security: [],
      responses: {
        "200": answer("Yes.", schemaRef("Readiness")),
        ...failures(["VALIDATION", "METHOD_NOT_ALLOWED"]),
        "503": answer(
          "Code 50001: the server is closing. Code 50002: nothing can be written, reading goes on.",
          schemaRef("NotReady"),
          503,
        ),
      },
    },
  },
  "/openapi.json": { get: openOperation("describeApi", "This document", { type: "object" }) },
};
