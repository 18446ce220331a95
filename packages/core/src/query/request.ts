import type { Violation } from "../errors.ts";
import { ValidationError } from "../errors.ts";
import { FILTERS_MAX, QUERY_CHARACTERS_MAX, TOP_K_DEFAULT, TOP_K_MAX } from "../limits.ts";
import type { Filters, FilterValue } from "../types.ts";
import { isFilterField } from "./filters.ts";

/** A search with its defaults filled in. */
export interface SearchRequest {
  readonly query: string;
  readonly filters: Filters;
  readonly topK: number;
  readonly includeFaqs: boolean;
  readonly includeContent: boolean;
  readonly onlyActiveIntents: boolean;
}

const FIELDS = new Set(["query", "filters", "options"]);
const FLAGS = ["includeFaqs", "includeContent", "onlyActiveIntents"] as const;
const OPTIONS = new Set<string>(["topK", ...FLAGS]);

/**
 * Reads a search as the API takes it: `{ query, filters?, options? }`.
 * @throws ValidationError naming every broken rule
 */
export function parseSearchRequest(body: unknown): SearchRequest {
  if (!isObject(body)) {
    throw new ValidationError([{ message: "the body must be a JSON object", field: "body", type: "object" }]);
  }
  const violations: Violation[] = [];
  for (const name of Object.keys(body)) {
    if (!FIELDS.has(name)) violations.push(unknownField(name, name, "query, filters and options"));
  }
  const query = readQuery(body.query, violations);
  const filters = readFilters(body.filters, violations);
  const options = readOptions(body.options, violations);
  if (violations.length > 0) throw new ValidationError(violations);
  return { query, filters, ...options };
}

function readQuery(value: unknown, violations: Violation[]): string {
  const refuse = (message: string, type: string): string => {
    violations.push({ message, field: "query", type });
    return "";
  };
  if (value === undefined) return refuse("query is required", "required");
  if (typeof value !== "string") return refuse("query must be a string", "string");
  if (!value.isWellFormed())
    return refuse("query must be well-formed Unicode: it holds half of a surrogate pair", "string");
  if (value === "") return refuse("query must have at least 1 character", "minLength");
  // A code point takes at most two units: most queries need no count.
  if (value.length > QUERY_CHARACTERS_MAX && [...value].length > QUERY_CHARACTERS_MAX) {
    return refuse(`query must have at most ${QUERY_CHARACTERS_MAX} characters`, "maxLength");
  }
  return value;
}

function readFilters(value: unknown, violations: Violation[]): Filters {
  const filters = new Map<string, FilterValue>();
  if (value === undefined) return {};
  if (!isObject(value)) {
    violations.push({ message: "filters must be an object", field: "filters", type: "object" });
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > FILTERS_MAX) {
    violations.push({ message: `filters must have at most ${FILTERS_MAX} fields`, field: "filters", type: "maxItems" });
    return {};
  }
  for (const [name, wanted] of entries) {
    const field = `filters.${name}`;
    if (!name.isWellFormed()) {
      violations.push({ message: "a filter's name must be well-formed Unicode", field: "filters", type: "string" });
    } else if (!isFilterField(name)) {
      violations.push(unknownField(field, name, "resourceDocId, type, status, url and metaData.<key>"));
    } else if (typeof wanted === "string" && !wanted.isWellFormed()) {
      violations.push({ message: `${field} must be well-formed Unicode`, field, type: "string" });
    } else if (typeof wanted === "string" || typeof wanted === "boolean" || Number.isFinite(wanted)) {
      filters.set(name, wanted as FilterValue);
    } else {
      violations.push({ message: `${field} must be a string, number or boolean`, field, type: "filterValue" });
    }
  }
  return Object.fromEntries(filters);
}

type Options = Omit<SearchRequest, "query" | "filters">;

function readOptions(value: unknown, violations: Violation[]): Options {
  const options = { topK: TOP_K_DEFAULT, includeFaqs: true, includeContent: false, onlyActiveIntents: false };
  if (value === undefined) return options;
  if (!isObject(value)) {
    violations.push({ message: "options must be an object", field: "options", type: "object" });
    return options;
  }
  for (const name of Object.keys(value)) {
    if (!OPTIONS.has(name)) violations.push(unknownField(`options.${name}`, name, [...OPTIONS].join(", ")));
  }
  const topK = value.topK;
  if (topK !== undefined) {
    const field = "options.topK";
    if (typeof topK !== "number" || !Number.isInteger(topK)) {
      violations.push({ message: `${field} must be an integer`, field, type: "integer" });
    } else if (topK < 1) {
      violations.push({ message: `${field} must be at least 1`, field, type: "range" });
    } else {
      options.topK = Math.min(topK, TOP_K_MAX);
    }
  }
  for (const name of FLAGS) {
    const flag = value[name];
    if (flag === undefined) continue;
    const field = `options.${name}`;
    if (typeof flag === "boolean") options[name] = flag;
    else violations.push({ message: `${field} must be true or false`, field, type: "boolean" });
  }
  return options;
}

function unknownField(field: string, name: string, known: string): Violation {
  return { message: `${name} is not a known field; known are ${known}`, field, type: "unknownField" };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
