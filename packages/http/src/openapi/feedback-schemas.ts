import { FEEDBACK_COMMENT_CHARACTERS_MAX, REQUEST_ID_CHARACTERS_MAX, RESOURCE_ID_CHARACTERS_MAX } from "@loredex/core";
import { nullable } from "./nullable.ts";

// The schemas of feedback on the answer to a search.

export const Feedback = {
  type: "object",
  required: ["requestId", "helpful"],
  properties: {
    requestId: {
      type: "string",
      minLength: 1,
      maxLength: REQUEST_ID_CHARACTERS_MAX,
      description: "The x-request-id of the search.",
    },
    resourceDocId: nullable({
      type: "string",
      minLength: 1,
      maxLength: RESOURCE_ID_CHARACTERS_MAX,
      description: "The document that the feedback is about; the whole answer if it is left out.",
    }),
    helpful: { type: "boolean", description: "Whether it helped." },
    comment: nullable({
      type: "string",
      maxLength: FEEDBACK_COMMENT_CHARACTERS_MAX,
      description: "What the user said. E-mail addresses, numbers and keys in it are masked before it is kept.",
    }),
  },
  additionalProperties: false,
};

export const FeedbackTaken = {
  type: "object",
  required: ["success"],
  properties: { success: { const: true } },
  additionalProperties: false,
};
