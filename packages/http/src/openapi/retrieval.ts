import {
  FILTER_TEXT_CHARACTERS_MAX,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  QUERY_CHARACTERS_MAX,
  TOP_K_DEFAULT,
  TOP_K_MAX,
} from "@loredex/core";
import { CONDITION_NAME_CHARACTERS_MAX, CONDITION_OPERATORS, type ConditionOperator } from "../dify/conditions.ts";
import { DIFY_CODES, DIFY_ERRORS } from "../dify/refusals.ts";
import { ERROR_TABLE } from "../errors.ts";
import {
  type ErrorName,
  exampleName,
  MORE_HEADERS,
  oneOf,
  refusal,
  responseRef,
  WITH_BODY,
  WITH_KEY,
} from "./failures.ts";
import { REQUEST_ID } from "./headers.ts";
import { nullable } from "./nullable.ts";
import { ref } from "./reference.ts";

/** The retrieval in Dify's form, and its refusals, which have a form of their own. */

export const RetrievalRequest = {
  type: "object",
  description: "As Dify sends it. null counts as absent, and fields that are unknown here are passed over.",
  required: ["knowledge_id", "query"],
  properties: {
    knowledge_id: {
      type: "string",
      minLength: 1,
      description:
        "The id or the name of the bot that the key opens; with #passage, #section or #page behind it, records have that text around each match.",
    },
    query: {
      type: "string",
      minLength: 1,
      description: `The first ${QUERY_CHARACTERS_MAX} characters are searched for.`,
    },
    retrieval_setting: nullable({
      type: "object",
      properties: {
        top_k: nullable({
          type: "integer",
          minimum: 1,
          default: TOP_K_DEFAULT,
          description: `Most records to answer, of ${TOP_K_MAX} documents at most.`,
        }),
        score_threshold: nullable({
          type: "number",
          minimum: 0,
          maximum: 1,
          default: 0,
          description: "Records with a lower score are left out.",
        }),
      },
    }),
    metadata_condition: nullable({
      type: "object",
      properties: {
        logical_operator: nullable({
          type: "string",
          enum: ["and", "or"],
          default: "and",
          description: "Whether all conditions must hold, or one of them.",
        }),
        conditions: nullable({ type: "array", maxItems: FILTERS_MAX, items: ref("RetrievalCondition") }),
      },
    }),
  },
};

const SINGLE = { type: ["string", "number", "boolean"], maxLength: FILTER_TEXT_CHARACTERS_MAX };
const NUMBER = { anyOf: [{ type: "number" }, { type: "string", pattern: "^-?\\d{1,15}(\\.\\d{1,15})?$" }] };
const BOUND = { anyOf: [...NUMBER.anyOf, { type: "string", format: "date" }, { type: "string", format: "date-time" }] };
const TEXT = { type: "string", minLength: 1, maxLength: FILTER_TEXT_CHARACTERS_MAX };
const LIST = {
  anyOf: [{ type: "array", minItems: 1, maxItems: FILTER_VALUES_MAX, items: SINGLE }, TEXT],
  description: "A list, or a text with commas.",
};

const comparison = (operators: readonly ConditionOperator[], value?: object) => ({
  type: "object",
  properties: { comparison_operator: { type: "string", enum: operators }, ...(value === undefined ? {} : { value }) },
  ...(value === undefined ? {} : { required: ["value"] }),
});

const CONDITION_NAME = { type: "string", minLength: 1, maxLength: CONDITION_NAME_CHARACTERS_MAX };

export const RetrievalCondition = {
  type: "object",
  required: ["name", "comparison_operator"],
  properties: {
    name: {
      description: "A key of the metadata that records have.",
      anyOf: [CONDITION_NAME, { type: "array", minItems: 1, maxItems: 1, items: CONDITION_NAME }],
    },
    comparison_operator: {
      type: "string",
      enum: CONDITION_OPERATORS,
      description: "Of Dify's operators, end with is refused.",
    },
    value: { description: "Of the kind that the operator compares with." },
  },
  anyOf: [
    comparison(["is", "is not"], SINGLE),
    comparison(["contains", "not contains", "start with"], TEXT),
    comparison(["=", "≠"], NUMBER),
    comparison([">", "<", "≥", "≤", "before", "after"], BOUND),
    comparison(["in", "not in"], LIST),
    comparison(["empty", "not empty", "null", "not null"]),
  ],
};

export const RetrievalAnswer = {
  type: "object",
  required: ["records"],
  properties: {
    records: {
      type: "array",
      description: "The texts that match, by falling score.",
      items: {
        type: "object",
        required: ["content", "score", "title", "metadata"],
        properties: {
          content: { type: "string" },
          score: {
            type: "number",
            minimum: 0,
            maximum: 1,
            description: "The similarity that a search tells of this text.",
          },
          title: { type: "string", description: "Of the document; its address or id where it has none." },
          metadata: {
            type: "object",
            description: "The document's own, and where the text stands.",
            required: ["document_id", "document_type", "document_status", "start_line", "stop_line"],
            properties: {
              document_id: { type: "string" },
              document_type: { type: "string" },
              document_status: { type: "string" },
              document_url: { type: "string" },
              start_line: { type: "integer", minimum: 1 },
              stop_line: { type: "integer", minimum: 1 },
            },
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
};

/** A refusal in Dify's form. Each status has codes of its own. */
export const RetrievalFailure = {
  type: "object",
  required: ["error_code", "error_msg"],
  properties: {
    error_code: { type: "integer", description: "What went wrong. It stays the same in all versions." },
    error_msg: { type: "string", description: "For people; it may change." },
  },
  additionalProperties: false,
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: "40000: the input breaks the rules that error_msg names. If the request is not valid HTTP, the error has the form of other operations.",
  403: "1001: there is neither an Authorization header of the form Bearer KEY nor an x-api-key. 1002: the key is unknown or revoked.",
  404: "2001: the key opens no knowledge with this id.",
  408: "The request took too long to arrive: send it again. If not even its headers came, the error has the form of other operations.",
  413: "The body is too large. The connection ends.",
  415: "The body is not application/json in UTF-8, or is compressed.",
  429: "The key has made as many requests as it may within a minute.",
  500: "A fault of the service. Give the operator the x-request-id.",
  503: "50001, 50005 and 50006 (the database does not answer) pass by themselves: try again after Retry-After. 50004 (the bot's data cannot be used) is the operator's to mend.",
};

type Name = ErrorName | keyof typeof DIFY_ERRORS;
const CODES = { ...ERROR_TABLE, ...DIFY_ERRORS };
const NAMES: readonly Name[] = ["AUTHORIZATION_FORMAT", ...WITH_KEY, "KNOWLEDGE_NOT_FOUND", ...WITH_BODY];

/** The errors found before the route is known. They have the same form as everywhere. */
const UNREAD: readonly ErrorName[] = ["VALIDATION", "REQUEST_TIMEOUT", "HEADERS_TOO_LARGE"];
/** The error that only occurs before the route is known. */
const NEVER_READ: ErrorName = "HEADERS_TOO_LARGE";

/** The answers by status. Several errors of one status share an answer. */
export function retrievalFailures(): Readonly<Record<string, object>> {
  const statuses = [...new Set(NAMES.map((name) => codeOf(name).status))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      if (status === ERROR_TABLE[NEVER_READ].status) return [String(status), responseRef([NEVER_READ])];
      const forms = formsOf(NAMES.filter((name) => codeOf(name).status === status));
      const [only, ...others] = forms.map(({ schema }) => schema);
      const schema = others.length === 0 ? only : { anyOf: [only, ...others] };
      const examples = Object.assign({}, ...forms.map((form) => form.examples));
      return [
        String(status),
        {
          description: DESCRIPTIONS[status] ?? "",
          headers: { ...REQUEST_ID, ...MORE_HEADERS[status] },
          content: { "application/json": { schema, examples } },
        },
      ];
    }),
  );
}

/** The forms that errors of one status can have. */
function formsOf(names: readonly Name[]): { readonly schema: object; readonly examples: object }[] {
  const unread = UNREAD.filter((name) => names.includes(name));
  return [inDifysForm(names), ...unread.map((name) => refusal([name]))];
}

function inDifysForm(names: readonly Name[]) {
  const examples = Object.fromEntries(
    names.map((name) => {
      const error_msg = CODES[name].message ?? "query is required";
      return [`dify${name[0]}${exampleName(name).slice(1)}`, { value: { error_code: codeOf(name).number, error_msg } }];
    }),
  );
  const error_code = oneOf(names.map((name) => codeOf(name).number));
  // Beside the reference, and not a schema of its own: client generators would make a class for each status.
  const schema = { ...ref("RetrievalFailure"), type: "object", properties: { error_code } };
  return { schema, examples };
}

function codeOf(name: Name): { readonly status: number; readonly number: number | undefined } {
  const codes: Readonly<Partial<Record<Name, { readonly status: number; readonly number: number }>>> = DIFY_CODES;
  return codes[name] ?? CODES[name];
}
