import { ValidationError, VIOLATIONS_MAX, type Violation } from "@loredex/core";

/** An object or a list of the body, from its opening bracket on. */
interface Level {
  /** How often each key has come; undefined for a list. */
  readonly keys: Map<string, number> | undefined;
  /** What is being read: the key, or the number of the entry. */
  at: string | number;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
}

/** UTF-16 units of a field's name that are told: a body may have keys as long as itself. */
const FIELD_UNITS_MAX = 1_000;

/**
 * Names every key that an object has twice: JSON.parse would take the last without a word. In one pass, whatever the text is.
 * @param text JSON that has been parsed
 * @throws ValidationError with the dotted field and the type `duplicateKey`
 */
export function refuseDuplicateKeys(text: string): never {
  const levels: Level[] = [];
  const violations: Violation[] = [];
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    const level = levels.at(-1);
    if (mark === '"') {
      const end = endOfString(text, at);
      if (level?.keys !== undefined && level.awaitsKey) {
        const key = keyOf(text.slice(at, end + 1));
        const times = (level.keys.get(key) ?? 0) + 1;
        level.keys.set(key, times);
        level.at = key;
        level.awaitsKey = false;
        if (times === 2) {
          count += 1;
          if (violations.length < VIOLATIONS_MAX) violations.push(violationAt(levels));
        }
      }
      at = end;
    } else if (mark === "{") {
      levels.push({ keys: new Map(), at: "", awaitsKey: true });
    } else if (mark === "[") {
      levels.push({ keys: undefined, at: 0, awaitsKey: false });
    } else if (mark === "}" || mark === "]") {
      levels.pop();
    } else if (mark === "," && level !== undefined) {
      if (typeof level.at === "number") level.at += 1;
      else level.awaitsKey = true;
    }
  }
  throw new ValidationError(violations, count);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** A key as it is meant: `"a"` and `"\u0061"` are the same. */
function keyOf(written: string): string {
  const key: unknown = written.includes("\\") ? JSON.parse(written) : written.slice(1, -1);
  return String(key);
}

function violationAt(levels: readonly Level[]): Violation {
  const name = levels.map(({ at }) => String(at).slice(0, FIELD_UNITS_MAX)).join(".");
  const field = name.length > FIELD_UNITS_MAX ? `${name.slice(0, FIELD_UNITS_MAX).toWellFormed()}…` : name;
  return { message: `${field} is there twice`, field, type: "duplicateKey" };
}
