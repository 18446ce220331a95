/**
 * The known options and parameters of a call, and what each may be. `@loredex/client` imports no package, so it has a copy of this file. The file imports
 * nothing but `nearest.ts`, of which there is a copy too. A test keeps the copies equal.
 */

import { meantBy } from "./nearest.ts";

/** What is wrong with an option or a parameter. */
export interface OptionProblem {
  /** The dotted name, for example `timeouts.waitMs`. */
  readonly field: string;
  /** The rule's name, for example `unknownOption`, `boolean`, `integer`. */
  readonly type: string;
  readonly message: string;
}

type Check = (given: unknown, field: string) => readonly OptionProblem[];

/** Names what is wrong with a value of this name; nothing if the value is of the kind. */
export interface Kind<Value> extends Check {
  /** Never there: a kind of another type than the option's does not compile. */
  readonly of?: (value: Value) => Value;
}

/** The kind of an option that must be given. */
export interface Required {
  readonly isRequired: true;
}

/** The called function checks the value itself, and refuses it in the same way. */
export const CHECKED_WITHIN: Check & { readonly isCheckedWithin: true } = Object.assign(() => [], {
  isCheckedWithin: true as const,
});

type AnyFunction = (...given: never) => unknown;
/** What a function takes cannot be seen before it is called. */
type Checkable<Value> = Value extends AnyFunction ? AnyFunction : Value;
type KindOf<Value> =
  | Kind<Checkable<Value>>
  | ([Value] extends [readonly unknown[]] ? never : [Value] extends [object] ? OptionKinds<Value> : never)
  | typeof CHECKED_WITHIN;

/** What each option of a type may be: a table that lacks one, or has another kind for it, does not compile. */
export type OptionKinds<Options> = {
  readonly [Name in keyof Options]-?: Record<never, never> extends Pick<Options, Name>
    ? KindOf<Exclude<Options[Name], undefined>>
    : (KindOf<Options[Name]> & Required) | typeof CHECKED_WITHIN;
};

/** The same for the parameters of a function, all of which count as given. */
export type ParameterKinds<Parameters> = { readonly [Name in keyof Parameters]-?: KindOf<Parameters[Name]> };

interface KnownOptions {
  readonly [name: string]: Check | KnownOptions;
}

/** What is wrong with the arguments of a call, by the names of its parameters. */
export function argumentProblems(given: object, known: KnownOptions): OptionProblem[] {
  const values = new Map<string, unknown>(Object.entries(given));
  return Object.entries(known).flatMap(([name, kind]) =>
    problemsOf(values.get(name), kind, { field: name, prefix: "" }),
  );
}

/** @param prefix what stands before the names of options, with its dot */
function problemsOf(
  given: unknown,
  kind: Check | KnownOptions,
  { field, prefix = `${field}.` }: { readonly field: string; readonly prefix?: string },
): readonly OptionProblem[] {
  if (typeof kind === "function") return kind(given, field);
  const names = Object.keys(kind);
  if (!isPlainObject(given)) {
    const message = `${field} must be an object, not ${shown(given)}; known options are ${names.join(", ")}`;
    return [{ field, type: "object", message }];
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(kind, name));
  const wrong = Object.entries(kind).flatMap(([name, inside]) => {
    const value = given[name];
    return value === undefined && !("isRequired" in inside) ? [] : problemsOf(value, inside, { field: prefix + name });
  });
  return [...unknown.map((name) => unknownOption(name, names, prefix)), ...wrong];
}

function unknownOption(name: string, names: readonly string[], prefix: string): OptionProblem {
  const meant = meantBy(name, names);
  const hint = meant === undefined ? `known are ${names.join(", ")}` : `did you mean "${prefix}${meant}"?`;
  const field = prefix + name;
  return { field, type: "unknownOption", message: `unknown option "${field}"; ${hint}` };
}

/** A kind by its test. `expected` follows "must be". */
export function kind<Value>(type: string, expected: string, isOf: (given: unknown) => boolean): Kind<Value> {
  return (given, field) =>
    isOf(given) ? [] : [{ field, type, message: `${field} must be ${expected}, not ${shown(given)}` }];
}

export const A_BOOLEAN = kind<boolean>("boolean", "true or false", (given) => typeof given === "boolean");
export const A_STRING = kind<string>("string", "a string", (given) => typeof given === "string");
/** For paths and names: an empty one is that of a variable which is not set. */
export const A_TEXT = kind<string>(
  "string",
  "a string of at least one character",
  (given) => typeof given === "string" && given !== "",
);
export const A_STRING_OR_MORE = kind<string | readonly string[]>("strings", "a string, or a list of strings", (given) =>
  (Array.isArray(given) ? given : [given]).every((each: unknown) => typeof each === "string"),
);
export const A_FUNCTION = kind<AnyFunction>("function", "a function", (given) => typeof given === "function");
/** An object such as `console` is none. */
export const A_LOGGER = kind<AnyFunction>(
  "function",
  "a function that takes one event, { level, event, message, ... }, such as (event) => console[event.level](event.message)",
  (given) => typeof given === "function",
);
/** Of any realm. */
export const A_SIGNAL = kind<AbortSignal>(
  "signal",
  "an AbortSignal, such as the signal of an AbortController",
  (given) => isObject(given) && typeof given.aborted === "boolean" && typeof given.addEventListener === "function",
);
/** What gives pieces one after the other: a stream, a generator. */
export const AN_ASYNC_ITERABLE = kind<AsyncIterable<Uint8Array>>(
  "asyncIterable",
  "a stream or another AsyncIterable of bytes",
  (given) => isObject(given) && typeof given[Symbol.asyncIterator] === "function",
);

export function aNumber(min: number, max = Number.POSITIVE_INFINITY): Kind<number> {
  return kind("number", `a number ${range(min, max)}`, (given) => isWithin(given, min, max));
}

export function aWholeNumber(min: number, max = Number.POSITIVE_INFINITY): Kind<number> {
  const isOf = (given: unknown): boolean => Number.isSafeInteger(given) && isWithin(given, min, max);
  return kind("integer", `a whole number ${range(min, max)}`, isOf);
}

/** Whole milliseconds, up to some 24 days: a longer timer would ring at once. */
export function aTimeMs(min = 1): Kind<number> {
  return aWholeNumber(min, 2 ** 31 - 1);
}

/** The port of an address; 0 stands for any free one. */
export const A_PORT = aWholeNumber(0, 65_535);

/** A size. One that is too small was likely meant in a larger unit. @param isNoneTaken whether 0 may be said, for nothing at all */
export function aNumberOfBytes(min: number, isNoneTaken = false): Kind<number> {
  const least = min % MEBIBYTE === 0 ? `${min} (${min / MEBIBYTE} MiB)` : `${min}`;
  const isOf = (given: unknown): boolean =>
    Number.isSafeInteger(given) && (isWithin(given, min, Number.POSITIVE_INFINITY) || (isNoneTaken && given === 0));
  const check = kind<number>("integer", `a whole number of bytes${isNoneTaken ? ", 0 or" : ""} from ${least}`, isOf);
  return (given, field) =>
    check(given, field).map((problem) => {
      const isMeant = Number.isSafeInteger(given) && Number(given) > 0;
      const hint = isMeant ? `; ${given} MiB is ${Number(given) * MEBIBYTE}` : "";
      return { ...problem, message: problem.message + hint };
    });
}

export function oneOf<Choice extends string>(choices: readonly Choice[]): Kind<Choice> {
  return kind("enum", `one of ${choices.join(", ")}`, (given) => choices.some((choice) => choice === given));
}

/** Named values that the called function, or who is sent them, checks. */
export function anObject<Value extends object>(): Kind<Value> {
  return kind("object", "an object", isPlainObject);
}

/** Something that works for the caller: an object with these functions. @param what what it is, with its article */
export function anObjectWith<Value>(what: string, ...functions: readonly (keyof Value & string)[]): Kind<Value> {
  const expected = `${what}: an object with the function${functions.length === 1 ? "" : "s"} ${functions.join(", ")}`;
  return kind(
    "object",
    expected,
    (given) => isObject(given) && functions.every((name) => typeof given[name] === "function"),
  );
}

/** A list. Of several wrong elements the first is told. */
export function listOf<Value>(each: Kind<Value> | OptionKinds<Value>, what = "a list"): Kind<readonly Value[]> {
  const aList = kind<unknown>("array", what, Array.isArray);
  return (given, field) => {
    if (!Array.isArray(given)) return aList(given, field);
    for (const [index, element] of given.entries()) {
      const problems = problemsOf(element, each, { field: `${field}.${index}` });
      if (problems.length > 0) return problems;
    }
    return [];
  };
}

/** An object of any names with values of one kind. */
export function recordOf<Value>(each: Kind<Value> | OptionKinds<Value>): Kind<Readonly<Record<string, Value>>> {
  const anObject = kind<unknown>("object", "an object", isPlainObject);
  return (given, field) =>
    isPlainObject(given)
      ? Object.entries(given).flatMap(([name, value]) => problemsOf(value, each, { field: `${field}.${name}` }))
      : anObject(given, field);
}

/** For an option that must be given. */
export function required<Value>(given: Kind<Value>): Kind<Value> & Required {
  return Object.assign<Kind<Value>, Required>((value, field) => given(value, field), { isRequired: true });
}

/** For a parameter that may be left out. */
export function optional<Value>(given: Kind<Value>): Kind<Value | undefined> {
  return (value, field) => (value === undefined ? [] : given(value, field));
}

const MEBIBYTE = 1_048_576;

function range(min: number, max: number): string {
  return max === Number.POSITIVE_INFINITY ? `from ${min}` : `from ${min} to ${max}`;
}

function isWithin(given: unknown, min: number, max: number): boolean {
  return typeof given === "number" && Number.isFinite(given) && given >= min && given <= max;
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === "object" && value !== null;
}

/** A list, a map, a date or a signal has no options. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** The most units of a text that an error shows: enough to recognize it. */
const SHOWN_MAX = 32;

/** A value in an error: what it is, and if that is short, itself. */
function shown(value: unknown): string {
  if (typeof value === "string") {
    const isShort = value.length <= SHOWN_MAX;
    return `the string ${JSON.stringify(value.slice(0, SHOWN_MAX))}${isShort ? "" : "…"}`;
  }
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return String(value);
  const [, name = ""] = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}
