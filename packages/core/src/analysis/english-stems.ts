import stem from "wink-eng-lite-web-model/dist/porter-stemmer.js";
import its from "wink-nlp/src/its.js";

/**
 * The stem of an English word of letters from a to z (Porter 2), as wink-nlp gives it for a token of a document (`its.stem`). The document is the word alone: an instance of wink-nlp holds 10 MB
 * and keeps every word that it is asked for, and none of that is asked about the stem. Time grows with the square of the word's length, so that long ones should not be asked for.
 */
export function englishStem(word: string): string {
  return its.stem(0, { tokens: FIRST, cache: { value: () => word } }, ADDONS);
}

const FIRST = [0];
const ADDONS = { stem };
