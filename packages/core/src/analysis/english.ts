import { must } from "../model/must.ts";
import { unicodeForm } from "../platform/unicode-form.ts";
import type { Analyzer, ComparedWord, SomeWordOf, TermNumbering } from "./analyzer.ts";
import { commonWordsOf } from "./common-words.ts";
import { inflected } from "./english-endings.ts";
import { englishStem } from "./english-stems.ts";
import { RememberedWords } from "./remembered-words.ts";
import { hasNonAscii, hasSign, isSymbol, termsOfParts, WORD_CHARACTERS_MAX, withoutSign, words } from "./words.ts";

const MARKS = /\p{M}+/gu;
const STEMMABLE = /^[a-z]+$/;
/** Contracted forms behind an apostrophe. */
const CONTRACTIONS: ReadonlySet<string> = new Set(["s", "re", "ll", "ve", "d", "m", "t"]);
const NEGATION = /^(\p{L}+)n't$/u;
const IRREGULAR_NEGATIONS = new Map([
  ["ca", "can"],
  ["wo", "will"],
  ["sha", "shall"],
]);

/** Question words. Texts seldom hold them, so their idf would be as high as that of the words that matter. */
const QUESTION_WORDS = "what which who whom whose when where why how do does did".split(" ");
const QUESTION_WORD_SHARE = 0.2;

/**
 * The English analyzer: words without accents, contractions undone, reduced to their stems (Porter 2).
 * Stop words are kept, since questions consist of them.
 */
export class EnglishAnalyzer implements Analyzer {
  readonly id = "en-3";
  // Most words of a text occur many times.
  readonly #remembered = new RememberedWords({ words, termsOfWord });

  readonly #questionTerms = new Set(QUESTION_WORDS.map(stemOf));
  readonly #commonTerms = new Set(commonWordsOf("en").split(" ").map(stemOf));
  readonly isCommon = (term: string): boolean => this.#commonTerms.has(term);

  terms(text: string): string[] {
    return this.#remembered.terms(text);
  }

  number(text: string, numbering: TermNumbering, numbers: number[]): void {
    this.#remembered.number(text, numbering, numbers);
  }

  words(text: string): string[] {
    return words(text);
  }

  compared(text: string): readonly (readonly ComparedWord[])[] {
    const someWordOf: SomeWordOf = (...wanted) => this.#someWordOf(...wanted);
    return words(text).map((word) => {
      const [term, another] = this.terms(word);
      const isWhole = term !== undefined && another === undefined && !isSymbol(term);
      return isWhole ? [{ term, word: folded(word), someWordOf }] : [];
    });
  }

  shareInQuestion(term: string): number {
    return this.#questionTerms.has(term) ? QUESTION_WORD_SHARE : 1;
  }

  #someWordOf(...[term, lengthMin, lengthMax, test, mayHold]: Parameters<SomeWordOf>): boolean {
    if (!STEMMABLE.test(term)) return term.length >= lengthMin && term.length <= lengthMax && test(term);
    // The test is much faster than the stemmer.
    return inflected(term, lengthMin, lengthMax, mayHold).some((word) => test(word) && this.terms(word)[0] === term);
  }
}

function termsOfWord(word: string): readonly string[] {
  if (hasSign(word)) {
    const plain = withoutSign(word);
    return plain === undefined ? [folded(word)] : [folded(word), ...termsOfWord(plain)];
  }
  const plain = folded(word);
  if (!plain.includes("'")) return [stemOf(plain)];
  const negated = NEGATION.exec(plain)?.[1];
  if (negated !== undefined) return [stemOf(IRREGULAR_NEGATIONS.get(negated) ?? negated), "not"];
  const parts = plain.split("'");
  while (parts.length > 1 && CONTRACTIONS.has(must(parts.at(-1), "the last part of a word"))) parts.pop();
  return termsOfParts(parts).map(stemOf);
}

function stemOf(word: string): string {
  // Longer words are encoded data.
  return word.length <= WORD_CHARACTERS_MAX && STEMMABLE.test(word) ? englishStem(word) : word;
}

function folded(word: string): string {
  return hasNonAscii(word) ? unicodeForm(word, "NFD").replace(MARKS, "").replaceAll("’", "'") : word;
}
