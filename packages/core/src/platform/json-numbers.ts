import { ValidationError, type Violation } from "../model/errors.ts";
import { VIOLATIONS_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import { fieldName, visitJson } from "./json-fields.ts";

/**
 * Refuses whole numbers that JSON.parse changes: it would silently make one id of two with nineteen digits.
 *
 * A whole number is accepted if the shortest decimal form of the parsed number has the digits that were sent. Answers show that form, so
 * an answer can always be sent back. A number with a point or an exponent is a measure, and is rounded to the nearest double.
 *
 *     9007199254740993    is kept as 9007199254740992: refused
 *     10000000000000000   is kept as 10000000000000000: accepted
 *
 * @param text valid JSON
 * @throws ValidationError with the dotted field and the type `exactInteger`, if there are any
 */
export function refuseInexactIntegers(text: string): void {
  const violations: Violation[] = [];
  let count = 0;
  visitJson(text, {
    number: (written, levels) => {
      if (!WHOLE.test(written) || isKept(written)) return;
      count += 1;
      if (violations.length >= VIOLATIONS_MAX) return;
      const field = fieldName(levels);
      violations.push({ message: `${field} ${RULE}`, field, type: "exactInteger" });
    },
  });
  if (count > 0) throw new ValidationError(violations, count);
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
