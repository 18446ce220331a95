/** And, the, in, like, to, that, from: one letter each, written together with the word, and several in a row. */
const PREFIXES = new Set("והבכלמש");
const ENDING = /(?:ימ|ות|ית|יה|ה|י)$/;
const STEM_LETTERS_MIN = 3;
const ENDED_LETTERS_MIN = 5;

/**
 * A Hebrew word without prefixes and without the ending of a plural or of a feminine. Letters that may be prefixes go in any case, so that a word of three letters or more
 * has the same stem with prefixes and without; some words that begin with such a letter share the stem of another.
 */
export function hebrewStem(word: string): string {
  let start = 0;
  while (word.length - start > STEM_LETTERS_MIN && PREFIXES.has(word.charAt(start))) start++;
  const stem = word.slice(start);
  return stem.length >= ENDED_LETTERS_MIN ? stem.replace(ENDING, "") : stem;
}
