/** Fields whose values a page must show as they are; of all others it is the kind of value that counts. */
const EXACT: ReadonlySet<string> = new Set(["code", "message", "type", "field", "success"]);
const ID = /[0-9a-f]{24}/g;

/** Where what a page shows of an answer differs from a real one: the way to it and what is wrong, or undefined. A page may show less of an object. */
export function differsFrom(shown: unknown, real: unknown, way = "it"): string | undefined {
  if (Array.isArray(shown)) {
    if (!Array.isArray(real)) return `${way} is ${kind(real)}, not an array`;
    if (shown.length > real.length) return `${way} has ${real.length} elements, not ${shown.length}`;
    return first(shown.map((value, at) => differsFrom(value, real[at], `${way}[${at}]`)));
  }
  if (isObject(shown)) {
    if (!isObject(real)) return `${way} is ${kind(real)}, not an object`;
    return first(
      Object.entries(shown).map(([name, value]) =>
        name in real ? field(name, value, real[name], `${way}.${name}`) : `${way} has no ${name}`,
      ),
    );
  }
  return kind(shown) === kind(real) ? undefined : `${way} is ${kind(real)}, not ${kind(shown)}`;
}

function field(name: string, shown: unknown, real: unknown, way: string): string | undefined {
  const isPlain = !isObject(shown) && !Array.isArray(shown);
  if (!EXACT.has(name) || !isPlain) return differsFrom(shown, real, way);
  const [a, b] = [shown, real].map((value) => JSON.stringify(value)?.replace(ID, "ID"));
  return a === b ? undefined : `${way} is ${b}, not ${a}`;
}

function first(found: readonly (string | undefined)[]): string | undefined {
  return found.find((one) => one !== undefined);
}

function kind(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kind(value) === "object";
}

/** The last JSON text that was printed: an array or an object with nothing behind it. */
export function lastJson(printed: string): unknown {
  for (const { index } of printed.matchAll(/[[{]/g)) {
    try {
      return JSON.parse(printed.slice(index)) as unknown;
    } catch {
      // More follows what begins here: the last one begins later.
    }
  }
  return undefined;
}
