import {
  ADMIN_FILE_NAME_CHARACTERS_MAX,
  DOCUMENT_OFFSET_MAX,
  DOCUMENT_SEARCH_CHARACTERS_MAX,
  DOCUMENT_SORTS,
  DOCUMENT_STATES,
  DOCUMENT_TYPES,
  INSIGHTS_LIMIT_MAX,
  NAME_CHARACTERS_MAX,
  PAGE_DOCUMENTS_MAX,
  SEARCH_QUALITIES,
  SOURCE_NAME_CHARACTERS_MAX,
} from "@loredex/core";
import { begins, changes, changesBot, operation, READING, reads, readsBot, withAnswer } from "./admin-operations.ts";
import { CHARGED, WITH_BODY, WRITING } from "./failures.ts";
import { ETAG, REPLAYED, REQUEST_ID, STALE } from "./headers.ts";
import { IDEMPOTENCY_KEY, IF_MATCH, IF_NONE_MATCH, path as inPath, query as inQuery, LIST } from "./parameters.ts";

/** The operations of the admin API. */

const text = { type: "string" };
const whole = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });
const BOT = inPath("bot", "The bot's id or name.");
const NAME = inPath("name", "The name.");
const ID = inPath("id", "The id.");
const SOURCE = inPath("source", "The source's name.");
const LIMIT = inQuery("limit", "Most rows of the answer. Default 100.", whole(1, INSIGHTS_LIMIT_MAX));
const BEFORE = inQuery("before", "Only rows before this one: `next`, or the id of the last row of the page before.", {
  ...{ type: "integer", minimum: 0 },
});
const QUALITY = inQuery("quality", "As of the bot's setting, or words: by words alone. Default: that setting.", {
  ...text,
  enum: SEARCH_QUALITIES,
});
const bytes = { type: "string", format: "binary" };
const streamed = (type: string, schema: object) => ({
  description: "The bytes as they are made. It is complete only with its last byte.",
  headers: REQUEST_ID,
  content: { [type]: { schema } },
});
const bytesBody = { required: true, content: { "application/octet-stream": { schema: bytes } } };

const ofKind = (kind: "agent" | "channel") => {
  const id = kind === "agent" ? "Agent" : "Channel";
  return {
    [`/api/v1/admin/bots/{bot}/${kind}s`]: {
      parameters: [BOT],
      get: readsBot(`listAdmin${id}s`, { does: `List the ${kind}s of a bot`, answers: "AdminRegistrationsAnswer" }),
    },
    [`/api/v1/admin/bots/{bot}/${kind}s/{name}`]: {
      parameters: [BOT, NAME],
      put: changesBot(`putAdmin${id}`, {
        ...{ does: `Register the ${kind}, or change whether it is active`, answers: "AdminDone", takes: "AdminActive" },
      }),
      delete: changesBot(`removeAdmin${id}`, {
        ...{ does: `Remove the ${kind}`, answers: "AdminDone", refused: ["REGISTRATION_NOT_FOUND"] },
      }),
    },
  };
};

export const ADMIN_PATHS = {
  "/api/v1/admin/session": {
    post: {
      ...operation(
        "signIn",
        {
          does: "Exchange an admin key or a one-time code for a session. The cookie of the session authorises further requests. After 10 failures within 15 minutes an address is slowed down",
          answers: "AdminSessionAnswer",
          takes: "AdminSignIn",
        },
        { groups: [READING, ["CROSS_SITE", "SIGN_INS_EXCEEDED"], WRITING] },
      ),
      security: [],
    },
    get: reads("getSession", { does: "Get the session of the cookie", answers: "AdminSessionAnswer" }),
    delete: operation(
      "signOut",
      { does: "End the session of the cookie", answers: "AdminDone" },
      { groups: [READING, ["CROSS_SITE"], WRITING] },
    ),
  },
  "/api/v1/admin/bots": {
    get: reads("listBots", { does: "List the bots with their figures", answers: "AdminBotsAnswer" }),
    post: changes("createBot", {
      does: "Create a bot. Its key is shown in the answer and never again",
      ...{ answers: "AdminNewBotAnswer", takes: "AdminBotCreate", refused: ["BOT_EXISTS"] },
    }),
  },
  "/api/v1/admin/bots/{bot}": {
    parameters: [BOT],
    get: readsBot("showBot", { does: "Get a bot with all its figures", answers: "AdminBotDetailsAnswer" }),
    put: changesBot("setBot", {
      does: "Change settings of a bot. Given settings replace, others stay",
      ...{ answers: "AdminBotAnswer", takes: "AdminBotChanges", refused: ["BOT_EXISTS"] },
    }),
    delete: changesBot("removeBot", { does: "Remove a bot with all its knowledge", answers: "AdminDone" }),
  },
  "/api/v1/admin/bots/{bot}/keys": {
    parameters: [BOT],
    get: readsBot("listBotKeys", { does: "List the keys of a bot, without their secrets", answers: "AdminKeysAnswer" }),
    post: changesBot("addBotKey", {
      does: "Add a key to a bot. It is shown in the answer and never again",
      ...{ answers: "AdminNewKeyAnswer", takes: "AdminKeyCreate", refused: ["KEY_EXISTS"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/keys/{name}/rotate": {
    parameters: [BOT, NAME],
    post: changesBot("rotateBotKey", {
      does: "Give a key a new secret. The old secret is invalid",
      ...{ answers: "AdminNewKeyAnswer", refused: ["KEY_NOT_FOUND"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/keys/{name}": {
    parameters: [BOT, NAME],
    delete: changesBot("revokeBotKey", { does: "Revoke a key", answers: "AdminDone", refused: ["KEY_NOT_FOUND"] }),
  },
  ...ofKind("agent"),
  "/api/v1/admin/bots/{bot}/agents/{name}/articles": {
    parameters: [BOT, NAME],
    get: readsBot("listAgentArticles", { does: "List the articles of an agent", answers: "AdminArticlesAnswer" }),
  },
  ...ofKind("channel"),
  "/api/v1/admin/bots/{bot}/sources": {
    parameters: [BOT],
    get: readsBot("listSources", { does: "List the sources of imported documents", answers: "AdminSourcesAnswer" }),
  },
  "/api/v1/admin/bots/{bot}/sources/{source}": {
    parameters: [BOT, SOURCE],
    delete: changesBot("removeSource", {
      ...{ does: "Remove a source with its documents", answers: "AdminRemovedAnswer", refused: ["SOURCE_NOT_FOUND"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/sources/{source}/sync": {
    parameters: [BOT, SOURCE],
    post: begins("syncSource", {
      ...{ does: "Import a source again, as a job", answers: "AdminJobAnswer", refused: ["SOURCE_NOT_FOUND"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/documents": {
    parameters: [BOT],
    get: readsBot("listDocuments", {
      does: "List articles and imported documents in one table, a page of it",
      answers: "AdminDocumentsAnswer",
      parameters: [
        inQuery("offset", "Rows before the page. Default 0.", whole(0, DOCUMENT_OFFSET_MAX)),
        inQuery("limit", "Most rows of the page.", whole(1, PAGE_DOCUMENTS_MAX)),
        inQuery("sort", "The order. Default: the last change first.", { ...text, enum: DOCUMENT_SORTS }),
        inQuery("search", "Only rows with this part in their title, id or address.", {
          ...{ ...text, minLength: 1, maxLength: DOCUMENT_SEARCH_CHARACTERS_MAX },
        }),
        inQuery("type", "Only this type.", { ...text, enum: DOCUMENT_TYPES }),
        inQuery("status", "Only this status.", { ...text, enum: DOCUMENT_STATES }),
      ],
    }),
  },
  "/api/v1/admin/bots/{bot}/documents/{id}": {
    parameters: [BOT, ID],
    get: readsBot("getDocument", {
      does: "Get an imported document, or an article as searches return it",
      ...{ answers: "AdminDocumentAnswer", refused: ["DOCUMENT_NOT_FOUND"] },
    }),
    delete: changesBot("removeDocument", {
      ...{ does: "Remove an imported document", answers: "AdminDone", refused: ["DOCUMENT_NOT_FOUND"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/documents/{id}/status": {
    parameters: [BOT, ID],
    put: changesBot("setDocumentStatus", {
      does: "Set the status of an imported document",
      ...{ answers: "AdminDone", takes: "AdminDocumentStatus", refused: ["DOCUMENT_NOT_FOUND"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/articles": {
    parameters: [BOT],
    get: readsBot("listBotArticles", { does: "List articles", answers: "ArticleList", parameters: LIST }),
    post: changesBot("createBotArticle", {
      does: "Create an article. With undo, an article that was deleted a moment ago comes back under a new id, without the rate",
      ...{ answers: "ArticleWritten", takes: "ArticleCreate", headers: { ...ETAG, ...REPLAYED } },
      parameters: [IDEMPOTENCY_KEY, inQuery("undo", "Whether a delete is undone.", { type: "boolean" })],
      refused: ["IDEMPOTENCY_KEY_REUSED", ...CHARGED],
    }),
  },
  "/api/v1/admin/bots/{bot}/articles/preview": {
    parameters: [BOT],
    post: readsBot("previewBotArticle", {
      does: "See what a create or an update would come to",
      ...{ answers: "ArticlePreviewed", takes: "ArticlePreview", refused: ["ARTICLE_NOT_FOUND"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/articles/{id}": {
    parameters: [BOT, ID],
    get: {
      ...readsBot("getBotArticle", {
        ...{ does: "Get an article", answers: "ArticleFound", headers: ETAG, parameters: [IF_NONE_MATCH] },
        refused: ["ARTICLE_NOT_FOUND"],
      }),
    },
    put: changesBot("updateBotArticle", {
      ...{ does: "Update an article", answers: "ArticleWritten", takes: "ArticleUpdate", headers: ETAG },
      ...{ parameters: [IF_MATCH], refused: ["ARTICLE_NOT_FOUND", "ARTICLE_CHANGED", ...CHARGED] },
    }),
    delete: changesBot("deleteBotArticle", {
      ...{ does: "Delete an article", answers: "ArticleDeleted", parameters: [IF_MATCH] },
      refused: ["ARTICLE_NOT_FOUND", "ARTICLE_CHANGED"],
    }),
  },
  "/api/v1/admin/bots/{bot}/usage": {
    parameters: [BOT],
    get: readsBot("getBotUsage", { does: "See what a bot uses of its limits", answers: "UsageAnswered" }),
  },
  "/api/v1/admin/bots/{bot}/search": {
    parameters: [BOT],
    post: readsBot("searchBot", {
      does: "Search a bot. The question is not kept in the question log",
      ...{ answers: "AdminResultsAnswer", takes: "SearchRequest", headers: STALE, parameters: [QUALITY] },
    }),
  },
  "/api/v1/admin/bots/{bot}/query": {
    parameters: [BOT],
    post: readsBot("queryBot", {
      does: "Search a bot, and count and group what is found. The question is not kept in the question log",
      ...{ answers: "QueryAnswered", takes: "QueryRequest", headers: STALE, parameters: [QUALITY] },
    }),
  },
  "/api/v1/admin/bots/{bot}/suggest": {
    parameters: [BOT],
    post: readsBot("suggestBotTexts", {
      ...{ does: "Find titles, questions and headings that continue a text", answers: "Suggested" },
      ...{ takes: "SuggestRequest", headers: STALE },
    }),
  },
  "/api/v1/admin/bots/{bot}/explain": {
    parameters: [BOT],
    post: readsBot("explainBot", {
      does: "Explain the rank of a document among the answers to a question, or why it is missing",
      ...{ answers: "AdminExplanationAnswer", takes: "AdminExplain" },
    }),
  },
  "/api/v1/admin/bots/{bot}/vocabulary": {
    parameters: [BOT],
    get: readsBot("getVocabulary", {
      does: "Get synonyms, pinned answers and ignored words",
      ...{ answers: "AdminVocabularyAnswer", headers: ETAG },
    }),
    put: changesBot("setVocabulary", {
      does: "Replace synonyms, pinned answers and ignored words. A list that is left out is empty; at least one is needed",
      ...{ answers: "AdminDone", takes: "AdminVocabularyInput", headers: ETAG },
      ...{ parameters: [IF_MATCH], refused: ["CONTENT_CHANGED"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/uploads": {
    parameters: [BOT],
    post: {
      ...begins("uploadFile", {
        does: "Upload a file of at most 64 MiB, and import it as a job",
        answers: "AdminJobAnswer",
        parameters: [
          {
            ...inQuery("name", "The file's name.", {
              ...text,
              minLength: 1,
              maxLength: ADMIN_FILE_NAME_CHARACTERS_MAX,
            }),
            required: true,
          },
          inQuery("source", "The source that it belongs to.", {
            ...text,
            minLength: 1,
            maxLength: SOURCE_NAME_CHARACTERS_MAX,
          }),
        ],
        refused: WITH_BODY,
      }),
      // An empty file is a problem that its job tells.
      requestBody: { ...bytesBody, required: false },
    },
  },
  "/api/v1/admin/bots/{bot}/imports": {
    parameters: [BOT],
    post: begins("importAddresses", {
      ...{ does: "Import pages of the web, as a job", answers: "AdminJobAnswer", takes: "AdminImport" },
    }),
  },
  "/api/v1/admin/bots/{bot}/jobs": {
    parameters: [BOT],
    get: readsBot("listJobs", {
      does: "List the last jobs of a bot that this server has run",
      answers: "AdminJobsAnswer",
    }),
  },
  "/api/v1/admin/bots/{bot}/jobs/{id}": {
    parameters: [BOT, ID],
    get: readsBot("getJob", { does: "Get a job", answers: "AdminJobAnswer", refused: ["JOB_NOT_FOUND"] }),
  },
  "/api/v1/admin/bots/{bot}/golden": {
    parameters: [BOT],
    get: readsBot("getGolden", { does: "Get the golden questions", answers: "AdminGoldenAnswer", headers: ETAG }),
    put: changesBot("setGolden", {
      ...{ does: "Replace the golden questions", answers: "AdminGoldenAnswer", takes: "AdminGoldenInput" },
      ...{ headers: ETAG, parameters: [IF_MATCH], refused: ["CONTENT_CHANGED"] },
    }),
  },
  "/api/v1/admin/bots/{bot}/runs": {
    parameters: [BOT],
    get: readsBot("listRuns", { does: "List the kept runs of the golden questions", answers: "AdminRunsAnswer" }),
    post: begins("startRun", {
      does: "Ask the golden questions, as a job. With a vocabulary, that is tried instead of the bot's",
      ...{ answers: "AdminJobAnswer", takes: "AdminRunStart", mayBeEmpty: true },
    }),
  },
  "/api/v1/admin/bots/{bot}/runs/{id}": {
    parameters: [BOT, ID],
    get: readsBot("getRun", {
      does: "Get a run with its misses",
      answers: "AdminRunAnswer",
      refused: ["RUN_NOT_FOUND"],
    }),
  },
  "/api/v1/admin/bots/{bot}/gaps": {
    parameters: [BOT],
    get: readsBot("listGaps", {
      does: "List questions that found little, grouped by meaning",
      answers: "AdminGapsAnswer",
      parameters: [LIMIT],
    }),
  },
  "/api/v1/admin/bots/{bot}/questions": {
    parameters: [BOT],
    get: readsBot("listQuestions", {
      does: "List the question log, newest first",
      answers: "AdminQuestionsAnswer",
      parameters: [LIMIT, BEFORE],
    }),
    delete: changesBot("clearQuestions", { does: "Delete the question log", answers: "AdminDone" }),
  },
  "/api/v1/admin/bots/{bot}/findings": {
    parameters: [BOT],
    get: readsBot("listFindings", {
      does: "List articles that are never found, near-duplicates, possible contradictions, and figures by week",
      answers: "AdminFindingsAnswer",
    }),
  },
  "/api/v1/admin/bots/{bot}/backup": {
    parameters: [BOT],
    get: withAnswer(
      readsBot("backUpBot", {
        does: "Back up a bot as it is now",
        answers: "AdminDone",
        parameters: [inQuery("questions", "Whether the question log is part of it. Default: no.", { type: "boolean" })],
      }),
      streamed("application/octet-stream", bytes),
    ),
  },
  "/api/v1/admin/restore": {
    post: {
      ...changes("restoreBot", {
        does: "Restore a bot from a backup, as it was, or under another name with a new key",
        ...{ answers: "AdminRestoredBotAnswer", refused: ["BOT_EXISTS", ...WITH_BODY] },
        parameters: [inQuery("as", "The other name.", { ...text, minLength: 1, maxLength: NAME_CHARACTERS_MAX })],
      }),
      requestBody: bytesBody,
    },
  },
  "/api/v1/admin/changes": {
    get: reads("listChanges", {
      does: "List who has changed what, newest first",
      answers: "AdminChangesAnswer",
      parameters: [LIMIT, BEFORE],
    }),
  },
  "/api/v1/admin/status": {
    get: reads("showStatus", { does: "Get the server's version, condition and alerts", answers: "AdminStatusAnswer" }),
  },
  "/api/v1/admin/events": {
    get: withAnswer(
      reads("sendEvents", {
        does: "Follow figures and alerts as server-sent events. Events are fleet every two seconds, alerts when they change, and restart when the server ends",
        answers: "AdminDone",
      }),
      streamed("text/event-stream", text),
    ),
  },
};
