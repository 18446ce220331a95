import { ValidationError, type Violation } from "../domain/errors.ts";
import { VIOLATIONS_MAX } from "../domain/limits.ts";
import { fieldName, visitJson } from "./json-fields.ts";

/**
 * Names every key that an object has twice: JSON.parse would take the last without a word.
 * @param text JSON that has been parsed
 * @throws ValidationError with the dotted field and the type `duplicateKey`
 */
export function refuseDuplicateKeys(text: string): never {
  const violations: Violation[] = [];
  let count = 0;
  visitJson(text, {
    key: (times, levels) => {
      if (times !== 2) return;
      count += 1;
      if (violations.length >= VIOLATIONS_MAX) return;
      const field = fieldName(levels);
      violations.push({ message: `${field} is there twice`, field, type: "duplicateKey" });
    },
  });
  throw new ValidationError(violations, count);
}
