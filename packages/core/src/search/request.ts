import type { SearchFilter } from "../model/filter-types.ts";
import { QUERY_CHARACTERS_MAX, TOP_K_DEFAULT, TOP_K_MAX } from "../model/limits.ts";
import type { SearchOptions } from "../model/types.ts";
import { own, Violations } from "../model/validation.ts";
import { parseFilters } from "./filters/parse-filters.ts";

/** A validated search request with its defaults filled in. */
export interface SearchRequest {
  readonly query: string;
  readonly filters: SearchFilter;
  readonly topK: number;
  readonly includeFaqs: boolean;
  readonly includeContent: boolean;
  readonly onlyActiveIntents: boolean;
}

/**
 * The request body of a search that a program makes, in the form that the API takes.
 * The options `quality`, `signal` and `vocabulary` are left out, since the API has none of them. Undefined options count as absent.
 */
export function requestBody(
  query: string,
  { filters, quality: _, signal: _signal, vocabulary: _vocabulary, ...options }: SearchOptions,
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
  const filters = parseFilters(own(fields, "filters"), violations);
  const options = readOptions(own(fields, "options"), violations);
  violations.throwIfAny();
  return { query, filters, ...options };
}

function readQuery(value: unknown, violations: Violations): string {
  if (value !== undefined) return violations.string("query", value, { min: 1, max: QUERY_CHARACTERS_MAX }) ?? "";
  violations.add("query", "required", "query is required");
  return "";
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
