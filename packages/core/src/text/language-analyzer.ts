import { TextUnits } from "../runtime/text-units.ts";
import { WordTable } from "../runtime/word-table.ts";
import type { Analyzer, ComparedWord, SomeWordOf } from "./analyzer.ts";
import { plainDigits, withoutMarks } from "./folding.ts";
import { type Profile, profileOf } from "./profiles.ts";
import { asksByForm, questionWordsOf } from "./question-words.ts";
import { endingsOf } from "./stem-endings.ts";
import { type Stemmer, stemmerOf } from "./stemmers.ts";
import { gramsOf, isUnspaced, shareOfGram } from "./unspaced.ts";
import { spelledAlike } from "./within-words.ts";
import { WORD_CHARACTERS_MAX, words } from "./words.ts";

/** Distinct words remembered with their terms: a stem takes some ten microseconds. */
const WORDS_MAX = 1 << 16;

const QUESTION_WORD_SHARE = 0.2;

/** Articles and little words that lose a vowel before another: l', qu', dell'. */
const ELIDED_LETTERS_MAX = 5;

const DIGIT = /\p{Nd}/u;

/** Any language but English: its own letters, stems where there is a stemmer, and pairs of letters where words have no spaces between them. */
export class LanguageAnalyzer implements Analyzer {
  readonly id: string;
  readonly links: readonly string[] | undefined;
  readonly #profile: Profile;
  readonly #stemmer: Stemmer | undefined;
  readonly #endings: readonly string[];
  /** Mistakes are looked for in stems where words cannot be made of them. */
  readonly #comparesStems: boolean;
  readonly #remembered = new WordTable<readonly string[]>(WORDS_MAX);
  readonly #units = new TextUnits();
  /** Question words that are terms as they are: no other word has one of these terms. */
  readonly #questionForms: ReadonlySet<string> = new Set();
  readonly #questionTerms: ReadonlySet<string>;

  /** `others` are the versions of what else has a say in the terms of a text. */
  constructor(
    language: string,
    { stemmer, others = [] }: { readonly stemmer?: Stemmer | undefined; readonly others?: readonly string[] } = {},
  ) {
    this.id = [`${language}-5`, ...others].join("+");
    this.#profile = profileOf(language);
    this.links = this.#profile.links;
    this.#stemmer = stemmer;
    const { stem = unchanged } = this.#profile;
    this.#endings = [...new Set(endingsOf(language).map(stem))];
    const isEndless = stemmer !== undefined && this.#endings.length === 1;
    this.#comparesStems = isEndless || this.#profile.losesBeginnings === true;
    if (asksByForm(language))
      this.#questionForms = new Set(this.words(questionWordsOf(language)).map((word) => this.#formOf(word)));
    this.#questionTerms = new Set(this.terms(questionWordsOf(language)).filter((term) => shareOfGram(term) === 1));
  }

  /** Reads what the language needs. */
  static async of(language: string): Promise<LanguageAnalyzer> {
    return new LanguageAnalyzer(language, { stemmer: await stemmerOf(language) });
  }

  terms(text: string): string[] {
    const terms: string[] = [];
    for (const word of this.words(text)) {
      const units = this.#units.of(word);
      const known = this.#remembered.find(units, 0, word.length);
      const own = known ?? this.#termsOfWord(word);
      // Runs of letters without spaces hardly ever come again, and have many terms: they would fill the memory.
      if (known === undefined && !isUnspaced(word)) this.#remembered.remember(units, 0, word.length, own);
      // A word may have as many as there is text.
      for (const term of own) terms.push(term);
    }
    return terms;
  }

  words(text: string): string[] {
    return words(spelledAlike(this.#profile.text?.(text) ?? text));
  }

  compared(text: string): readonly (readonly ComparedWord[])[] {
    const someWordOf: SomeWordOf = (term, lengthMin, lengthMax, test) =>
      this.#someWordOf(term, lengthMin, lengthMax, test);
    return this.words(text).map((word) => {
      const [term, plain, another] = this.terms(word);
      if (term === undefined || another !== undefined) return [];
      const written = { term, word: this.#compared(word, term), someWordOf };
      if (plain === undefined) return [written];
      // Two terms are two words, unless they are one with its accents and without.
      const isSame = this.#profile.plainToo === true && !isUnspaced(word);
      return isSame ? [written, { term: plain, word: withoutMarks(written.word), someWordOf }] : [];
    });
  }

  shareInQuestion(term: string): number {
    return this.#questionTerms.has(term) ? QUESTION_WORD_SHARE : shareOfGram(term);
  }

  #someWordOf(term: string, lengthMin: number, lengthMax: number, test: (word: string) => boolean): boolean {
    return this.#endings.some((ending) => {
      const length = term.length + ending.length;
      return length >= lengthMin && length <= lengthMax && test(term + ending);
    });
  }

  #compared(word: string, term: string): string {
    return this.#comparesStems ? term : this.#formOf(word);
  }

  #termsOfWord(word: string): readonly string[] {
    if (isUnspaced(word)) return gramsOf(word, (spaced) => [this.#stemOf(spaced)]);
    const stem = this.#stemOf(word);
    const plain = this.#profile.plainToo === true ? withoutMarks(stem) : stem;
    return plain === stem ? [stem] : [stem, plain];
  }

  #stemOf(word: string): string {
    const { word: fold = unchanged, stem = unchanged } = this.#profile;
    const letters = fold(this.#withoutApostrophe(word));
    if (DIGIT.test(letters)) return plainDigits(stem(letters));
    const form = stem(letters);
    if (this.#questionForms.has(form)) return form;
    // Stemmers take quadratic time on long words.
    const isStemmed = this.#stemmer !== undefined && letters.length <= WORD_CHARACTERS_MAX;
    const found = stem(isStemmed ? (this.#stemmer?.(letters) ?? letters) : letters);
    if (found === "") return word;
    return this.#questionForms.has(found) ? form : found;
  }

  /** A word as it is compared: folded, with its endings. */
  #formOf(word: string): string {
    const { word: fold = unchanged, stem = unchanged } = this.#profile;
    return stem(fold(this.#withoutApostrophe(word)));
  }

  #withoutApostrophe(word: string): string {
    const { apostrophe } = this.#profile;
    const at = apostrophe === "whole" ? -1 : word.indexOf("'");
    if (at < 0) return word;
    if (apostrophe === "ends") return word.slice(0, at);
    if (apostrophe === "begins" && at <= ELIDED_LETTERS_MAX) return this.#withoutApostrophe(word.slice(at + 1));
    return word.replaceAll("'", "");
  }
}

function unchanged(text: string): string {
  return text;
}
