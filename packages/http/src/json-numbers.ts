import { ValidationError, VIOLATIONS_MAX, type Violation } from "@loredex/core";
import { fieldName, visitJson } from "./json-fields.ts";

/**
 * Refuses whole numbers that are kept as another number: of two ids of nineteen digits, JSON.parse would make one without a word. A number with a point or an
 * exponent says itself that it is a measure, and is taken as the nearest there is.
 * @param text JSON that has been parsed
 * @throws ValidationError with the dotted field and the type `exactInteger`, if there are any
 */
export function refuseInexactIntegers(text: string): void {
  const violations: Violation[] = [];
  let count = 0;
  visitJson(text, {
    number: (written, levels) => {
      if (!WHOLE.test(written) || Number.isSafeInteger(Number(written))) return;
      count += 1;
      if (violations.length >= VIOLATIONS_MAX) return;
      const field = fieldName(levels);
      violations.push({ message: `${field} ${RULE}`, field, type: "exactInteger" });
    },
  });
  if (count > 0) throw new ValidationError(violations, count);
}

const WHOLE = /^-?\d+$/;
const RULE = `must be a whole number between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: send a longer one as a string, in quotation marks`;
