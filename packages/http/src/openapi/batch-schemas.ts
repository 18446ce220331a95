import {
  ARTICLE_ID_CHARACTERS_MAX,
  BATCH_OPERATIONS_MAX,
  METADATA_KEY_CHARACTERS_MAX,
  METADATA_KEYS_MAX,
} from "@loredex/core";
import { ref } from "./reference.ts";

// The schemas of a batch and of its answer.

const operation = (op: string, fields: Readonly<Record<string, object>>) => ({
  type: "object",
  required: ["op", ...Object.keys(fields)],
  properties: { op: { const: op }, ...fields },
  additionalProperties: false,
});
const id = { type: "string", maxLength: ARTICLE_ID_CHARACTERS_MAX, description: "Of the article." };
const key = { type: "string", maxLength: METADATA_KEY_CHARACTERS_MAX };
export const BatchArticle = {
  type: "object",
  description: "The fields of a create or an update, checked by the operation itself.",
  additionalProperties: true,
};
const by = {
  anyOf: [key, { type: "array", items: key, minItems: 1, maxItems: METADATA_KEYS_MAX }],
  description: "The key of metadata that the article is found by, or several that tell it apart together.",
};
const article = ref("BatchArticle");
export const BatchCreate = operation("create", { article });
export const BatchUpdate = operation("update", { id, article });
export const BatchDelete = operation("delete", { id });
export const BatchUpsert = operation("upsert", { by, article });
export const Batch = {
  type: "object",
  required: ["operations"],
  properties: {
    operations: {
      type: "array",
      minItems: 1,
      maxItems: BATCH_OPERATIONS_MAX,
      items: {
        anyOf: [ref("BatchCreate"), ref("BatchUpdate"), ref("BatchDelete"), ref("BatchUpsert")],
      },
    },
  },
  additionalProperties: false,
};

export const BatchResult = {
  type: "object",
  required: ["status", "body"],
  properties: {
    status: { type: "integer", description: "The status that this operation would get on its own." },
    body: {
      anyOf: [
        ref("ArticleWritten"),
        ref("ArticleDeleted"),
        ref("InvalidInput"),
        ref("Failure"),
        { type: "string", description: "The text of a 429." },
      ],
    },
    retryAfter: {
      type: "integer",
      minimum: 0,
      description: "Whole seconds, where the answer would have had Retry-After.",
    },
  },
  additionalProperties: false,
};

export const BatchAnswered = {
  type: "object",
  required: ["success", "results"],
  properties: {
    success: { const: true },
    results: {
      type: "array",
      description: "One for each operation, in their order.",
      items: ref("BatchResult"),
    },
  },
  additionalProperties: false,
};
