import { refuseDuplicateKeys } from "./json-keys.ts";
import { refuseInexactIntegers } from "./json-numbers.ts";

/**
 * Refuses a JSON text of which parsing has lost something: a key that an object has twice, or the last digits of a whole number. Takes linear time.
 * @param value what it was parsed to
 * @throws ValidationError with the dotted fields, of the type `duplicateKey` or `exactInteger`
 */
export function refuseLosses(text: string, value: unknown): void {
  let keys = 0;
  let hasLargeNumber = false;
  // A list of its own: a line may be nested deeper than calls can be.
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

/** How many keys are written in JSON that has been parsed: each has a colon. */
function keysWritten(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === ":") keys += 1;
    else if (mark === '"') for (at += 1; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at += 1;
  }
  return keys;
}
