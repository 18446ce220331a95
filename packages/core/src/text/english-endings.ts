/**
 * Endings that stems lose, the most frequent first: those behind 98 of 100 stems of the words of 3,500 English support pages.
 */
const ENDINGS = (
  "  e s ed ing es er ion ation al ate ly ers ions ent able ated l ive ic ates ity ations ize d ment ating ally ement ence ication " +
  "ized als ance ator ant ings ics ely ization ical ments ous ents ful ible y ness ively ently ency ability ative izing ivity " +
  "ically izes icate ional ities"
)
  .slice(1)
  .split(" ");

/** What takes the place of the last letter of a stem that ends with this one. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  i: ["y", "ies", "ied", "ier", "ying", "ys"],
  e: ["ing", "ed"],
  l: ["ility"],
};

/** Before these a last consonant may have been doubled. */
const DOUBLING = ["ing", "ed", "er", "ers"];

/**
 * Words of at least `lengthMin` and at most `lengthMax` letters that may have this stem: the stem with its endings. Most of them are no
 * words, and not all have the stem.
 */
export function inflected(stem: string, lengthMin: number, lengthMax: number): string[] {
  const found: string[] = [];
  const add = (beginning: string, endings: readonly string[]): void => {
    for (const ending of endings) {
      const length = beginning.length + ending.length;
      if (length >= lengthMin && length <= lengthMax) found.push(beginning + ending);
    }
  };
  const last = stem.slice(-1);
  add(stem, ENDINGS);
  add(stem.slice(0, -1), REPLACED[last] ?? []);
  add(stem + last, DOUBLING);
  return found;
}
