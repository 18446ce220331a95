import {
  FILTER_NAME_CHARACTERS_MAX,
  FILTER_NAME_DOTS_MAX,
  FILTER_TEXT_CHARACTERS_MAX,
  FILTERS_MAX,
} from "@loredex/core";
import { isRecord } from "../json.ts";
import { FIELD_OF_NAME } from "./records.ts";
import { fieldIn } from "./values.ts";

/** Dify's conditions on metadata as filters of a search. Filters can only express equality, and all conditions together. */

type FilterValue = string | number | boolean;
export type Filters = Readonly<Record<string, FilterValue>>;

/** Reports a broken rule: the field, the rule, and what the field must be. */
type Broken = (field: string, type: string, message: string) => void;

const CONDITION = "metadata_condition";

const META_DATA = "metaData.";

/** The most characters and dots of a condition's name. Its filter has {@link META_DATA} before it. */
export const CONDITION_NAME_CHARACTERS_MAX = FILTER_NAME_CHARACTERS_MAX - META_DATA.length;
const CONDITION_NAME_DOTS_MAX = FILTER_NAME_DOTS_MAX - 1;

/** The operators of Dify that a filter cannot express. */
const OTHER_OPERATORS: ReadonlySet<unknown> = new Set(
  "contains|not contains|start with|end with|is not|not in|empty|not empty|null|not null|≠|>|<|≥|≤|before|after".split(
    "|",
  ),
);

/** The filters of a condition. A condition that filters cannot express is refused, since an answer without it would be wrong. */
export function filtersOf(condition: unknown, broken: Broken): Filters {
  if (condition === undefined) return {};
  if (!isRecord(condition)) {
    broken(CONDITION, "object", "must be an object");
    return {};
  }
  const conditions = fieldIn(condition, "conditions") ?? [];
  if (!Array.isArray(conditions)) {
    broken(`${CONDITION}.conditions`, "array", "must be a list");
    return {};
  }
  if (conditions.length > FILTERS_MAX) {
    broken(`${CONDITION}.conditions`, "maxItems", `must have at most ${FILTERS_MAX} entries`);
    return {};
  }
  checkOperator(fieldIn(condition, "logical_operator"), conditions.length, broken);
  const filters = new Map<string, FilterValue>();
  for (const [index, each] of conditions.entries()) {
    const at = `${CONDITION}.conditions.${index}`;
    const filter = filterOf(each, at, broken);
    if (filter === undefined) continue;
    const [field, value] = filter;
    const before = filters.get(field);
    if (before === undefined) filters.set(field, value);
    else if (before !== value)
      broken(`${at}.name`, "unsupported", "is compared with two values; one name can have one");
  }
  return Object.fromEntries(filters);
}

function checkOperator(operator: unknown, count: number, broken: Broken): void {
  const field = `${CONDITION}.logical_operator`;
  if (operator === "or" && count > 1) {
    broken(field, "unsupported", "can only be and: conditions of which one is enough cannot be searched by here");
  } else if (operator !== undefined && operator !== "and" && operator !== "or") {
    broken(field, "enum", "must be and, or or");
  }
}

function filterOf(condition: unknown, at: string, broken: Broken): [field: string, value: FilterValue] | undefined {
  if (!isRecord(condition)) {
    broken(at, "object", "must be an object");
    return undefined;
  }
  const field = fieldOf(fieldIn(condition, "name"), `${at}.name`, broken);
  const value = wantedBy(fieldIn(condition, "comparison_operator"), fieldIn(condition, "value"), at, broken);
  return field === undefined || value === undefined ? undefined : [field, value];
}

/** The name of a condition. Older pages of Dify's documentation have a list of names. */
function fieldOf(given: unknown, at: string, broken: Broken): string | undefined {
  const name: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (typeof name !== "string" || name === "" || !name.isWellFormed()) {
    broken(at, "string", "must be the name of one key of a record's metadata");
    return undefined;
  }
  if (isLonger(name, CONDITION_NAME_CHARACTERS_MAX)) {
    broken(at, "maxLength", `must have at most ${CONDITION_NAME_CHARACTERS_MAX} characters`);
    return undefined;
  }
  if (name.split(".").length - 1 > CONDITION_NAME_DOTS_MAX) {
    broken(at, "maxItems", `must have at most ${CONDITION_NAME_DOTS_MAX} dots`);
    return undefined;
  }
  if (!Object.hasOwn(FIELD_OF_NAME, name)) return META_DATA + name;
  const field = FIELD_OF_NAME[name];
  if (field === undefined) broken(at, "unsupported", `is ${name}, which belongs to a record and not to its document`);
  return field;
}

/** Whether a text has more than `max` code points. A code point has one or two units. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > max * 2 || [...text].length > max);
}

function wantedBy(operator: unknown, given: unknown, at: string, broken: Broken): FilterValue | undefined {
  const refuse = (field: string, type: string, message: string): undefined => {
    broken(`${at}.${field}`, type, message);
  };
  switch (operator) {
    case "is":
      if (typeof given === "string" && isLonger(given, FILTER_TEXT_CHARACTERS_MAX))
        return refuse("value", "maxLength", `must have at most ${FILTER_TEXT_CHARACTERS_MAX} characters`);
      if (typeof given === "string" && given.isWellFormed()) return given;
      if (typeof given === "number" || typeof given === "boolean") return given;
      return refuse("value", "filterValue", "must be a string, number or boolean");
    case "=": {
      const number = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
      if (typeof number === "number" && Number.isFinite(number)) return number;
      return refuse("value", "number", "must be a number");
    }
    case "in":
      if (Array.isArray(given) && given.length === 1) return wantedBy("is", given[0], at, broken);
      return refuse("value", "unsupported", "must be a list of one value; one of several cannot be searched by here");
  }
  if (OTHER_OPERATORS.has(operator)) {
    return refuse(
      "comparison_operator",
      "unsupported",
      `${String(operator)} cannot be searched by here; what can be: is, = and in with one value`,
    );
  }
  return refuse("comparison_operator", "enum", "must be one of Dify's operators; those that work here: is, =, in");
}
