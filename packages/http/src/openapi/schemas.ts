import {
  ACTIVE_ON_ENTRIES_MAX,
  BODY_CHARACTERS_MIN,
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  FILTERS_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  QUERY_CHARACTERS_MAX,
  SOURCE_CHARACTERS_MAX,
  TEXT_PARTS_MAX,
  TITLE_CHARACTERS_MAX,
  TITLE_CHARACTERS_MIN,
  TOP_K_DEFAULT,
  TOP_K_MAX,
} from "@loredex/core";

/** So many bots with a fault are named to whoever asks whether the server is ready. */
export const FAULTS_NAMED_MAX = 100;

/** The schemas of what is sent and answered, by name. */

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

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
const metadata = {
  type: "object",
  description: "Flat: nested objects and arrays are refused.",
  maxProperties: METADATA_KEYS_MAX,
  propertyNames: { maxLength: METADATA_KEY_CHARACTERS_MAX },
  additionalProperties: {
    anyOf: [{ type: "string", maxLength: METADATA_VALUE_CHARACTERS_MAX }, { type: "number" }, { type: "boolean" }],
  },
};
const source = {
  type: "string",
  format: "uri",
  maxLength: SOURCE_CHARACTERS_MAX,
  description: "Absolute http or https address of the original.",
};
const name = { type: "string", minLength: 1, maxLength: NAME_CHARACTERS_MAX };
const activeOn = {
  type: "array",
  maxItems: ACTIVE_ON_ENTRIES_MAX,
  items: {
    type: "object",
    required: ["channel"],
    properties: {
      agent: { ...name, description: "The article is attached to this agent." },
      channel: name,
    },
    additionalProperties: false,
  },
};
const strict = {
  type: "boolean",
  default: false,
  description: "Whether every entry of activeOn must name agents and channels that are registered as active.",
};
const nullable = <Schema>(schema: Schema) => ({ anyOf: [schema, { type: "null" }] });
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
    filters: {
      type: "object",
      maxProperties: FILTERS_MAX,
      description: `Every named field of the result must equal the value: resourceDocId, type (${DOCUMENT_TYPES.join(", ")}; articles are EXTERNAL), status (${DOCUMENT_STATUSES.join(", ")}), url, or metaData.<key>. A list in metaData matches if one of its elements is equal. Values are compared and not checked: one that no document has, finds nothing.`,
      propertyNames: { pattern: "^(resourceDocId|type|status|url|metaData\\.[\\s\\S]+)$" },
      additionalProperties: { type: ["string", "number", "boolean"] },
    },
    options: {
      type: "object",
      properties: {
        topK: {
          type: "integer",
          minimum: 1,
          default: TOP_K_DEFAULT,
          description: `Most documents to return; more than ${TOP_K_MAX} counts as ${TOP_K_MAX}.`,
        },
        includeFaqs: { type: "boolean", default: true, description: "Whether QNA documents are searched." },
        includeContent: { type: "boolean", default: false, description: "Whether results carry the whole markdown." },
        onlyActiveIntents: {
          type: "boolean",
          default: false,
          description: "Whether QNA documents that are not active are left out.",
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const SearchResult = {
  type: "object",
  required: ["resourceDocId", "type", "status", "metaData", "bestMatchScore", "similarTextParts", "content"],
  properties: {
    resourceDocId: { type: "string" },
    type: { type: "string", enum: DOCUMENT_TYPES },
    status,
    metaData: { type: "object" },
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
      description: "1 if and only if the query equals this part, the title or the question.",
    },
    start: { ...line, description: "First line, counted from 1 over all blocks of content joined by one newline." },
    stop: { ...line, description: "Last line, inclusive." },
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

const ArticleWritten = {
  type: "object",
  required: ["success", "message", "data", "characterUsed"],
  properties: {
    success: { const: true },
    message: { type: "string" },
    data: ref("Article"),
    characterUsed: { ...count, description: "Characters of all articles of the bot, right after this write." },
  },
  additionalProperties: false,
};

const ArticleList = {
  type: "object",
  required: ["success", "data"],
  properties: { success: { const: true }, data: { type: "array", items: ref("Article") } },
  additionalProperties: false,
};

const ArticleDeleted = {
  type: "object",
  required: ["success", "message"],
  properties: { success: { const: true }, message: { type: "string" } },
  additionalProperties: false,
};

const InvalidInput = {
  type: "object",
  required: ["message", "code", "status", "data"],
  properties: {
    message: { type: "string" },
    code: { const: 1001 },
    status: { const: 400 },
    data: {
      type: "object",
      required: ["result"],
      properties: {
        result: {
          type: "array",
          minItems: 1,
          description: "Every broken rule.",
          items: {
            type: "object",
            required: ["message", "field", "type"],
            properties: {
              message: { type: "string" },
              field: { type: "string", description: "Dotted name, for example options.topK or activeOn.0.channel." },
              type: { type: "string", description: "The rule, for example required or maxLength." },
            },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const Failure = {
  type: "object",
  required: ["success", "error"],
  properties: {
    success: { const: false },
    error: {
      type: "object",
      required: ["message", "code", "status"],
      properties: { message: { type: "string" }, code: { type: "integer" }, status: { type: "integer" } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const Condition = {
  type: "object",
  required: ["status"],
  properties: { status: { const: "ok" } },
  additionalProperties: false,
};

const Faults = {
  type: "object",
  description: "Bots that cannot be used, or not be written to. They do not keep the server from being ready.",
  required: ["count", "bots"],
  properties: {
    count: { type: "integer", description: "How many there are." },
    bots: {
      type: "array",
      maxItems: FAULTS_NAMED_MAX,
      items: {
        type: "object",
        required: ["id", "kind"],
        properties: {
          id: { type: "string" },
          kind: {
            type: "string",
            enum: ["damaged", "inaccessible", "readOnly", "notWritable"],
            description:
              "damaged: refused until it is repaired. inaccessible: its files cannot be opened just now. readOnly: writes are refused until a restart. notWritable: writes fail just now.",
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

const Readiness = {
  type: "object",
  required: ["status", "faults"],
  properties: { status: { const: "ready" }, faults: ref("Faults") },
  additionalProperties: false,
};

const NotReady = {
  ...Failure,
  properties: { ...Failure.properties, faults: ref("Faults") },
};

export const SCHEMAS = {
  SearchRequest,
  SearchResult,
  TextPart,
  ArticleCreate,
  ArticleUpdate,
  Article,
  ArticleWritten,
  ArticleList,
  ArticleDeleted,
  InvalidInput,
  Failure,
  Condition,
  Faults,
  Readiness,
  NotReady,
};

/** A reference to one of the schemas. */
export function schemaRef(name: keyof typeof SCHEMAS) {
  return ref(name);
}
