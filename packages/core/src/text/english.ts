import { unicodeForm } from "../runtime/unicode-form.ts";
import type { Analyzer, ComparedWord, SomeWordOf } from "./analyzer.ts";
import { inflected } from "./english-endings.ts";
import { EnglishStems } from "./english-stems.ts";
import { RememberedWords } from "./remembered-words.ts";
import { hasNonAscii, WORD_CHARACTERS_MAX, words } from "./words.ts";

const MARKS = /\p{M}+/gu;
const STEMMABLE = /^[a-z]+$/;
const NEGATION = /^(\p{L}+)n't$/u;
const IRREGULAR_NEGATIONS = new Map([
  ["ca", "can"],
  ["wo", "will"],
  ["sha", "shall"],
]);

/** What questions are made of, and answers are not: texts seldom hold them, so that they would weigh as much as what is asked about. */
const QUESTION_WORDS = "what which who whom whose when where why how do does did".split(" ");
const QUESTION_WORD_SHARE = 0.2;

/**
 * English: words without accents, contractions undone, reduced to their stems (Porter 2, from wink-nlp).
 * Stop words stay, since questions live on them.
 */
export class EnglishAnalyzer implements Analyzer {
  readonly id = "en-1";
  readonly #stems = new EnglishStems();
  // A stem takes some 20 µs, and the same words come again and again.
  readonly #remembered = new RememberedWords((word) => this.#termsOfWord(word));

  readonly #questionTerms = new Set(QUESTION_WORDS.map((word) => this.#stemOf(word)));

  terms(text: string): string[] {
    const terms: string[] = [];
    if (this.#remembered.append(text, terms)) return terms;
    for (const word of words(text)) {
      // Most words of such a text are plain all the same.
      if (!this.#remembered.append(word, terms)) terms.push(...this.#termsOfWord(word));
    }
    return terms;
  }

  words(text: string): string[] {
    return words(text);
  }

  compared(text: string): readonly (readonly ComparedWord[])[] {
    const someWordOf: SomeWordOf = (...wanted) => this.#someWordOf(...wanted);
    return words(text).map((word) => {
      const [term, another] = this.terms(word);
      return term === undefined || another !== undefined ? [] : [{ term, word: folded(word), someWordOf }];
    });
  }

  shareInQuestion(term: string): number {
    return this.#questionTerms.has(term) ? QUESTION_WORD_SHARE : 1;
  }

  #someWordOf(term: string, lengthMin: number, lengthMax: number, test: (word: string) => boolean): boolean {
    if (!STEMMABLE.test(term)) return term.length >= lengthMin && term.length <= lengthMax && test(term);
    // The test is much quicker than the stemmer.
    return inflected(term, lengthMin, lengthMax).some((word) => test(word) && this.terms(word)[0] === term);
  }

  #termsOfWord(word: string): readonly string[] {
    const plain = folded(word);
    const negated = NEGATION.exec(plain)?.[1];
    if (negated !== undefined) return [this.#stemOf(IRREGULAR_NEGATIONS.get(negated) ?? negated), "not"];
    const apostrophe = plain.indexOf("'");
    return [this.#stemOf(apostrophe > 0 ? plain.slice(0, apostrophe) : plain)];
  }

  #stemOf(word: string): string {
    // The stemmer takes quadratic time on long words and mangles digits.
    return word.length <= WORD_CHARACTERS_MAX && STEMMABLE.test(word) ? this.#stems.stem(word) : word;
  }
}

function folded(word: string): string {
  return hasNonAscii(word) ? unicodeForm(word, "NFD").replace(MARKS, "").replaceAll("’", "'") : word;
}
