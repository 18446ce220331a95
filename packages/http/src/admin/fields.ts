import { ValidationError, VIOLATIONS_MAX, type Violation } from "@loredex/core";
import type { JsonRecord } from "../json.ts";
import { queryParameters } from "../request-target.ts";

/** The fields of a body, or the parameters of a query, with their rules. */

type Outcome<Value> =
  | { readonly value: Value }
  | {
      readonly type: string;
      readonly expected: string /** The index of the wrong entry of a list. */;
      readonly at?: number;
    };

/** Reads one value, or says by which rule it is wrong. `expected` follows the field's name. */
export type Rule<Value> = (given: unknown) => Outcome<Value>;

/** A rule for each field. */
export type Rules<Values> = { readonly [Name in keyof Values]: Rule<Values[Name]> };

/** The values that were read. Fields that may be left out are absent then. */
type Read<Values> = { [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name] } & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>;
};

/**
 * Reads all fields. A field that is unknown is refused, so that a typing mistake loses nothing.
 * @throws ValidationError naming every broken rule
 */
export function readFields<Values>(given: JsonRecord, rules: Rules<Values>): Read<Values> {
  const read = readEach(given, rules);
  refuse(read.violations);
  return read.values;
}

/** As {@link readFields}, for the parameters of a query. @throws ValidationError, also for a parameter that is given twice */
export function readQuery<Values>(query: string, rules: Rules<Values>): Read<Values> {
  const given = new Map<string, unknown>();
  const repeated: Violation[] = [];
  for (const [name, value] of queryParameters(query)) {
    if (given.has(name)) repeated.push({ field: name, type: "repeated", message: `${name} may be given only once` });
    // A value that cannot be decoded is no string, which each rule says.
    given.set(name, value ?? 0);
  }
  const read = readEach(Object.fromEntries(given), rules);
  refuse([...read.violations, ...repeated]);
  return read.values;
}

/** @throws ValidationError naming the first broken rules, if there are any */
export function refuse(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new ValidationError(violations.slice(0, VIOLATIONS_MAX), violations.length);
}

/** Requires that a query has no parameters. @throws ValidationError */
export function readNoQuery(query: string): void {
  readQuery(query, {});
}

function readEach<Values>(given: JsonRecord, rules: Rules<Values>) {
  const names = Object.keys(rules);
  const violations: Violation[] = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((field) => {
      const known = names.length === 0 ? "there are none here" : `known are ${names.join(", ")}`;
      return { field, type: "unknownField", message: `${field} is not a known field; ${known}` };
    });
  const values: Record<string, unknown> = {};
  for (const [field, rule] of Object.entries<Rule<unknown>>(rules)) {
    const outcome = rule(Object.hasOwn(given, field) ? given[field] : undefined);
    if ("value" in outcome) {
      if (outcome.value !== undefined) values[field] = outcome.value;
      continue;
    }
    const { type, expected, at } = outcome;
    const place = at === undefined ? field : `${field}.${at}`;
    violations.push({ field: place, type, message: `${place} ${expected}` });
  }
  // Each value was read by the rule of its name.
  return { values: values as Read<Values>, violations };
}

const MISSING = { type: "required", expected: "is required" };

/** A well-formed string. Lengths are in code points, inclusive, as those of the engine. */
export function aText({ min = 1, max }: { readonly min?: number; readonly max: number }): Rule<string> {
  return (given) => {
    if (given === undefined) return MISSING;
    if (typeof given !== "string" || !given.isWellFormed()) return { type: "string", expected: "must be a string" };
    if (given.length < min) return { type: "minLength", expected: `must have at least ${min} character` };
    if (given.length > max && [...given].length > max)
      return { type: "maxLength", expected: `must have at most ${max} characters` };
    return { value: given };
  };
}

export const aBoolean: Rule<boolean> = (given) => {
  if (given === undefined) return MISSING;
  return typeof given === "boolean" ? { value: given } : { type: "boolean", expected: "must be true or false" };
};

/** A whole number as text, as in a query. */
export function aNumeral(min: number, max: number): Rule<number> {
  return (given) => {
    if (given === undefined) return MISSING;
    if (typeof given !== "string" || !/^\d{1,15}$/.test(given)) {
      return { type: "integer", expected: "must be a whole number" };
    }
    const value = Number(given);
    return value < min || value > max ? { type: "range", expected: `must be from ${min} to ${max}` } : { value };
  };
}

export function aChoice<Choice extends string>(choices: readonly Choice[]): Rule<Choice> {
  return (given) => {
    if (given === undefined) return MISSING;
    const value = choices.find((choice) => choice === given);
    return value === undefined ? { type: "enum", expected: `must be one of ${choices.join(", ")}` } : { value };
  };
}

/** `true` or `false` as text, as in a query. */
export const aFlag: Rule<boolean> = (given) => {
  const read = aChoice(["true", "false"])(given);
  return "value" in read ? { value: read.value === "true" } : read;
};

/** A list of 1 to `max` values. */
export function aList<Value>(each: Rule<Value>, max: number): Rule<readonly Value[]> {
  return (given) => {
    if (given === undefined) return MISSING;
    if (!Array.isArray(given)) return { type: "array", expected: "must be a list" };
    if (given.length === 0) return { type: "minItems", expected: "must have at least one entry" };
    if (given.length > max) return { type: "maxItems", expected: `must have at most ${max} entries` };
    const values: Value[] = [];
    for (const [index, one] of given.entries()) {
      const outcome = each(one);
      if (!("value" in outcome)) return { ...outcome, at: index };
      values.push(outcome.value);
    }
    return { value: values };
  };
}

/** Anything that is given. Who receives it checks it. */
export const anything: Rule<unknown> = (given) => (given === undefined ? MISSING : { value: given });

/** For a field that may be left out. `null` counts as left out. */
export function maybe<Value>(rule: Rule<Value>): Rule<Value | undefined> {
  return (given) => (given === undefined || given === null ? { value: undefined } : rule(given));
}
