import {
  FACETS_MAX,
  FILTER_NAME_CHARACTERS_MAX,
  FILTER_NAME_DOTS_MAX,
  GROUP_SIZE_DEFAULT,
  GROUP_SIZE_MAX,
} from "../model/limits.ts";
import { type Fields, isFields, own, Violations } from "../model/validation.ts";
import { isFilterField } from "./filters/fields.ts";
import { hasMoreDots, KNOWN_FIELDS } from "./filters/parse-filters.ts";
import { readSearchRequest, type SearchRequest } from "./request.ts";

/** A validated query request with its defaults filled in. */
export interface QueryRequest extends SearchRequest {
  /** Different fields whose values are counted. */
  readonly facets: readonly string[];
  /** The field whose values make groups; undefined for no groups. */
  readonly groupBy: string | undefined;
  readonly groupSize: number;
}

/**
 * Validates a query request: that of a search, with `options.facets`, `options.groupBy` and `options.groupSize`. Fills in defaults.
 * @throws ValidationError naming every broken rule
 */
export function parseQueryRequest(body: unknown): QueryRequest {
  const violations = new Violations();
  const request = readSearchRequest(body, violations, true);
  const given = isFields(body) ? own(body, "options") : undefined;
  const options = isFields(given) ? given : {};
  const facets = readFacets(own(options, "facets"), violations);
  const groups = readGroups(options, violations);
  violations.throwIfAny();
  return { ...request, facets, ...groups };
}

function readFacets(value: unknown, violations: Violations): readonly string[] {
  const field = "options.facets";
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    violations.add(field, "array", `${field} must be a list of fields`);
  } else if (value.length > FACETS_MAX) {
    violations.add(field, "maxItems", `${field} must have at most ${FACETS_MAX} fields`);
  } else {
    const names = Array.from(value as readonly unknown[], (each, at) => readField(`${field}.${at}`, each, violations));
    const known = names.filter((name) => name !== undefined);
    // A field that is named twice is counted once.
    return [...new Set(known)];
  }
  return [];
}

function readGroups(options: Fields, violations: Violations): Pick<QueryRequest, "groupBy" | "groupSize"> {
  const [by, size] = [own(options, "groupBy"), own(options, "groupSize")];
  const groupBy = by === undefined ? undefined : readField("options.groupBy", by, violations);
  if (size === undefined) return { groupBy, groupSize: GROUP_SIZE_DEFAULT };
  const field = "options.groupSize";
  const groupSize = violations.number(field, size, { min: 1, max: GROUP_SIZE_MAX, isInteger: true });
  if (groupSize !== undefined && by === undefined)
    violations.add("options.groupBy", "required", `options.groupBy is required with ${field}`);
  return { groupBy, groupSize: groupSize ?? GROUP_SIZE_DEFAULT };
}

/** A field that a filter may name too. */
function readField(field: string, value: unknown, violations: Violations): string | undefined {
  const name = violations.string(field, value, { min: 1, max: FILTER_NAME_CHARACTERS_MAX });
  if (name === undefined) return undefined;
  if (hasMoreDots(name, FILTER_NAME_DOTS_MAX)) {
    violations.add(field, "maxItems", `${field} must have at most ${FILTER_NAME_DOTS_MAX} dots`);
  } else if (!isFilterField(name)) {
    violations.add(field, "unknownField", `${field} must be the name of a field: known are ${KNOWN_FIELDS}`);
  } else {
    return name;
  }
  return undefined;
}
