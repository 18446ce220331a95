import { ALWAYS, ARTICLES, CHARGED, examplesOf, failures, WITH_BODY, WITH_KEY, WRITING } from "./failures.ts";
import { CODING, ETAG, REPLAYED, REQUEST_ID, RETRY_AFTER, STALE } from "./headers.ts";
import { ID, IDEMPOTENCY_KEY, IF_MATCH, IF_NONE_MATCH, LIST, PAGE_FILE } from "./parameters.ts";
import { QUERY_EXAMPLES } from "./query-schemas.ts";
import { retrievalFailures } from "./retrieval.ts";
import { schemaRef } from "./schemas.ts";

/** The operations: the requests of each path and its answers. */

function answer(description: string, schema: object, headers: object = {}) {
  const coding = "etag" in headers ? {} : CODING;
  return {
    description,
    headers: { ...REQUEST_ID, ...coding, ...headers },
    content: { "application/json": { schema } },
  };
}

const jsonBody = (schema: object) => ({ required: true, content: { "application/json": { schema } } });

const openOperation = (operationId: string, summary: string, description: string, schema: object) => ({
  operationId,
  tags: ["Server"],
  summary,
  description,
  security: [],
  responses: { "200": answer("Yes.", schema), ...failures(ALWAYS) },
});

const pageOperation = (operationId: string, summary: string, content: object) => ({
  operationId,
  tags: ["Server"],
  summary,
  description: "Needs no key. It loads nothing from elsewhere.",
  security: [],
  responses: {
    "200": { description: "What was asked for.", headers: REQUEST_ID, content },
    ...failures(ALWAYS, ["UNAUTHENTICATED", "ROUTE_NOT_FOUND"]),
  },
});

const faults = { count: 0, bots: [] };

export const PATHS = {
  "/api/v1/knowledge/search": {
    post: {
      operationId: "searchKnowledge",
      tags: ["Search"],
      summary: "Find the documents that answer a question, best first",
      description:
        "Searches all knowledge of the bot: pages, PDFs, documents, tables, questions with answers, and articles. Filters are applied before the best are chosen.",
      requestBody: jsonBody(schemaRef("SearchRequest")),
      responses: {
        "200": answer(
          "The documents that match, by falling bestMatchScore; empty if none does.",
          { type: "array", items: schemaRef("SearchResult") },
          STALE,
        ),
        ...failures(WITH_KEY, WITH_BODY),
      },
    },
  },
  "/api/v1/knowledge/query": {
    post: {
      operationId: "queryKnowledge",
      tags: ["Search"],
      summary: "Search, and count and group what is found",
      description:
        "The search of a page with filters: its body and its documents are those of searchKnowledge. The answer has the number of all documents found too, how many of them have each value of a field, and groups of the best ones.",
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemaRef("QueryRequest"), examples: QUERY_EXAMPLES } },
      },
      responses: {
        "200": answer("The documents that match, and what is counted of them.", schemaRef("QueryAnswered"), STALE),
        ...failures(WITH_KEY, WITH_BODY),
      },
    },
  },
  "/api/v1/knowledge/suggest": {
    post: {
      operationId: "suggestTexts",
      tags: ["Search"],
      summary: "Find titles, questions and headings that continue a text typed into a search box",
      description:
        "Each typed word begins a word of the text, in any order; case and accents do not count. A word of four letters may have one typing mistake, a word of eight two. Texts without a mistake come first, then those that begin with the typed text, then shorter ones. All texts are distinct.",
      requestBody: jsonBody(schemaRef("SuggestRequest")),
      responses: {
        "200": answer("The texts, best first; empty if none fits.", schemaRef("Suggested"), STALE),
        ...failures(WITH_KEY, WITH_BODY),
      },
    },
  },
  "/api/v1/knowledge/feedback": {
    post: {
      operationId: "giveFeedback",
      tags: ["Search"],
      summary: "Say whether the answer to a search helped",
      description:
        "Names the search by the x-request-id of its answer, within 24 hours. Later feedback on the same search replaces it. A bot that keeps no question log keeps no feedback either, and takes it all the same.",
      requestBody: jsonBody(schemaRef("Feedback")),
      responses: {
        "200": answer("The feedback is kept, if the bot has a question log.", schemaRef("FeedbackTaken")),
        ...failures(WITH_KEY, WITH_BODY, ["QUESTION_NOT_FOUND"], WRITING),
      },
    },
  },
  "/api/v1/retrieval": {
    post: {
      operationId: "retrieveForDify",
      tags: ["Search"],
      summary: "Find the texts that answer a question, as Dify's external knowledge API asks for them",
      description:
        "The endpoint to enter in Dify is this server's address with /api/v1, the key goes with it as Authorization: Bearer KEY. Refusals have Dify's form, an error_code and an error_msg, and an unknown key is a 403, as Dify knows it.",
      requestBody: jsonBody(schemaRef("RetrievalRequest")),
      responses: {
        "200": answer("The texts that match; empty if none does.", schemaRef("RetrievalAnswer"), STALE),
        ...retrievalFailures(),
      },
    },
  },
  "/api/v1/knowledge": {
    post: {
      operationId: "createArticle",
      tags: ["Articles"],
      summary: "Create an article",
      description:
        "When the answer is there, the article is on disk; searches find it as soon as its status is active, normally within a second. Its characters are counted against quota and rate.",
      parameters: [IDEMPOTENCY_KEY],
      requestBody: jsonBody(schemaRef("ArticleCreate")),
      responses: {
        "200": answer("The article is stored and is being made searchable.", schemaRef("ArticleWritten"), {
          ...ETAG,
          ...REPLAYED,
        }),
        ...failures(ARTICLES, WITH_BODY, ["IDEMPOTENCY_KEY_REUSED"], CHARGED, WRITING),
      },
    },
    get: {
      operationId: "listArticles",
      tags: ["Articles"],
      summary: "List articles, oldest first or in another order",
      description: "All that is given must match. Each parameter may be given once, and unknown ones are refused.",
      parameters: LIST,
      responses: {
        "200": answer("The articles that match all that is given; empty if none does.", schemaRef("ArticleList")),
        ...failures(ARTICLES),
      },
    },
  },
  "/api/v1/knowledge/preview": {
    post: {
      operationId: "previewArticle",
      tags: ["Articles"],
      summary: "See what a create or an update would come to; nothing is written or charged",
      description: "What the write would refuse is refused here as well, except for quota and rate: these are told.",
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
      tags: ["Articles"],
      summary: "Create, update and delete several articles, one after the other",
      description:
        "Each operation is decided, charged, stored and answered on its own: one that is refused does not stop the others. An upsert updates the article whose metadata has under the key by the value that the given one has there, or under each of several keys, and creates it if there is none.",
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
    parameters: [ID],
    get: {
      operationId: "getArticle",
      tags: ["Articles"],
      summary: "Get an article",
      description: "The ETag of the answer changes with any field of the article, and stays over restarts.",
      parameters: [IF_NONE_MATCH],
      responses: {
        "200": answer("The article in its newest version.", schemaRef("ArticleFound"), ETAG),
        "304": { description: "One of the given tags is the article's.", headers: { ...REQUEST_ID, ...ETAG } },
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND"]),
      },
    },
    put: {
      operationId: "updateArticle",
      tags: ["Articles"],
      summary: "Update an article",
      description:
        "Fields that are given replace, others stay. The characters by which the article grows are counted against quota and rate.",
      parameters: [IF_MATCH],
      requestBody: jsonBody(schemaRef("ArticleUpdate")),
      responses: {
        "200": answer(
          "The update is stored; searches show it as soon as the status is active.",
          schemaRef("ArticleWritten"),
          ETAG,
        ),
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND"], WITH_BODY, ["ARTICLE_CHANGED"], CHARGED, WRITING),
      },
    },
    delete: {
      operationId: "deleteArticle",
      tags: ["Articles"],
      summary: "Delete an article",
      description:
        "The very next search does not find it. Its characters are given back to the quota, not to the rate.",
      parameters: [IF_MATCH],
      responses: {
        "200": answer("The article is gone; no search finds it any more.", schemaRef("ArticleDeleted")),
        ...failures(ARTICLES, ["ARTICLE_NOT_FOUND", "ARTICLE_CHANGED"], WRITING),
      },
    },
  },
  "/api/v1/usage": {
    get: {
      operationId: "getUsage",
      tags: ["Articles"],
      summary: "See what the bot uses of its limits, and what it holds",
      description:
        "The figures of this moment, of the writes of all servers together. They include every write that was answered before. There are no query parameters: each is refused.",
      responses: {
        "200": answer("What is used, and what the limits are.", schemaRef("UsageAnswered")),
        ...failures(ARTICLES),
      },
    },
  },
  "/health": {
    get: openOperation(
      "reportHealth",
      "Does the process answer?",
      "For a supervisor that restarts processes. Needs no key.",
      schemaRef("Condition"),
    ),
  },
  "/ready": {
    get: {
      operationId: "reportReadiness",
      tags: ["Server"],
      summary: "Are requests welcome?",
      description:
        "For a load balancer that sends requests to one of several servers. One bot's fault does not change it, nor a database that does not answer while searches are answered from memory. Needs no key.",
      security: [],
      responses: {
        "200": answer("Yes.", schemaRef("Readiness")),
        ...failures(ALWAYS),
        "503": {
          description:
            "Code 50001: the server is closing. Code 50002: nothing can be written, reading still works. Code 50006: the database does not answer, and has not for so long that searches are refused too.",
          headers: { ...REQUEST_ID, ...RETRY_AFTER },
          content: {
            "application/json": {
              schema: schemaRef("NotReady"),
              examples: {
                ...examplesOf(["SHUTTING_DOWN"]),
                ...examplesOf(["READ_ONLY"], { faults }),
                ...examplesOf(["UNREACHABLE"], { faults: { ...faults, databaseUnreachable: true } }),
              },
            },
          },
        },
      },
    },
  },
  "/openapi.json": {
    get: openOperation("describeApi", "This document", "Needs no key.", schemaRef("Description")),
  },
  "/api/v1/openapi.json": {
    get: openOperation(
      "describeApiHere",
      "This document, below the API's own path",
      "Needs no key.",
      schemaRef("Description"),
    ),
  },
  "/docs": {
    get: pageOperation("showDocs", "This document as a page", {
      "text/html": { schema: { type: "string" } },
    }),
  },
  "/docs/{file}": {
    parameters: [PAGE_FILE],
    get: pageOperation("sendPageFile", "What that page loads", {
      "text/javascript": { schema: { type: "string" } },
      "text/css": { schema: { type: "string" } },
    }),
  },
};
