/**
 * The known options, and the likely one for a mistyped name. `@loredex/client` imports no package, so it has a copy of this file. The file imports nothing,
 * and a test keeps the two copies equal.
 */

/** What an object of options may hold: `true` for a value, more names for options inside of it. */
interface KnownOptions {
  readonly [name: string]: true | KnownOptions;
}

/** All names of a type of options: a table that lacks one does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true | KnownOptions>>;

/** What is wrong with an object of options. */
export interface OptionProblem {
  /** The option's dotted name, for example `timeouts.waitMs`; `options` for the whole. */
  readonly field: string;
  readonly type: "object" | "unknownOption";
  readonly message: string;
}

/**
 * Every unknown name in an object of options, and everything that is no object where options are expected.
 * @param prefix what stands before the names of options inside of others, with its dot
 */
export function optionProblems(given: unknown, known: KnownOptions, prefix = ""): OptionProblem[] {
  const names = Object.keys(known);
  if (!isPlainObject(given)) {
    const field = prefix === "" ? "options" : prefix.slice(0, -1);
    const message = `${field} must be an object, not ${kindOf(given)}; known options are ${names.join(", ")}`;
    return [{ field, type: "object", message }];
  }
  return Object.entries(given).flatMap(([name, value]) => {
    const inside = Object.hasOwn(known, name) ? known[name] : undefined;
    const field = `${prefix}${name}`;
    if (inside === undefined) return [{ field, type: "unknownOption", message: unknownOption(field, names, prefix) }];
    return inside === true || value === undefined ? [] : optionProblems(value, inside, `${field}.`);
  });
}

function unknownOption(field: string, names: readonly string[], prefix: string): string {
  const meant = meantBy(field.slice(prefix.length), names);
  const hint = meant === undefined ? `known are ${names.join(", ")}` : `did you mean "${prefix}${meant}"?`;
  return `unknown option "${field}"; ${hint}`;
}

/** The {@link nearest} name, or the only one that begins with the given one. */
export function meantBy(given: string, names: readonly string[]): string | undefined {
  const [begun, ...others] = given.length < 2 ? [] : names.filter((name) => name.startsWith(given));
  return nearest(given, names) ?? (others.length === 0 ? begun : undefined);
}

/** The word that was likely meant by a mistyped one: at most a third of its letters differ. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const known of words) {
    // Each letter by which one is longer is a change.
    if (Math.abs(word.length - known.length) >= fewest) continue;
    const changes = changesBetween(word, known);
    if (changes < fewest) [best, fewest] = [known, changes];
  }
  return best;
}

/** How many letters must be inserted, removed, changed or swapped with their neighbours. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 0; i < one.length; i++) {
    const letter = one[i];
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const wanted = other[j];
      const [above = 0, diagonal = 0, left = 0] = [row[j + 1], row[j], next[j]];
      const isSwapped = i > 0 && j > 0 && letter === other[j - 1] && one[i - 1] === wanted;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === wanted ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? one.length;
}

/** A list, a map, a date or a signal has no options. */
function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  const [, kind = ""] = /^\[object (\w+)\]$/.exec(Object.prototype.toString.call(value)) ?? [];
  return /^[AEIOU]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
