import {
  ACTIVE_ON_ENTRIES_MAX,
  ARTICLE_ID_CHARACTERS_MAX,
  BODY_CHARACTERS_MIN,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  METADATA_CHARACTERS_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  QUERY_CHARACTERS_MAX,
  SOURCE_CHARACTERS_MAX,
  TEXT_PARTS_MAX,
  TITLE_CHARACTERS_MAX,
  TITLE_CHARACTERS_MIN,
} from "@loredex/core";
import { ArticleDeleted, ArticleFound, ArticleList, ArticleWritten } from "./article-answers.ts";
import {
  Batch,
  BatchAnswered,
  BatchArticle,
  BatchCreate,
  BatchDelete,
  BatchResult,
  BatchUpdate,
  BatchUpsert,
} from "./batch-schemas.ts";
import { Condition, Failure, FailureError, Faults, InvalidInput, NotReady, Readiness } from "./failure-schemas.ts";
import { Feedback, FeedbackTaken } from "./feedback-schemas.ts";
import { FieldFilter, SearchFilter } from "./filter-schemas.ts";
import { nullable } from "./nullable.ts";
import { QueryAnswered, queryRequest, ResultGroup } from "./query-schemas.ts";
import { ref } from "./reference.ts";
import { RetrievalAnswer, RetrievalCondition, RetrievalFailure, RetrievalRequest } from "./retrieval.ts";
import { SearchRequestOptions } from "./search-options.ts";
import { Suggested, Suggestion, SuggestRequest } from "./suggest-schemas.ts";
import { UsageAnswered } from "./usage-schemas.ts";

// The schemas of requests and answers, by name.
const title = {
  type: "string",
  minLength: TITLE_CHARACTERS_MIN,
  maxLength: TITLE_CHARACTERS_MAX,
  description: "Found as well as the body is; a query that equals it finds the article with similarity 1.",
};
const body = {
  type: "string",
  minLength: BODY_CHARACTERS_MIN,
  description: "Markdown. It is kept exactly as it is sent.",
};
const Metadata = {
  type: "object",
  description: `Flat: nested objects and arrays are refused. Keys and values have at most ${METADATA_CHARACTERS_MAX} characters in all, as text. A whole number that would be kept as another one, such as 9007199254740993, is refused (exactInteger): send it as a string. What an answer shows is always taken. A number with a point or an exponent is kept as the nearest of 64 bits.`,
  maxProperties: METADATA_KEYS_MAX,
  propertyNames: { maxLength: METADATA_KEY_CHARACTERS_MAX },
  additionalProperties: {
    anyOf: [{ type: "string", maxLength: METADATA_VALUE_CHARACTERS_MAX }, { type: "number" }, { type: "boolean" }],
  },
};
const source = {
  type: "string",
  format: "iri",
  pattern: "^[hH][tT][tT][pP][sS]?://\\S+$",
  maxLength: SOURCE_CHARACTERS_MAX,
  description: "Absolute http or https address of the original, kept as it is sent.",
};
const name = { type: "string", minLength: 1, maxLength: NAME_CHARACTERS_MAX };
const ActiveOn = {
  type: "array",
  maxItems: ACTIVE_ON_ENTRIES_MAX,
  items: {
    type: "object",
    required: ["channel"],
    properties: {
      agent: { ...nullable(name), description: "The article is attached to this agent; null counts as absent." },
      channel: name,
    },
    additionalProperties: false,
  },
};
const metadata = ref("Metadata");
const activeOn = ref("ActiveOn");
const strict = {
  type: "boolean",
  default: false,
  description: "Whether every entry of activeOn must name agents and channels that are registered as active.",
};
const dateTime = { type: "string", format: "date-time" };
const count = { type: "integer", minimum: 0 };
const similarity = { type: "number", minimum: 0, maximum: 1 };
const status = { type: "string", enum: DOCUMENT_STATUSES };
const line = { type: "integer", minimum: 1 };

const SearchRequest = {
  type: "object",
  required: ["query"],
  properties: {
    query: { type: "string", minLength: 1, maxLength: QUERY_CHARACTERS_MAX },
    filters: ref("SearchFilter"),
    options: SearchRequestOptions,
  },
  additionalProperties: false,
};

const QueryRequest = queryRequest(SearchRequest);

const SearchResult = {
  type: "object",
  required: ["resourceDocId", "type", "status", "metaData", "bestMatchScore", "similarTextParts", "content"],
  properties: {
    resourceDocId: { type: "string" },
    type: { type: "string", enum: DOCUMENT_TYPES },
    status,
    metaData: { type: "object", additionalProperties: true },
    url: { type: "string" },
    bestMatchScore: { ...similarity, description: "The highest similarity among similarTextParts." },
    similarTextParts: { type: "array", minItems: 1, maxItems: TEXT_PARTS_MAX, items: ref("TextPart") },
    content: {
      type: "array",
      items: { type: "object", required: ["md"], properties: { md: { type: "string" } }, additionalProperties: false },
    },
  },
  additionalProperties: false,
};

const TextPart = {
  type: "object",
  required: ["text", "similarity", "start", "stop"],
  properties: {
    text: { type: "string" },
    similarity: {
      ...similarity,
      description: "1 if and only if the query equals this part, the title or the question, or is pinned to it.",
    },
    start: { ...line, description: "First line, counted from 1 over all blocks of content joined by one newline." },
    stop: { ...line, description: "Last line, inclusive." },
    context: ref("PartContext"),
  },
  additionalProperties: false,
};

const PartContext = {
  type: "object",
  description:
    "The text around a text part, if options.context asks for it. It is absent if a better part of the document has the same one.",
  required: ["text", "start", "stop", "headings"],
  properties: {
    text: {
      type: "string",
      description: "The lines start to stop; the text part alone if its lines have more than contextCharacters.",
    },
    start: { ...line, description: "First line: at most that of the text part." },
    stop: { ...line, description: "Last line, inclusive: at least that of the text part." },
    headings: {
      type: "array",
      items: { type: "string" },
      description: "The headings above the text part, from the highest rank to the nearest one.",
    },
  },
  additionalProperties: false,
};

const ArticleCreate = {
  type: "object",
  required: ["title", "body"],
  properties: {
    title,
    body,
    metadata: nullable(metadata),
    source: nullable(source),
    activeOn: nullable(activeOn),
    strict: nullable(strict),
  },
  additionalProperties: false,
};

const ignored = { description: "Ignored, so that an article can be sent back as it came." };
const ArticleUpdate = {
  type: "object",
  description: "Fields that are given replace, others stay. null removes the source and empties metadata and activeOn.",
  properties: {
    title,
    body,
    metadata: nullable(metadata),
    source: nullable(source),
    activeOn: nullable(activeOn),
    strict: { ...nullable(strict), description: "Ignored on updates." },
    id: ignored,
    status: ignored,
    createdAt: ignored,
    updatedAt: ignored,
    characterCount: ignored,
  },
  additionalProperties: false,
};

const Article = {
  type: "object",
  required: ["id", "status", "title", "body", "metadata", "activeOn", "createdAt", "updatedAt", "characterCount"],
  properties: {
    id: { type: "string", pattern: "^[0-9a-f]{24}$" },
    status: {
      type: "string",
      enum: ["uploading", "active"],
      description: "uploading until searches find the newest version, then active.",
    },
    title,
    body,
    metadata,
    source,
    activeOn,
    createdAt: dateTime,
    updatedAt: dateTime,
    characterCount: { ...count, description: "Code points of title and body: what counts against the quota." },
  },
  additionalProperties: false,
};

const ArticleCreatePreview = {
  ...ArticleCreate,
  description: "The body of a create.",
  properties: { ...ArticleCreate.properties, id: { type: "null" } },
};

const ArticleUpdatePreview = {
  ...ArticleUpdate,
  description: "The id of an article, and the body of an update of it.",
  required: ["id"],
  properties: {
    ...ArticleUpdate.properties,
    id: { type: "string", maxLength: ARTICLE_ID_CHARACTERS_MAX, description: "Of the article." },
  },
};

const ArticlePreview = { anyOf: [ref("ArticleCreatePreview"), ref("ArticleUpdatePreview")] };

const ArticlePreviewed = {
  type: "object",
  required: ["success", "data"],
  properties: {
    success: { const: true },
    data: {
      type: "object",
      required: ["characterCount", "charge", "characterLeft", "waitSeconds", "passages"],
      properties: {
        characterCount: { ...count, description: "Characters that the article would have." },
        charge: { ...count, description: "Characters that the write would add to the rate." },
        characterLeft: {
          type: "integer",
          description:
            "Characters that the quota would have left: below 0 the write would be a 422, unless it adds nothing.",
        },
        waitSeconds: nullable({ ...count, description: "Until the rate admits the write: 0 for now, null for never." }),
        passages: {
          type: "array",
          description: "What would be indexed, in order, with lines of the body.",
          items: {
            type: "object",
            required: ["start", "stop", "text"],
            properties: { start: line, stop: line, text: { type: "string" } },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const Description = { type: "object", description: "A document of OpenAPI 3.1.", additionalProperties: true };

export const SCHEMAS = {
  SearchRequest,
  QueryRequest,
  QueryAnswered,
  ResultGroup,
  SearchFilter,
  FieldFilter,
  SearchResult,
  TextPart,
  PartContext,
  Feedback,
  FeedbackTaken,
  SuggestRequest,
  Suggested,
  Suggestion,
  Metadata,
  ActiveOn,
  RetrievalRequest,
  RetrievalCondition,
  RetrievalAnswer,
  RetrievalFailure,
  ArticleCreate,
  ArticleUpdate,
  Article,
  ArticleWritten,
  ArticleList,
  ArticleDeleted,
  ArticleFound,
  ArticleCreatePreview,
  ArticleUpdatePreview,
  ArticlePreview,
  ArticlePreviewed,
  Batch,
  BatchCreate,
  BatchUpdate,
  BatchDelete,
  BatchUpsert,
  BatchArticle,
  BatchAnswered,
  BatchResult,
  UsageAnswered,
  InvalidInput,
  Failure,
  FailureError,
  Condition,
  Faults,
  Readiness,
  NotReady,
  Description,
};

/** A reference to one of the schemas. */
export function schemaRef(name: keyof typeof SCHEMAS) {
  return ref(name);
}
