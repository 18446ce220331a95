/**
 * Typing mistakes: an extra letter, a missing one, a wrong one, or two swapped ones (optimal string alignment; Damerau 1964, "A Technique for
 * Computer Detection and Correction of Spelling Errors"). For one or two mistakes it is quickest to try each of them where two words part. Letters
 * are UTF-16 units.
 */

/** Whether `typed` is `word` with at most `mistakesMax` mistakes. */
export function isTyped(word: string, typed: string, mistakesMax: number, i = 0, j = 0): boolean {
  let [atWord, atTyped] = [i, j];
  while (atWord < word.length && atTyped < typed.length && word.charCodeAt(atWord) === typed.charCodeAt(atTyped)) {
    atWord++;
    atTyped++;
  }
  const [missing, extra] = [word.length - atWord, typed.length - atTyped];
  if (missing === 0 || extra === 0) return missing + extra <= mistakesMax;
  if (mistakesMax === 0 || Math.abs(missing - extra) > mistakesMax) return false;
  const left = mistakesMax - 1;
  return (
    isTyped(word, typed, left, atWord + 1, atTyped + 1) ||
    isTyped(word, typed, left, atWord + 1, atTyped) ||
    isTyped(word, typed, left, atWord, atTyped + 1) ||
    (isSwapped(word, typed, atWord, atTyped) && isTyped(word, typed, left, atWord + 2, atTyped + 2))
  );
}

/** Whether `typed` begins with the first `length` letters of `word`, with at most `mistakesMax` mistakes. */
export function isBegun(word: string, length: number, typed: string, mistakesMax: number, i = 0, j = 0): boolean {
  let [at, atTyped] = [i, j];
  while (at < length && atTyped < typed.length && word.charCodeAt(at) === typed.charCodeAt(atTyped)) {
    at++;
    atTyped++;
  }
  if (length - at <= mistakesMax) return true;
  if (mistakesMax === 0) return false;
  const left = mistakesMax - 1;
  return (
    isBegun(word, length, typed, left, at + 1, atTyped + 1) ||
    isBegun(word, length, typed, left, at + 1, atTyped) ||
    isBegun(word, length, typed, left, at, atTyped + 1) ||
    (at + 2 <= length && isSwapped(word, typed, at, atTyped) && isBegun(word, length, typed, left, at + 2, atTyped + 2))
  );
}

function isSwapped(a: string, b: string, i: number, j: number): boolean {
  return (
    i + 1 < a.length &&
    j + 1 < b.length &&
    a.charCodeAt(i) === b.charCodeAt(j + 1) &&
    a.charCodeAt(i + 1) === b.charCodeAt(j)
  );
}
