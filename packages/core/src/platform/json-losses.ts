import { refuseDuplicateKeys } from "./json-keys.ts";
import { refuseInexactIntegers } from "./json-numbers.ts";

/**
 * Refuses a JSON text if parsing has lost something: a duplicate key, or the last digits of a whole number. Linear time.
 * @param value the parsed text
 * @throws ValidationError with the dotted fields, of the type `duplicateKey` or `exactInteger`
 */
export function refuseLosses(text: string, value: unknown): void {
  let keys = 0;
  let hasLargeNumber = false;
  // An explicit stack: a body may be nested deeper than calls can be.
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "number" && Math.abs(next) > Number.MAX_SAFE_INTEGER) hasLargeNumber = true;
    if (typeof next !== "object" || next === null) continue;
    const inside = Object.values(next);
    if (!Array.isArray(next)) keys += inside.length;
    for (const inner of inside) left.push(inner);
  }
  if (keys !== keysWritten(text)) refuseDuplicateKeys(text);
  if (hasLargeNumber) refuseInexactIntegers(text);
}

/** The number of keys in valid JSON: each has a colon outside of strings. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === ":") keys += 1;
    else if (mark === '"') for (at += 1; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at += 1;
  }
  return keys;
}
