import { IDEMPOTENCY_KEY_CHARACTERS_MAX, PAGE_ARTICLES_MAX } from "@loredex/core";
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

const etag = {
  etag: {
    description: "Names the article as it is in this answer: another one as soon as any of its fields is another.",
    schema: { type: "string" },
  },
};
const replayed = {
  "idempotent-replayed": {
    description:
      "The article was created before, by a request with the same Idempotency-Key: this is the answer of then.",
    schema: { const: "true" },
  },
};

/** Headers of answers with these statuses, besides the request's id. */
const HEADERS: Readonly<Record<number, object>> = { 405: allow, 429: retryAfter, 503: retryAfter };

function answer(description: string, schema: object, status = 200, type = "application/json") {
  return { description, headers: { ...requestId, ...HEADERS[status] }, content: { [type]: { schema } } };
}

/** An answer with one article. */
function articleAnswer(description: string, schema: object, more: object = {}) {
  const { headers, ...rest } = answer(description, schema);
  return { ...rest, headers: { ...headers, ...etag, ...more } };
}

/** What any operation with a key can answer when the service cannot do its work. */
const COMMON: readonly ErrorName[] = [
  "METHOD_NOT_ALLOWED",
  "UNAUTHENTICATED",
  "REQUEST_RATE_EXCEEDED",
  "REQUEST_TIMEOUT",
  "HEADERS_TOO_LARGE",
  "INTERNAL",
  "OVERLOADED",
  "CLOSED",
  "RECOVERING",
  "CORRUPT",
  "BOT_INACCESSIBLE",
];
/** What a key that opens the search alone is refused. */
const ARTICLES: readonly ErrorName[] = [...COMMON, "KEY_SCOPE"];
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
  if (names.includes("RATE_EXCEEDED")) return tooMuch(status);
  const codes = [...new Set(names.map((name) => ERROR_TABLE[name].number))];
  return answer(`Code ${codes.join(", ")}: see the table of errors.`, schemaRef("Failure"), status);
}

/** Two refusals of one status, told apart by their form. */
function tooMuch(status: number) {
  const { content, ...rest } = answer(RATE_EXCEEDED, { type: "string" }, status, "text/plain");
  return { ...rest, content: { ...content, "application/json": { schema: schemaRef("Failure") } } };
}

const RATE_EXCEEDED =
  "More characters were added within a minute than the bot's rate allows. Without Retry-After the write is larger than a whole minute allows and can never be admitted as it is. As JSON, with code 4290: the key has made as many requests as it may within a minute.";

const jsonBody = (schema: object) => ({ required: true, content: { "application/json": { schema } } });

const idParameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The article's id.",
  schema: { type: "string" },
};

const queryParameter = (name: string, description: string, schema: object = { type: "string" }) => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

const header = (name: string, description: string, schema: object = { type: "string" }) => ({
  name,
  in: "header",
  required: false,
  description,
  schema,
});

const ifMatch = header(
  "If-Match",
  "Entity tags: the write is refused with 412 unless one of them is the article's. Only its status may have changed since. * is any.",
);

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
      parameters: [
        header(
          "Idempotency-Key",
          "Made up by the client for this one create: with the same key and body it is done once within 24 hours, and answered alike.",
          { type: "string", maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX, pattern: "^[\\x21-\\x7e]+$" },
        ),
      ],
      requestBody: jsonBody(schemaRef("ArticleCreate")),
      responses: {
        "200": articleAnswer(
          "The article is stored and is being made searchable.",
          schemaRef("ArticleWritten"),
          replayed,
        ),
        ...failures(ARTICLES, WITH_BODY, ["IDEMPOTENCY_KEY_REUSED"], CHARGED, WRITING),
      },
    },
    get: {
      operationId: "listArticles",
      summary: "List articles, oldest first",
      parameters: [
        queryParameter("id", "Only the article with this id."),
        queryParameter("title", "Only articles with exactly this title."),
        {
          ...queryParameter(
            "metadata",
            "Properties are named metadata.KEY: only articles whose metadata has under KEY a value that is written so.",
            {
              type: "object",
              patternProperties: { "^metadata\\.": { type: "string" } },
              additionalProperties: false,
            },
          ),
          style: "form",
          explode: true,
        },
        queryParameter("limit", "Most articles of the answer. Default: all.", {
          type: "integer",
          minimum: 1,
          maximum: PAGE_ARTICLES_MAX,
        }),
        queryParameter("after", "What next was of the page before: the articles behind it."),
      ],
      responses: {
        "200": answer("The articles that match all that is given; empty if none does.", schemaRef("ArticleList")),
        ...failures(ARTICLES, ["VALIDATION"]),
      },
    },
  },
  "/api/v1/knowledge/preview": {
    post: {
      operationId: "previewArticle",
      summary: "See what a create or an update would come to; nothing is written or charged",
      requestBody: jsonBody(schemaRef("ArticlePreview")),
      responses: {
        "200": answer("What it would come to, if it were made now.", schemaRef("ArticlePreviewed")),
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND"], WITH_BODY),
      },
    },
  },
  "/api/v1/knowledge/batch": {
    post: {
      operationId: "runBatch",
      summary: "Create, update and delete several articles, one after the other",
      requestBody: jsonBody(schemaRef("Batch")),
      responses: {
        "200": answer(
          "What each operation would have been answered alone: 409 with code 20006 where an upsert finds several articles.",
          schemaRef("BatchAnswered"),
        ),
        ...failures(ARTICLES, WITH_BODY),
      },
    },
  },
  "/api/v1/knowledge/{id}": {
    parameters: [idParameter],
    get: {
      operationId: "getArticle",
      summary: "Get an article",
      parameters: [header("If-None-Match", "Entity tags: if one of them is the article's, the answer is 304.")],
      responses: {
        "200": articleAnswer("The article in its newest version.", schemaRef("ArticleFound")),
        "304": { description: "One of the given tags is the article's.", headers: { ...requestId, ...etag } },
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND", "VALIDATION"]),
      },
    },
    put: {
      operationId: "updateArticle",
      summary: "Update an article",
      parameters: [ifMatch],
      requestBody: jsonBody(schemaRef("ArticleUpdate")),
      responses: {
        "200": articleAnswer(
          "The update is stored; searches show it as soon as the status is active.",
          schemaRef("ArticleWritten"),
        ),
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND"], WITH_BODY, ["ARTICLE_CHANGED"], CHARGED, WRITING),
      },
    },
    delete: {
      operationId: "deleteArticle",
      summary: "Delete an article",
      parameters: [ifMatch],
      responses: {
        "200": answer("The article is gone; no search finds it any more.", schemaRef("ArticleDeleted")),
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND", "VALIDATION", "ARTICLE_CHANGED"], WRITING),
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
