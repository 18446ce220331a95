/** The word that was likely meant by a mistyped one. `@loredex/client` imports no package, so it has a copy of this file; a test keeps the two equal. */

/** Names that options, settings and their values had before, in lower case without signs, with those of today. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ["thirdlook", "rerank"],
  ["nothirdlook", "norerank"],
  ["tokenmemorybytes", "rerankmemorybytes"],
  ["tokenmemory", "rerankmemory"],
  ["student", "static"],
  ["graphs", "graph"],
  ["codes", "builtin"],
  ["hnswlibnode", "hnswlib"],
]);

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** The name of today for one of before; undefined for any other. */
export function renamed(given: string, names: Iterable<string>): string | undefined {
  const now = RENAMED.get(lettersOf(given));
  return now === undefined ? undefined : [...names].find((name) => lettersOf(name) === now);
}

/** The {@link nearest} name, or the only one that begins with the given one. */
export function meantBy(given: string, names: readonly string[]): string | undefined {
  const [begun, ...others] = given.length < 2 ? [] : names.filter((name) => name.startsWith(given));
  return nearest(given, names) ?? (others.length === 0 ? begun : undefined);
}

/** The word that was likely meant by a mistyped one, or that has taken its place: at most a third of its letters differ. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  const now = renamed(word, words);
  if (now !== undefined) return now;
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
      // In bounds: each row has a number for every beginning of `other`.
      const [above, diagonal, left] = [row[j + 1] as number, row[j] as number, next[j] as number];
      const isSwapped = i > 0 && j > 0 && letter === other[j - 1] && one[i - 1] === wanted;
      const swapped = isSwapped ? (before[j - 1] as number) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === wanted ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return row[other.length] as number;
}
