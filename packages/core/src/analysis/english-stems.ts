import stem from "wink-eng-lite-web-model/dist/porter-stemmer.js";
import its from "wink-nlp/src/its.js";

/**
 * The stem of an English word of letters from a to z (Porter 2), as wink-nlp gives it for a token (`its.stem`). A fake document of one word
 * replaces an instance of wink-nlp, which would hold 10 MB and keep every word. Takes time quadratic in the word's length, so long words should
 * not be stemmed.
 */
export function englishStem(word: string): string {
  return its.stem(0, { tokens: FIRST, cache: { value: () => word } }, ADDONS);
}

const FIRST = [0];
const ADDONS = { stem };
