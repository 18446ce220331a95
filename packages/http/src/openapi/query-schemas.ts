import {
  FACET_TEXT_CHARACTERS_MAX,
  FACET_VALUES_MAX,
  FACETS_MAX,
  GROUP_SIZE_DEFAULT,
  GROUP_SIZE_MAX,
  TOP_K_MAX,
} from "@loredex/core";
import { fieldName } from "./filter-schemas.ts";
import { ref } from "./reference.ts";

/** The schemas of a query: a search that counts and groups. */

interface RequestSchema {
  readonly properties: { readonly options: { readonly properties: object } };
}

/** The request of a query, made of that of a search. */
export function queryRequest<Search extends RequestSchema>(search: Search) {
  const { options } = search.properties;
  const properties = {
    ...options.properties,
    facets: {
      type: "array",
      maxItems: FACETS_MAX,
      items: fieldName,
      description: "The fields whose values are counted over all documents found.",
    },
    groupBy: { ...fieldName, description: `The field by whose values the best ${TOP_K_MAX} documents are grouped.` },
    groupSize: {
      type: "integer",
      minimum: 1,
      maximum: GROUP_SIZE_MAX,
      description: `Most documents of a group, ${GROUP_SIZE_DEFAULT} by default. Needs groupBy.`,
    },
  };
  return { ...search, properties: { ...search.properties, options: { ...options, properties } } };
}

const value = { type: ["string", "number", "boolean"], maxLength: FACET_TEXT_CHARACTERS_MAX };
const results = { type: "array", items: ref("SearchResult") };

export const ResultGroup = {
  type: "object",
  required: ["value", "results"],
  properties: {
    value: { anyOf: [value, { type: "null" }], description: "null for the documents that have no value." },
    results: { ...results, minItems: 1, maxItems: GROUP_SIZE_MAX, description: "Best first." },
  },
  additionalProperties: false,
};

const FacetValues = {
  type: "array",
  maxItems: FACET_VALUES_MAX,
  items: {
    type: "object",
    required: ["value", "count"],
    properties: { value, count: { type: "integer", minimum: 1 } },
    additionalProperties: false,
  },
};

export const QueryAnswered = {
  type: "object",
  required: ["success", "data"],
  properties: {
    success: { const: true },
    data: { ...results, description: "The documents that a search returns, by falling bestMatchScore." },
    total: {
      type: "integer",
      minimum: 0,
      description:
        "The exact number of documents found: those that a search with no maximum would return. Absent for a bot with too many passages to count all of them.",
    },
    facets: {
      type: "object",
      maxProperties: FACETS_MAX,
      additionalProperties: FacetValues,
      description: `By field of options.facets: its ${FACET_VALUES_MAX} most frequent values, with the number of documents found that have them. Of a list each element counts. Ties are in the order of booleans, numbers and texts. Without total, more documents may have a value.`,
    },
    groups: {
      type: "array",
      maxItems: TOP_K_MAX,
      items: ref("ResultGroup"),
      description: `With options.groupBy: the best ${TOP_K_MAX} documents by their value of that field, of a list its first element. There are at most options.topK groups, in the order of their best documents.`,
    },
  },
  additionalProperties: false,
};

export const QUERY_EXAMPLES = {
  facets: {
    summary: "A search page with filters",
    value: {
      query: "refund after 30 days",
      filters: { "metaData.year": { gte: 2024 } },
      options: { topK: 10, facets: ["type", "metaData.team"] },
    },
  },
  groups: {
    summary: "At most two documents of each team",
    value: { query: "refund after 30 days", options: { groupBy: "metaData.team", groupSize: 2 } },
  },
};
