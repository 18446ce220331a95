import { ValidationError, type Violation } from "../model/errors.ts";
import { VIOLATIONS_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import { endOfString, fieldName, type JsonVisitor, type Levels, visitJson } from "./json-fields.ts";

/** What a parsed JSON value holds. */
export interface JsonContents {
  /** Keys of all objects. */
  readonly keys: number;
  /** Whether a number may have been written with more digits than it keeps. */
  readonly hasLargeNumber: boolean;
  /** Whether a number is beyond what JSON numbers are kept as. */
  readonly overflows: boolean;
}

/** The contents of a parsed JSON value. Linear time; uses a stack of its own, since a value may be nested deeper than calls can be. */
export function jsonContents(value: unknown): JsonContents {
  let [keys, hasLargeNumber, overflows] = [0, false, false];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "number") {
      hasLargeNumber ||= Math.abs(next) > Number.MAX_SAFE_INTEGER;
      overflows ||= !Number.isFinite(next);
    }
    if (typeof next !== "object" || next === null) continue;
    const inside = Object.values(next);
    if (!Array.isArray(next)) keys += inside.length;
    for (const inner of inside) left.push(inner);
  }
  return { keys, hasLargeNumber, overflows };
}

/**
 * Refuses a JSON text if parsing it has lost a key that an object has twice, or the last digits of a whole number. Linear time.
 * @param contents those of the value that the text was parsed to
 * @param keys the number of keys in the text, if it was counted already
 * @throws ValidationError with the dotted fields, of type `duplicateKey` or `exactInteger`
 */
export function refuseLosses(text: string, contents: JsonContents, keys = keysWritten(text)): void {
  if (contents.keys !== keys) throw duplicateKeys(text);
  const inexact = contents.hasLargeNumber ? inexactIntegers(text) : undefined;
  if (inexact !== undefined && inexact.count > 0) throw inexact;
}

/** The number of keys in a text of JSON that has been parsed: each has a colon. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ":") keys += 1;
    else if (text[at] === '"') at = endOfString(text, at);
  }
  return keys;
}

/** The error of keys that an object has twice: `JSON.parse` silently takes the last. */
function duplicateKeys(text: string): ValidationError {
  return errorOf(text, "duplicateKey", "is there twice", (add) => ({
    key: (times, levels) => {
      if (times === 2) add(levels);
    },
  }));
}

/**
 * The error of whole numbers that JSON.parse changes, which may be none: it would silently make one id of two with nineteen digits.
 *
 * A whole number is accepted if the shortest decimal form of the parsed number has the digits that were sent. Answers show that form, so
 * an answer can always be sent back. A number with a point or an exponent is a measure, and is rounded to the nearest double.
 *
 *     9007199254740993    is kept as 9007199254740992: refused
 *     10000000000000000   is kept as 10000000000000000: accepted
 */
function inexactIntegers(text: string): ValidationError {
  return errorOf(text, "exactInteger", RULE, (add) => ({
    number: (written, levels) => {
      if (WHOLE.test(written) && !isKept(written)) add(levels);
    },
  }));
}

/** The error of the fields that a visitor adds, each with its dotted name. Names that the error does not show are not built. */
function errorOf(
  text: string,
  type: string,
  rule: string,
  visitorOf: (add: (levels: Levels) => void) => JsonVisitor,
): ValidationError {
  const violations: Violation[] = [];
  let count = 0;
  const add = (levels: Levels): void => {
    count += 1;
    if (violations.length >= VIOLATIONS_MAX) return;
    const field = fieldName(levels);
    violations.push({ message: `${field} ${rule}`, field, type });
  };
  visitJson(text, visitorOf(add));
  return new ValidationError(violations, count);
}

/** Whether a whole number is printed with its own digits. */
function isKept(written: string): boolean {
  const number = Number(written);
  return Number.isSafeInteger(number) || inDigits(String(number)) === written;
}

/** The shortest decimal form of a whole number without its exponent: "1.5e+21" has 22 digits. */
function inDigits(shortest: string): string {
  const [digits, exponent] = shortest.split("e+");
  if (exponent === undefined) return shortest;
  const [whole, decimals = ""] = must(digits, "the digits before an exponent").split(".");
  return `${whole}${decimals.padEnd(Number(exponent), "0")}`;
}

const WHOLE = /^-?\d+$/;
const RULE =
  "must be a whole number that is kept digit by digit, as those of up to 15 digits are: send a longer one as a string, in quotation marks";
