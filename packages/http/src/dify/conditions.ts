import {
  FILTER_NAME_CHARACTERS_MAX,
  FILTER_NAME_DOTS_MAX,
  FILTER_TEXT_CHARACTERS_MAX,
  FILTER_VALUES_MAX,
  FILTERS_MAX,
  type FilterValue,
  type SearchFilter,
} from "@loredex/core";
import { isRecord } from "../json.ts";
import { FIELD_OF_NAME } from "./records.ts";
import { fieldIn } from "./values.ts";

/** Dify's conditions on metadata as filters of a search. */

/** Reports a broken rule: the field, the rule, and what the field must be. */
type Broken = (field: string, type: string, message: string) => void;

const CONDITION = "metadata_condition";

const META_DATA = "metaData.";

/** The most characters and dots of a condition's name. Its filter has {@link META_DATA} before it. */
export const CONDITION_NAME_CHARACTERS_MAX = FILTER_NAME_CHARACTERS_MAX - META_DATA.length;
const CONDITION_NAME_DOTS_MAX = FILTER_NAME_DOTS_MAX - 1;

/** The value of a condition, and how to say what is wrong with it. */
interface Given {
  readonly value: unknown;
  /** Refuses the value. */
  readonly refuse: (type: string, message: string) => undefined;
}

/** Makes the filter of one condition. Returns undefined if it has refused the value. */
type Reading = (field: string, given: Given) => SearchFilter | undefined;

/** Makes a filter of a value that `read` accepts. */
function reading<Value>(
  read: (given: Given) => Value | undefined,
  filter: (field: string, value: Value) => SearchFilter,
): Reading {
  return (field, given) => {
    const value = read(given);
    return value === undefined ? undefined : filter(field, value);
  };
}

const isMissing: Reading = (field) => ({ [field]: { exists: false } });
const isThere: Reading = (field) => ({ [field]: { exists: true } });

/** Dify's operators. It sends a time as seconds since 1970: documents may have it as a number or as a date. */
const READINGS = {
  is: reading(single, (field, value) => ({ [field]: value })),
  "is not": reading(single, (field, ne) => ({ [field]: { ne } })),
  contains: reading(text, (field, contains) => ({ [field]: { contains } })),
  "not contains": reading(text, (field, contains) => ({ not: { [field]: { contains } } })),
  "start with": reading(text, (field, startsWith) => ({ [field]: { startsWith } })),
  in: reading(list, (field, values) => ({
    [field]: values.length === 1 ? (values[0] as FilterValue) : { in: values },
  })),
  "not in": reading(list, (field, nin) => ({ [field]: { nin } })),
  empty: isMissing,
  null: isMissing,
  "not empty": isThere,
  "not null": isThere,
  "=": reading(number, (field, value) => ({ [field]: value })),
  "≠": reading(number, (field, ne) => ({ [field]: { ne } })),
  ">": reading(bound, (field, gt) => ({ [field]: { gt } })),
  "<": reading(bound, (field, lt) => ({ [field]: { lt } })),
  "≥": reading(bound, (field, gte) => ({ [field]: { gte } })),
  "≤": reading(bound, (field, lte) => ({ [field]: { lte } })),
  before: reading(bound, (field, lt) => eitherOf(forms(lt).map((each) => ({ [field]: { lt: each } })))),
  after: reading(bound, (field, gt) => eitherOf(forms(gt).map((each) => ({ [field]: { gt: each } })))),
} as const satisfies Readonly<Record<string, Reading>>;

/** An operator of Dify that filters can express. */
export type ConditionOperator = keyof typeof READINGS;

export const CONDITION_OPERATORS = Object.keys(READINGS) as readonly ConditionOperator[];

/** The operator of Dify that filters cannot express. */
const END_WITH = "end with";

/** The filters of a condition. A condition that filters cannot express is refused, since an answer without it would be wrong. */
export function filtersOf(condition: unknown, broken: Broken): SearchFilter {
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
  const operator = fieldIn(condition, "logical_operator");
  if (operator !== undefined && operator !== "and" && operator !== "or") {
    broken(`${CONDITION}.logical_operator`, "enum", "must be and, or or");
  }
  const filters = conditions.flatMap((each: unknown, index) => {
    const filter = filterOf(each, `${CONDITION}.conditions.${index}`, broken);
    return filter === undefined ? [] : [filter];
  });
  return operator === "or" ? eitherOf(filters) : allOf(filters);
}

function eitherOf(filters: readonly SearchFilter[]): SearchFilter {
  const [only, ...others] = filters;
  return others.length === 0 ? (only ?? {}) : { or: filters };
}

/** One object where no name occurs twice, else a group. */
function allOf(filters: readonly SearchFilter[]): SearchFilter {
  const names = filters.flatMap((each) => Object.keys(each));
  return new Set(names).size === names.length ? Object.fromEntries(filters.flatMap(Object.entries)) : { and: filters };
}

function filterOf(condition: unknown, at: string, broken: Broken): SearchFilter | undefined {
  if (!isRecord(condition)) {
    broken(at, "object", "must be an object");
    return undefined;
  }
  const field = fieldOf(fieldIn(condition, "name"), `${at}.name`, broken);
  const reading = readingOf(fieldIn(condition, "comparison_operator"), `${at}.comparison_operator`, broken);
  const refuse = (type: string, message: string): undefined => {
    broken(`${at}.value`, type, message);
  };
  // A broken name or operator does not hide what is wrong with the value.
  const filter = reading?.(field ?? META_DATA, { value: fieldIn(condition, "value"), refuse });
  return field === undefined ? undefined : filter;
}

function readingOf(operator: unknown, at: string, broken: Broken): Reading | undefined {
  const known = CONDITION_OPERATORS.find((each) => each === operator);
  if (known !== undefined) return READINGS[known];
  const all = CONDITION_OPERATORS.join(", ");
  if (operator === END_WITH) broken(at, "unsupported", `${END_WITH} cannot be searched by here; what can be: ${all}`);
  else broken(at, "enum", `must be one of Dify's operators; those that work here: ${all}`);
  return undefined;
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

function single({ value, refuse }: Given): FilterValue | undefined {
  if (typeof value === "string" && isLonger(value, FILTER_TEXT_CHARACTERS_MAX))
    return refuse("maxLength", `must have at most ${FILTER_TEXT_CHARACTERS_MAX} characters`);
  if (typeof value === "string" && value.isWellFormed()) return value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return refuse("filterValue", "must be a string, number or boolean");
}

function text(given: Given): string | undefined {
  if (typeof given.value !== "string") return given.refuse("string", "must be a string");
  if (given.value === "") return given.refuse("minLength", "must have at least 1 character");
  return single(given) as string | undefined;
}

function number({ value, refuse }: Given): number | undefined {
  return numberIn(value) ?? refuse("number", "must be a number");
}

/** A number, or a text that begins as a date. The search says what else is wrong with a date. */
function bound({ value, refuse }: Given): number | string | undefined {
  const isDate = typeof value === "string" && value.length <= DATE_CHARACTERS_MAX && /^\d{4}-\d\d-\d\d/.test(value);
  return numberIn(value) ?? (isDate ? value : refuse("number", "must be a number or a date, as YYYY-MM-DD"));
}

const DATE_CHARACTERS_MAX = 64;

function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A list of values, or a text with commas between them. */
function list({ value, refuse }: Given): readonly FilterValue[] | undefined {
  const all: readonly unknown[] | undefined =
    typeof value === "string" ? splitAtCommas(value) : Array.isArray(value) ? value : undefined;
  if (all === undefined) return refuse("array", "must be a list of values");
  if (all.length === 0) return refuse("minItems", "must have at least 1 value");
  if (all.length > FILTER_VALUES_MAX) return refuse("maxItems", `must have at most ${FILTER_VALUES_MAX} values`);
  const values = all.map((each) => single({ value: each, refuse }));
  return values.every((each) => each !== undefined) ? values : undefined;
}

function splitAtCommas(text: string): readonly string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

const YEAR_0_SECONDS = -62_167_219_200;
const YEAR_10000_SECONDS = 253_402_300_800;

/** The forms that a moment may have in metadata: seconds since 1970, and a date. */
function forms(moment: number | string): readonly (number | string)[] {
  if (typeof moment === "string" || moment < YEAR_0_SECONDS || moment >= YEAR_10000_SECONDS) return [moment];
  return [moment, new Date(moment * 1_000).toISOString()];
}
