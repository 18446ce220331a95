/** The one of some words that was likely meant by a mistyped one: it differs in a third of its letters at most. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const known of words) {
    const changes = changesBetween(word, known);
    if (changes < fewest) [best, fewest] = [known, changes];
  }
  return best;
}

/** How many letters must be put in, left out or changed, or have changed places with their neighbours. */
function changesBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, wanted] of [...other].entries()) {
      const [above = 0, diagonal = 0, left = 0] = [row[j + 1], row[j], next[j]];
      const isSwapped = j > 0 && letter === other[j - 1] && one[i - 1] === wanted;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === wanted ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? one.length;
}
