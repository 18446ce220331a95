import { must } from "../model/must.ts";

/** The path of a value: the keys and list indices that lead to it. */
export type Levels = readonly { readonly at: string | number }[];

/** Receives the keys and numbers of a JSON text. */
export interface JsonVisitor {
  /** Called for each key, with the number of times that its object has had it so far: 1 the first time. */
  readonly key?: (times: number, levels: Levels) => void;
  /** Called for each number, as it is written. */
  readonly number?: (written: string, levels: Levels) => void;
}

/** An object or a list that is being read, from its opening bracket on. */
interface Level {
  /** How often each key has occurred; undefined for a list. */
  readonly keys: Map<string, number> | undefined;
  /** The current key, or the index in the list. */
  at: string | number;
  /** Whether the next string is a key. */
  awaitsKey: boolean;
}

/** The most UTF-16 units of a field's name in an error: a body may have keys as long as itself. */
const FIELD_UNITS_MAX = 1_000;

/** The dotted name of a field. */
export function fieldName(levels: Levels): string {
  const name = levels.map(({ at }) => String(at).slice(0, FIELD_UNITS_MAX)).join(".");
  return name.length > FIELD_UNITS_MAX ? `${name.slice(0, FIELD_UNITS_MAX).toWellFormed()}…` : name;
}

/**
 * Visits all keys and numbers as they are written, which `JSON.parse` does not show. One pass, linear time.
 * @param text valid JSON
 */
export function visitJson(text: string, visitor: JsonVisitor): void {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const mark = text.charAt(at);
    const level = levels.at(-1);
    if (mark === '"') {
      const end = endOfString(text, at);
      if (level?.keys !== undefined && level.awaitsKey) {
        const key = keyOf(text.slice(at, end + 1));
        const times = (level.keys.get(key) ?? 0) + 1;
        level.keys.set(key, times);
        level.at = key;
        level.awaitsKey = false;
        visitor.key?.(times, levels);
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
    } else if (visitor.number !== undefined && STARTS_NUMBER.test(mark)) {
      NUMBER.lastIndex = at;
      const [written] = must(NUMBER.exec(text), "a number");
      visitor.number(written, levels);
      at += written.length - 1;
    }
  }
}

const STARTS_NUMBER = /[-\d]/;
const NUMBER = /[-+.\deE]+/y;

/** The place of the closing quote of the string that opens at `start`, in JSON that has been parsed. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** The key that a written key stands for: `"a"` and `"\u0061"` are the same. */
function keyOf(written: string): string {
  const key: unknown = written.includes("\\") ? JSON.parse(written) : written.slice(1, -1);
  return String(key);
}
