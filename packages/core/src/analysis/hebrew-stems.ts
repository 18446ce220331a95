/** Prefixes of one letter: and, the, in, like, to, that, from. A word may have several. */
const PREFIXES = new Set("והבכלמש");
const ENDING = /(?:ימ|ות|ית|יה|ה|י)$/;
const STEM_LETTERS_MIN = 3;
const ENDED_LETTERS_MIN = 5;

/**
 * The stem of a Hebrew word: without prefixes, and without the ending of a plural or a feminine. Letters that may be prefixes are always removed,
 * so a word of three letters or more has the same stem with prefixes and without. Some words that begin with such a letter share another word's stem.
 */
export function hebrewStem(word: string): string {
  let start = 0;
  while (word.length - start > STEM_LETTERS_MIN && PREFIXES.has(word.charAt(start))) start++;
  const stem = word.slice(start);
  return stem.length >= ENDED_LETTERS_MIN ? stem.replace(ENDING, "") : stem;
}
