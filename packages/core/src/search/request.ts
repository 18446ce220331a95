import {
  FILTER_NAME_CHARACTERS_MAX,
  FILTER_NAME_DOTS_MAX,
  FILTER_TEXT_CHARACTERS_MAX,
  FILTERS_MAX,
  QUERY_CHARACTERS_MAX,
  TOP_K_DEFAULT,
  TOP_K_MAX,
} from "../model/limits.ts";
import type { Filters, FilterValue, SearchOptions } from "../model/types.ts";
import { beginning, isLonger, own, Violations } from "../model/validation.ts";
import { isFilterField } from "./filter.ts";

/** A validated search request with its defaults filled in. */
export interface SearchRequest {
  readonly query: string;
  readonly filters: Filters;
  readonly topK: number;
  readonly includeFaqs: boolean;
  readonly includeContent: boolean;
  readonly onlyActiveIntents: boolean;
}

/**
 * The request body of a search that a program makes, in the form that the API takes.
 * The options `quality` and `signal` are left out, since the API has neither. Undefined options count as absent.
 */
export function requestBody(
  query: string,
  { filters, quality: _, signal: _signal, ...options }: SearchOptions,
): unknown {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { query, ...(filters === undefined ? {} : { filters }), options: given };
}

const FIELDS = new Set(["query", "filters", "options"]);
const FLAGS = ["includeFaqs", "includeContent", "onlyActiveIntents"] as const;
const OPTIONS = new Set<string>(["topK", ...FLAGS]);

/**
 * Validates a search request, `{ query, filters?, options? }`, and fills in defaults. A `topK` above `TOP_K_MAX` counts as `TOP_K_MAX`.
 * @throws ValidationError naming every broken rule
 */
export function parseSearchRequest(body: unknown): SearchRequest {
  const violations = new Violations();
  const fields = violations.object("body", body);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FIELDS);
  const query = readQuery(own(fields, "query"), violations);
  const filters = readFilters(own(fields, "filters"), violations);
  const options = readOptions(own(fields, "options"), violations);
  violations.throwIfAny();
  return { query, filters, ...options };
}

function readQuery(value: unknown, violations: Violations): string {
  if (value !== undefined) return violations.string("query", value, { min: 1, max: QUERY_CHARACTERS_MAX }) ?? "";
  violations.add("query", "required", "query is required");
  return "";
}

function readFilters(value: unknown, violations: Violations): Filters {
  if (value === undefined) return {};
  const entries = Object.entries(violations.object("filters", value) ?? {});
  if (entries.length > FILTERS_MAX) {
    violations.add("filters", "maxItems", `filters must have at most ${FILTERS_MAX} fields`);
    return {};
  }
  const filters: [string, FilterValue][] = [];
  for (const [name, wanted] of entries) {
    if (!isFilterName(name, violations)) continue;
    const field = `filters.${name}`;
    if (typeof wanted === "string") {
      const text = violations.string(field, wanted, { max: FILTER_TEXT_CHARACTERS_MAX });
      if (text !== undefined) filters.push([name, text]);
    } else if (typeof wanted === "boolean" || (typeof wanted === "number" && Number.isFinite(wanted))) {
      filters.push([name, wanted]);
    } else {
      violations.add(field, "filterValue", `${field} must be a string, number or boolean`);
    }
  }
  return Object.fromEntries(filters);
}

function isFilterName(name: string, violations: Violations): boolean {
  if (!name.isWellFormed()) {
    violations.add("filters", "string", "a filter's name must be well-formed Unicode");
  } else if (isLonger(name, FILTER_NAME_CHARACTERS_MAX)) {
    const most = `a filter's name must have at most ${FILTER_NAME_CHARACTERS_MAX} characters`;
    violations.add("filters", "maxLength", `${most}; one that begins with "${beginning(name)}" has more`);
  } else if (hasMoreDots(name, FILTER_NAME_DOTS_MAX)) {
    const most = `a filter's name must have at most ${FILTER_NAME_DOTS_MAX} dots`;
    violations.add(`filters.${name}`, "maxItems", `${most}; one that begins with "${beginning(name)}" has more`);
  } else if (!isFilterField(name)) {
    const known = "resourceDocId, type, status, url and metaData.<key>";
    violations.add(`filters.${name}`, "unknownField", `${name} is not a known filter; known are ${known}`);
  } else {
    return true;
  }
  return false;
}

function hasMoreDots(name: string, max: number): boolean {
  let dots = 0;
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) if (++dots > max) return true;
  return false;
}

type Options = Omit<SearchRequest, "query" | "filters">;

function readOptions(value: unknown, violations: Violations): Options {
  const options = { topK: TOP_K_DEFAULT, includeFaqs: true, includeContent: false, onlyActiveIntents: false };
  const fields = value === undefined ? undefined : violations.object("options", value);
  if (fields === undefined) return options;
  violations.unknownFields(fields, OPTIONS, "options.");
  const topK = own(fields, "topK");
  if (topK !== undefined) {
    const field = "options.topK";
    if (typeof topK !== "number" || !Number.isInteger(topK)) {
      violations.add(field, "integer", `${field} must be an integer`);
    } else if (topK < 1) {
      violations.add(field, "range", `${field} must be at least 1`);
    } else {
      options.topK = Math.min(topK, TOP_K_MAX);
    }
  }
  for (const name of FLAGS) {
    const flag = own(fields, name);
    if (flag !== undefined) options[name] = violations.boolean(`options.${name}`, flag) ?? options[name];
  }
  return options;
}
