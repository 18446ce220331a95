import type { FilterOperator, FilterValue, SearchFilter } from "../../model/filter-types.ts";
import {
  FILTER_CONDITIONS_MAX,
  FILTER_GROUP_MAX,
  FILTER_LEVELS_MAX,
  FILTER_NAME_CHARACTERS_MAX,
  FILTER_NAME_DOTS_MAX,
  FILTER_TEXT_CHARACTERS_MAX,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  JSON_VALUES_MAX,
} from "../../model/limits.ts";
import { meantBy } from "../../model/nearest.ts";
import { beginning, type Fields, isFields, isLonger, type Violations } from "../../model/validation.ts";
import { isFilterField } from "./fields.ts";
import { FILTER_OPERATORS } from "./filter-tree.ts";
import { instantOf } from "./instants.ts";

/** Validates the filters of a request, and copies them. A broken rule is added with its dotted field, as in `filters.or.1.metaData.year.gte`. */
export function parseFilters(value: unknown, violations: Violations): SearchFilter {
  return value === undefined ? {} : new FilterParser(violations).parse(value);
}

const PLAIN_NAMES = ["resourceDocId", "type", "status", "url", "and", "or", "not"];
export const KNOWN_FIELDS = "resourceDocId, type, status, url and metaData.<key>";
const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);
const PLAIN = "must be a string, number or boolean";
const BOUND = "must be a number, or a date: YYYY-MM-DD, or a date and time of RFC 3339";

function isOperator(name: string): name is FilterOperator {
  return OPERATORS.has(name);
}

class FilterParser {
  readonly #violations: Violations;
  #conditions = 0;
  /** Objects and list entries so far. A program may pass one object many times. */
  #objects = 0;

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  parse(value: unknown): SearchFilter {
    const filter = this.#filter("filters", value, 1);
    if (this.#conditions > FILTER_CONDITIONS_MAX) {
      const most = `filters must have at most ${FILTER_CONDITIONS_MAX} conditions (operators of a field) in all`;
      this.#violations.add("filters", "maxItems", most);
    } else if (this.#objects > JSON_VALUES_MAX) {
      this.#violations.add("filters", "maxItems", `filters must have at most ${JSON_VALUES_MAX} groups in all`);
    }
    return filter;
  }

  /** True if there are too many conditions or objects already: the rest is not read. */
  get #isFull(): boolean {
    return this.#conditions > FILTER_CONDITIONS_MAX || this.#objects > JSON_VALUES_MAX;
  }

  #filter(at: string, value: unknown, level: number): SearchFilter {
    const violations = this.#violations;
    this.#objects++;
    if (level > FILTER_LEVELS_MAX) {
      violations.add(at, "maxDepth", `${at} is nested too deep: filters have at most ${FILTER_LEVELS_MAX} levels`);
      return {};
    }
    const entries = Object.entries(violations.object(at, value) ?? {});
    if (entries.length > FILTERS_MAX) {
      violations.add(at, "maxItems", `${at} must have at most ${FILTERS_MAX} fields`);
      return {};
    }
    const filter: [string, SearchFilter[string]][] = [];
    for (const [name, given] of entries) {
      if (this.#isFull) break;
      const read = this.#entry(at, name, given, level);
      if (read !== undefined) filter.push([name, read]);
    }
    return Object.fromEntries(filter);
  }

  #entry(at: string, name: string, given: unknown, level: number): SearchFilter[string] {
    if (name === "and" || name === "or") return this.#group(`${at}.${name}`, given, level + 1);
    if (name === "not") return this.#filter(`${at}.not`, given, level + 1);
    if (!this.#isName(at, name)) return undefined;
    const field = `${at}.${name}`;
    if (isFields(given)) return this.#operators(field, given);
    this.#conditions++;
    return this.#value(field, given, `${PLAIN}, or an object of operators`);
  }

  #group(at: string, given: unknown, level: number): SearchFilter[] {
    const filters = this.#list(at, given, FILTER_GROUP_MAX, "filters");
    const group: SearchFilter[] = [];
    for (const [number, each] of filters.entries()) {
      if (this.#isFull) break;
      group.push(this.#filter(`${at}.${number}`, each, level));
    }
    return group;
  }

  #operators(field: string, given: Fields): SearchFilter[string] | undefined {
    const entries = Object.entries(given);
    const known = FILTER_OPERATORS.join(", ");
    if (entries.length === 0)
      this.#violations.add(field, "minItems", `${field} must have at least 1 operator; there are ${known}`);
    if (entries.length > FILTER_OPERATORS.length) {
      this.#violations.add(
        field,
        "maxItems",
        `${field} must have at most ${FILTER_OPERATORS.length} operators: ${known}`,
      );
      return undefined;
    }
    const read: [string, unknown][] = [];
    for (const [operator, wanted] of entries) {
      if (isOperator(operator)) {
        this.#conditions++;
        read.push([operator, this.#wanted(`${field}.${operator}`, operator, wanted)]);
        continue;
      }
      const meant = meantBy(operator, FILTER_OPERATORS);
      const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
      const at = `${field}.${beginning(operator)}`;
      this.#violations.add(at, "unknownField", `${at} must be one of the operators ${known}${hint}`);
    }
    return Object.fromEntries(read) as SearchFilter;
  }

  #wanted(field: string, operator: FilterOperator, wanted: unknown): unknown {
    switch (operator) {
      case "eq":
      case "ne":
        return this.#value(field, wanted, PLAIN);
      case "in":
      case "nin":
        return this.#list(field, wanted, FILTER_VALUES_MAX, "values").map((each, number) =>
          this.#value(`${field}.${number}`, each, PLAIN),
        );
      case "gt":
      case "gte":
      case "lt":
      case "lte":
        return this.#bound(field, wanted);
      case "exists":
        return this.#violations.boolean(field, wanted);
      case "contains":
      case "startsWith":
        return this.#violations.string(field, wanted, { min: 1, max: FILTER_TEXT_CHARACTERS_MAX });
    }
  }

  #value(field: string, given: unknown, kinds: string): FilterValue | undefined {
    if (typeof given === "string") return this.#violations.string(field, given, { max: FILTER_TEXT_CHARACTERS_MAX });
    if (typeof given === "boolean" || (typeof given === "number" && Number.isFinite(given))) return given;
    this.#violations.add(field, "filterValue", `${field} ${kinds}`);
    return undefined;
  }

  #bound(field: string, given: unknown): number | string | undefined {
    if (typeof given === "number" && Number.isFinite(given)) return given;
    if (typeof given !== "string") this.#violations.add(field, "filterValue", `${field} ${BOUND}`);
    else if (instantOf(given) === undefined)
      this.#violations.add(field, "date", `${field} ${BOUND}, and one that exists`);
    else return given;
    return undefined;
  }

  #list(field: string, given: unknown, max: number, what: string): readonly unknown[] {
    if (!Array.isArray(given)) this.#violations.add(field, "array", `${field} must be a list of ${what}`);
    else if (given.length === 0) this.#violations.add(field, "minItems", `${field} must have at least 1 entry`);
    else if (given.length > max) this.#violations.add(field, "maxItems", `${field} must have at most ${max} entries`);
    else return Array.from(given as readonly unknown[]);
    return [];
  }

  #isName(at: string, name: string): boolean {
    const violations = this.#violations;
    if (!name.isWellFormed()) {
      violations.add(at, "string", "a filter's name must be well-formed Unicode");
    } else if (isLonger(name, FILTER_NAME_CHARACTERS_MAX)) {
      const most = `a filter's name must have at most ${FILTER_NAME_CHARACTERS_MAX} characters`;
      violations.add(at, "maxLength", `${most}; one that begins with "${beginning(name)}" has more`);
    } else if (hasMoreDots(name, FILTER_NAME_DOTS_MAX)) {
      const most = `a filter's name must have at most ${FILTER_NAME_DOTS_MAX} dots`;
      violations.add(`${at}.${name}`, "maxItems", `${most}; one that begins with "${beginning(name)}" has more`);
    } else if (!isFilterField(name)) {
      const meant = meantBy(name, PLAIN_NAMES);
      const known = `known are ${KNOWN_FIELDS}, and the groups and, or and not`;
      const hint = meant === undefined ? known : `did you mean "${meant}"? ${known}`;
      violations.add(`${at}.${name}`, "unknownField", `${name} is not a known filter; ${hint}`);
    } else {
      return true;
    }
    return false;
  }
}

/** True if a name has more dots than `max`. */
export function hasMoreDots(name: string, max: number): boolean {
  let dots = 0;
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) if (++dots > max) return true;
  return false;
}
