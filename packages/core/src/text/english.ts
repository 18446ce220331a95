import model from "wink-eng-lite-web-model";
import type { Analyzer } from "./analyzer.ts";
import { hasNonAscii, WORD_CHARACTERS_MAX, words } from "./words.ts";

/** Distinct words remembered with their terms. Past that the memory starts afresh, so that no stream of queries can fill the heap. */
const REMEMBERED_WORDS_MAX = 200_000;

const MARKS = /\p{M}+/gu;
const STEMMABLE = /^[a-z]+$/;
const NEGATION = /^(\p{L}+)n['’]t$/u;
const IRREGULAR_NEGATIONS = new Map([
  ["ca", "can"],
  ["wo", "will"],
  ["sha", "shall"],
]);

/**
 * English: words without accents, contractions undone, reduced to their stems (Porter 2, from wink-nlp's English model).
 * Stop words stay, since questions live on them.
 */
export class EnglishAnalyzer implements Analyzer {
  readonly id = "en-1";
  readonly #stem = englishStemmer();
  // A stem takes about 7 µs and the same words come again and again.
  readonly #remembered = new Map<string, readonly string[]>();

  terms(text: string): string[] {
    const terms: string[] = [];
    for (const word of words(text)) {
      let known = this.#remembered.get(word);
      if (known === undefined) {
        known = this.#termsOfWord(word);
        if (this.#remembered.size >= REMEMBERED_WORDS_MAX) this.#remembered.clear();
        if (word.length <= WORD_CHARACTERS_MAX) this.#remembered.set(word, known);
      }
      for (const term of known) terms.push(term);
    }
    return terms;
  }

  #termsOfWord(word: string): readonly string[] {
    const folded = hasNonAscii(word) ? word.normalize("NFD").replace(MARKS, "").replaceAll("’", "'") : word;
    const negated = NEGATION.exec(folded)?.[1];
    if (negated !== undefined) return [this.#stemOf(IRREGULAR_NEGATIONS.get(negated) ?? negated), "not"];
    const apostrophe = folded.indexOf("'");
    return [this.#stemOf(apostrophe > 0 ? folded.slice(0, apostrophe) : folded)];
  }

  #stemOf(word: string): string {
    // The stemmer takes quadratic time on long words and mangles digits.
    return word.length <= WORD_CHARACTERS_MAX && STEMMABLE.test(word) ? this.#stem(word) : word;
  }
}

function englishStemmer(): (word: string) => string {
  // Boundary: the model's types leave its add-ons opaque. They are checked here, once.
  const addons: unknown = (model as { addons?: unknown }).addons;
  const made: unknown = typeof addons === "function" ? addons() : addons;
  const stem = typeof made === "object" && made !== null && "stem" in made ? made.stem : undefined;
  if (typeof stem !== "function") throw new TypeError("The English language model has no stemmer.");
  return (word) => String(stem(word));
}
