import type { FieldFilter, FilterOperator, FilterValue, SearchFilter } from "@loredex/core";
import { UsageError } from "./command.ts";

/** Conditions of the command line (`--where`) as filters of a search. */

/** Signs with the operator that they stand for. A sign that begins with another one comes first. */
const SIGNS = [
  ["!=", "ne"],
  [">=", "gte"],
  ["<=", "lte"],
  ["=", "eq"],
  [">", "gt"],
  ["<", "lt"],
] as const satisfies readonly (readonly [string, FilterOperator])[];

const WORDS = ["in", "nin", "contains", "startsWith", "exists"] as const satisfies readonly FilterOperator[];

/** A sign, or a word with white space around it. `exists` may stand at the end. */
const OPERATOR = new RegExp(`(?:${SIGNS.map(([sign]) => sign).join("|")})|\\s(?:${WORDS.join("|")})(?=\\s|$)`);

const FORMS = `FIELD with one of ${SIGNS.map(([sign]) => sign).join(" ")} and a value, or with one of the words ${WORDS.join(", ")}`;

/**
 * Reads one condition: `metaData.year>=2020`, `metaData.team in billing, sales`, `url exists`.
 * A value that reads as a number, true or false fits both that value and the same text; in double quotes it is a text.
 * The search validates the field, and what the operator takes.
 * @throws UsageError for a text that is no condition
 */
export function conditionOf(given: string): SearchFilter {
  const found = OPERATOR.exec(given);
  const field = given.slice(0, found?.index ?? 0).trim();
  if (found === null || field === "") throw new UsageError(`--where takes ${FORMS}, not "${given}"`);
  const name = found[0].trim();
  const value = given.slice(found.index + found[0].length).trim();
  const operator = SIGNS.find(([sign]) => sign === name)?.[1] ?? WORDS.find((word) => word === name);
  if (operator === undefined) throw new UsageError(`--where takes ${FORMS}, not "${given}"`);
  const slip = slipIn(given, found.index, value);
  if (slip !== undefined) throw new UsageError(`--where "${given}": ${slip}`);
  if (value === "" && operator !== "exists") {
    throw new UsageError(`--where "${given}" lacks a value; an empty text is written "", in quotes`);
  }
  return { [field]: operatorsOf(operator, value, given) };
}

/** What looks like the language of another tool, and would find nothing without a word; undefined if nothing does. */
function slipIn(given: string, at: number, value: string): string | undefined {
  const own = SIGNS.map(([sign]) => sign).join(" ");
  if (/^(?:[=<>!~]|'|\()/.test(value))
    return `the operators are ${own}, and a text that begins with ${value[0]} stands in double quotes`;
  if (/\snot\s*$/.test(given.slice(0, at))) return "not is written as --where-json '{\"not\":{…}}'";
  const next = /\s(?:and|or|&&|\|\|)\s+(\S.*)$/i.exec(value)?.[1];
  if (next !== undefined && !value.startsWith('"') && OPERATOR.test(next))
    return "a second condition is another --where; or is written in --where-json";
  return undefined;
}

/** One filter of several, all of which must hold. Where no field occurs twice it is one object, which has simpler names in errors. */
export function allOf(filters: readonly SearchFilter[]): SearchFilter {
  const names = filters.flatMap((each) => Object.keys(each));
  return new Set(names).size === names.length ? Object.fromEntries(filters.flatMap(Object.entries)) : { and: filters };
}

/** A filter in the form that the API takes. @throws UsageError for anything but a JSON object */
export function filterOfJson(given: string): SearchFilter {
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as SearchFilter;
  } catch {
    // The error follows below.
  }
  throw new UsageError(
    `--where-json takes a JSON object, such as {"or":[{"type":"PDF"},{"url":{"exists":true}}]}, not "${given}"`,
  );
}

function operatorsOf(operator: FilterOperator, value: string, given: string): FieldFilter {
  switch (operator) {
    case "exists":
      return { exists: existsOf(value, given) };
    case "eq":
    case "ne": {
      const values = meanings(value, given);
      const [only, ...others] = values;
      if (others.length > 0 || only === undefined) return operator === "eq" ? { in: values } : { nin: values };
      return { [operator]: only };
    }
    case "in":
    case "nin":
      return { [operator]: listOf(value, given) };
    case "contains":
    case "startsWith":
      return { [operator]: isQuoted(value) ? textOf(value, given) : value };
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return { [operator]: isQuoted(value) ? textOf(value, given) : (numberOf(value) ?? value) };
  }
}

function existsOf(value: string, given: string): boolean {
  if (value === "" || value === "true") return true;
  if (value === "false") return false;
  throw new UsageError(`--where "${given}": after exists comes true, false or nothing`);
}

/** The values of a list: JSON in brackets, or texts with commas between them. */
function listOf(value: string, given: string): readonly FilterValue[] {
  if (!value.startsWith("[")) return value.split(",").flatMap((each) => meanings(each.trim(), given));
  try {
    const list: unknown = JSON.parse(value);
    // The search refuses elements of other kinds.
    if (Array.isArray(list)) return list as FilterValue[];
  } catch {
    // The error follows below.
  }
  throw new UsageError(`--where "${given}": a list in brackets is JSON, such as ["billing", 7]`);
}

/** What a value may mean: a text; and for one that reads as a number, true or false, that as well. */
function meanings(value: string, given: string): readonly FilterValue[] {
  if (isQuoted(value)) return [textOf(value, given)];
  if (value === "true" || value === "false") return [value === "true", value];
  const number = numberOf(value);
  return number === undefined ? [value] : [number, value];
}

function isQuoted(value: string): boolean {
  return value.startsWith('"');
}

function textOf(value: string, given: string): string {
  try {
    const text: unknown = JSON.parse(value);
    if (typeof text === "string") return text;
  } catch {
    // The error follows below.
  }
  throw new UsageError(`--where "${given}": a text in double quotes is written as in JSON`);
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

function numberOf(value: string): number | undefined {
  const number = NUMBER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}
