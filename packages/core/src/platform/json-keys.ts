import { ValidationError, type Violation } from "../model/errors.ts";
import { VIOLATIONS_MAX } from "../model/limits.ts";
import { fieldName, visitJson } from "./json-fields.ts";

/**
 * Refuses JSON in which an object has a key twice, naming each: `JSON.parse` would silently take the last.
 * @param text valid JSON
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
