import { endOfString } from "./json-fields.ts";
import { refuseDuplicateKeys } from "./json-keys.ts";
import { refuseInexactIntegers } from "./json-numbers.ts";

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
  if (contents.keys !== keys) refuseDuplicateKeys(text);
  if (contents.hasLargeNumber) refuseInexactIntegers(text);
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
