import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  FILTER_CONDITIONS_MAX,
  FILTER_GROUP_MAX,
  FILTER_LEVELS_MAX,
  FILTER_NAME_CHARACTERS_MAX,
  FILTER_NAME_DOTS_MAX,
  FILTER_TEXT_CHARACTERS_MAX,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
} from "@loredex/core";
import { ref } from "./reference.ts";

/** The schemas of a search's filters. */

const value = { type: ["string", "number", "boolean"], maxLength: FILTER_TEXT_CHARACTERS_MAX };
const values = { type: "array", minItems: 1, maxItems: FILTER_VALUES_MAX, items: value };
const text = { type: "string", minLength: 1, maxLength: FILTER_TEXT_CHARACTERS_MAX };
const bound = {
  anyOf: [{ type: "number" }, { type: "string", format: "date" }, { type: "string", format: "date-time" }],
};
const group = { type: "array", minItems: 1, maxItems: FILTER_GROUP_MAX, items: ref("SearchFilter") };

const DOTS = FILTER_NAME_DOTS_MAX - 1;
const META_DATA_NAME = `metaData\\.([^.]+(\\.[^.]*){0,${DOTS}}|(\\.[^.]*){1,${DOTS}})`;

/** The name of a field that filters and facets take. */
export const fieldName = {
  type: "string",
  maxLength: FILTER_NAME_CHARACTERS_MAX,
  pattern: `^(resourceDocId|type|status|url|${META_DATA_NAME})$`,
};

export const SearchFilter = {
  type: "object",
  maxProperties: FILTERS_MAX,
  description: `All entries must hold. A field is resourceDocId, type (${DOCUMENT_TYPES.join(", ")}; articles are EXTERNAL), status (${DOCUMENT_STATUSES.join(", ")}), url, or metaData.<key>; its value is one that it must equal, or an object of operators. A list in metaData fits if one of its elements does; null counts as missing. A name has at most ${FILTER_NAME_CHARACTERS_MAX} characters and ${FILTER_NAME_DOTS_MAX} dots. At most ${FILTER_LEVELS_MAX} levels of filters, and ${FILTER_CONDITIONS_MAX} conditions in all. Values are compared and not checked: one that no document has, finds nothing.`,
  properties: {
    and: { ...group, description: "All of these must hold." },
    or: { ...group, description: "One of these must hold." },
    not: { ...ref("SearchFilter"), description: "This must not hold." },
  },
  propertyNames: {
    maxLength: FILTER_NAME_CHARACTERS_MAX,
    pattern: `^(and|or|not|resourceDocId|type|status|url|${META_DATA_NAME})$`,
  },
  additionalProperties: { anyOf: [value, ref("FieldFilter")] },
};

export const FieldFilter = {
  type: "object",
  description: `Operators of a field, all of which must hold. A missing field fails every operator but ne, nin and exists: false. Ranges compare numbers with numbers, and dates with dates: YYYY-MM-DD (00:00 UTC), or a date and time of RFC 3339. Without a zone it is UTC, but validators that check formats demand one.`,
  minProperties: 1,
  properties: {
    eq: { ...value, description: "Equals the value." },
    ne: { ...value, description: "The negation of eq." },
    in: { ...values, description: "Equals one of the values." },
    nin: { ...values, description: "The negation of in." },
    gt: bound,
    gte: bound,
    lt: bound,
    lte: bound,
    exists: { type: "boolean", description: "Whether the field has a value." },
    contains: { ...text, description: "A substring of a text, or a whole element of a list. Case-sensitive." },
    startsWith: { ...text, description: "The beginning of a text, or of an element of a list. Case-sensitive." },
  },
  additionalProperties: false,
};
