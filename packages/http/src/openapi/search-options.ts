import {
  CONTEXT_CHARACTERS_DEFAULT,
  CONTEXT_CHARACTERS_MAX,
  CONTEXTS,
  OFFSET_MAX,
  TOP_K_DEFAULT,
  TOP_K_MAX,
} from "@loredex/core";

/** The schema of the options of a search. */
export const SearchRequestOptions = {
  type: "object",
  // Without `default`: type generators make a property with a default required.
  properties: {
    topK: {
      type: "integer",
      minimum: 1,
      description: `Most documents to return, ${TOP_K_DEFAULT} by default; more than ${TOP_K_MAX} counts as ${TOP_K_MAX}.`,
    },
    includeFaqs: { type: "boolean", description: "Whether QNA documents are searched, as by default." },
    includeContent: { type: "boolean", description: "Whether results carry the whole markdown. Not by default." },
    onlyActiveIntents: {
      type: "boolean",
      description: "Whether QNA documents that are not active are left out. Not by default.",
    },
    context: {
      type: "string",
      enum: CONTEXTS,
      description:
        "The text around each text part that results carry as context: the passage; the section, from the nearest heading to before the next of the same or a higher rank; the page of a PDF, and the section of other documents. None by default.",
    },
    contextCharacters: {
      type: "integer",
      minimum: 1,
      maximum: CONTEXT_CHARACTERS_MAX,
      description: `Most characters of one context, its text part included; ${CONTEXT_CHARACTERS_DEFAULT} by default.`,
    },
    offset: {
      type: "integer",
      minimum: 0,
      maximum: OFFSET_MAX,
      description: `Documents to leave out before the first. The answer is a slice of the one with topK ${TOP_K_MAX}.`,
    },
    minScore: {
      type: "number",
      minimum: 0,
      maximum: 1,
      description: "Documents with a lower bestMatchScore are left out. None by default.",
    },
  },
  additionalProperties: false,
};
