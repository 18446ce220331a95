import {
  SUGGEST_LIMIT_DEFAULT,
  SUGGEST_LIMIT_MAX,
  SUGGEST_PREFIX_CHARACTERS_MAX,
  SUGGESTED_CHARACTERS_MAX,
} from "@loredex/core";
import { ref } from "./reference.ts";

// The schemas of a request for suggestions and of its answer.

export const SuggestRequest = {
  type: "object",
  required: ["prefix"],
  properties: {
    prefix: {
      type: "string",
      minLength: 1,
      maxLength: SUGGEST_PREFIX_CHARACTERS_MAX,
      description: "The text typed so far.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: SUGGEST_LIMIT_MAX,
      description: `Most suggestions to return, ${SUGGEST_LIMIT_DEFAULT} by default.`,
    },
  },
  additionalProperties: false,
};

export const Suggestion = {
  type: "object",
  required: ["text", "resourceDocId", "kind"],
  properties: {
    text: {
      type: "string",
      minLength: 1,
      maxLength: SUGGESTED_CHARACTERS_MAX,
      description: "The whole text in one line, a heading without marks of markdown.",
    },
    resourceDocId: {
      type: "string",
      description: "The document that has the text; of several the one with the smallest id.",
    },
    kind: {
      type: "string",
      enum: ["title", "question", "heading"],
      description: "The text is the title of a document, a question of a QNA, or a heading within a document.",
    },
  },
  additionalProperties: false,
};

export const Suggested = {
  type: "object",
  required: ["success", "data"],
  properties: {
    success: { const: true },
    data: { type: "array", maxItems: SUGGEST_LIMIT_MAX, items: ref("Suggestion") },
  },
  additionalProperties: false,
};
