import type { SearchFilter } from "../model/filter-types.ts";
import {
  CONTEXT_CHARACTERS_DEFAULT,
  CONTEXT_CHARACTERS_MAX,
  OFFSET_MAX,
  QUERY_CHARACTERS_MAX,
  TOP_K_DEFAULT,
  TOP_K_MAX,
} from "../model/limits.ts";
import { CONTEXTS } from "../model/options.ts";
import type { QueryOptions } from "../model/queries.ts";
import type { Context, SearchOptions } from "../model/types.ts";
import { type Fields, own, Violations } from "../model/validation.ts";
import { parseFilters } from "./filters/parse-filters.ts";

/** A validated search request with its defaults filled in. */
export interface SearchRequest {
  readonly query: string;
  readonly filters: SearchFilter;
  readonly topK: number;
  readonly includeFaqs: boolean;
  readonly includeContent: boolean;
  readonly onlyActiveIntents: boolean;
  readonly context: Context;
  readonly contextCharacters: number;
  /** Undefined if the request has none: then the search finds `topK` documents, and no more of which a slice is returned. */
  readonly offset: number | undefined;
  readonly minScore: number;
}

/**
 * The request body of a search that a program makes, in the form that the API takes.
 * The options `quality`, `signal` and `vocabulary` are left out, since the API has none of them. Undefined options count as absent.
 */
export function requestBody(
  query: string,
  {
    filters,
    quality: _,
    signal: _signal,
    vocabulary: _vocabulary,
    noted: _noted,
    requestId: _id,
    ...options
  }: SearchOptions,
): unknown {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { query, ...(filters === undefined ? {} : { filters }), options: given };
}

const FIELDS = new Set(["query", "filters", "options"]);
const FLAGS = ["includeFaqs", "includeContent", "onlyActiveIntents"] as const;
const OPTIONS = new Set<string>(["topK", ...FLAGS, "context", "contextCharacters", "offset", "minScore"]);
/** Options that only a query has. `query-request.ts` reads them. */
const OF_QUERY = new Set<string>(["facets", "groupBy", "groupSize"] satisfies Exclude<
  keyof QueryOptions,
  keyof SearchOptions
>[]);
const OPTIONS_OF_QUERY: ReadonlySet<string> = new Set([...OPTIONS, ...OF_QUERY]);

/**
 * Validates a search request, `{ query, filters?, options? }`, and fills in defaults. A `topK` above `TOP_K_MAX` counts as `TOP_K_MAX`.
 * @throws ValidationError naming every broken rule
 */
export function parseSearchRequest(body: unknown): SearchRequest {
  const violations = new Violations();
  const request = readSearchRequest(body, violations);
  violations.throwIfAny();
  return request;
}

/** Reads the request of a search, or that of a query without the options that only a query has. Adds every broken rule. */
export function readSearchRequest(body: unknown, violations: Violations, isQuery = false): SearchRequest {
  const fields = violations.object("body", body);
  if (fields === undefined) return violations.throwIfAny() as never;
  violations.unknownFields(fields, FIELDS);
  const query = readQuery(own(fields, "query"), violations);
  const filters = parseFilters(own(fields, "filters"), violations);
  const options = readOptions(own(fields, "options"), violations, isQuery);
  return { query, filters, ...options };
}

/** The options of a search. Those that only a query has are refused, and left out. */
function withoutThoseOfQuery(options: Fields, violations: Violations): Fields {
  const entries = Object.entries(options);
  for (const [name] of entries) {
    const field = `options.${name}`;
    const where = "a search answers with a list alone. Send it to POST /api/v1/knowledge/query (in programs: query)";
    if (OF_QUERY.has(name)) violations.add(field, "unknownField", `${field} is an option of a query: ${where}`);
  }
  return Object.fromEntries(entries.filter(([name]) => !OF_QUERY.has(name)));
}

function readQuery(value: unknown, violations: Violations): string {
  if (value !== undefined) return violations.string("query", value, { min: 1, max: QUERY_CHARACTERS_MAX }) ?? "";
  violations.add("query", "required", "query is required");
  return "";
}

type Options = Omit<SearchRequest, "query" | "filters">;

function readOptions(value: unknown, violations: Violations, isQuery: boolean): Options {
  const fields = (value === undefined ? undefined : violations.object("options", value)) ?? {};
  if (isQuery) violations.unknownFields(fields, OPTIONS_OF_QUERY, "options.");
  else violations.unknownFields(withoutThoseOfQuery(fields, violations), OPTIONS, "options.");
  const context = own(fields, "context");
  const number = (name: string, range: Parameters<Violations["number"]>[2]): number | undefined => {
    const given = own(fields, name);
    return given === undefined ? undefined : violations.number(`options.${name}`, given, range);
  };
  const topK = number("topK", { min: 1, isInteger: true });
  const flag = (name: (typeof FLAGS)[number]): boolean | undefined => {
    const given = own(fields, name);
    return given === undefined ? undefined : violations.boolean(`options.${name}`, given);
  };
  return {
    topK: Math.min(topK ?? TOP_K_DEFAULT, TOP_K_MAX),
    includeFaqs: flag("includeFaqs") ?? true,
    includeContent: flag("includeContent") ?? false,
    onlyActiveIntents: flag("onlyActiveIntents") ?? false,
    context: (context === undefined ? undefined : violations.oneOf("options.context", context, CONTEXTS)) ?? "none",
    contextCharacters:
      number("contextCharacters", { min: 1, max: CONTEXT_CHARACTERS_MAX, isInteger: true }) ??
      CONTEXT_CHARACTERS_DEFAULT,
    offset: number("offset", { min: 0, max: OFFSET_MAX, isInteger: true }),
    minScore: number("minScore", { min: 0, max: 1, isInteger: false }) ?? 0,
  };
}
