import { TextUnits } from "../platform/text-units.ts";
import { WordTable } from "../platform/word-table.ts";
import type { Analyzer, ComparedWord, SomeWordOf } from "./analyzer.ts";
import { commonWordsOf } from "./common-words.ts";
import { plainDigits, withoutMarks } from "./folding.ts";
import { endingLettersMax, type Profile, profileOf } from "./profiles.ts";
import { asksByForm, questionWordsOf } from "./question-words.ts";
import { endingsOf } from "./stem-endings.ts";
import { type Stemmer, stemmerOf } from "./stemmers.ts";
import { gramsOf, isUnspaced, shareOfGram } from "./unspaced.ts";
import { spelledAlike } from "./within-words.ts";
import { hasSign, isSymbol, termsOfParts, WORD_CHARACTERS_MAX, withoutSign, words } from "./words.ts";

/** Most distinct words that are cached with their terms. A stem takes about ten microseconds. */
const WORDS_MAX = 1 << 16;

const QUESTION_WORD_SHARE = 0.2;

/** The longest elided article or particle, in letters: l', qu', dell'. */
const ELIDED_LETTERS_MAX = 5;

/** The one frequent French word that has an apostrophe inside. */
const TODAY = "aujourd'hui";

const DIGIT = /\p{Nd}/u;

/** The analyzer of any language but English: folds letters, stems if there is a stemmer, and cuts unspaced scripts into letter pairs. */
export class LanguageAnalyzer implements Analyzer {
  readonly id: string;
  readonly links: readonly string[] | undefined;
  readonly #profile: Profile;
  readonly #endingMax: number;
  readonly #stemmer: Stemmer | undefined;
  readonly #endings: readonly string[];
  /** Whether typing mistakes are searched in stems, since words cannot be rebuilt from them. */
  readonly #comparesStems: boolean;
  readonly #remembered = new WordTable<readonly string[]>(WORDS_MAX);
  readonly #units = new TextUnits();
  /** Unstemmed question words. No other word has one of them as its term. */
  readonly #questionForms: ReadonlySet<string> = new Set();
  readonly #questionTerms: ReadonlySet<string>;
  readonly isCommon: ((term: string) => boolean) | undefined;

  /** @param others versions of other components that affect the terms, for the id */
  constructor(
    language: string,
    { stemmer, others = [] }: { readonly stemmer?: Stemmer | undefined; readonly others?: readonly string[] } = {},
  ) {
    this.id = [`${language}-7`, ...others].join("+");
    this.#endingMax = endingLettersMax(language);
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
    const common = new Set(this.terms(commonWordsOf(language)));
    this.isCommon = common.size === 0 ? undefined : (term) => common.has(term);
  }

  /** Loads the stemmer of a language and makes its analyzer. */
  static async of(language: string): Promise<LanguageAnalyzer> {
    return new LanguageAnalyzer(language, { stemmer: await stemmerOf(language) });
  }

  terms(text: string): string[] {
    const terms: string[] = [];
    for (const word of this.words(text)) {
      const units = this.#units.of(word);
      const known = this.#remembered.find(units, 0, word.length);
      const own = known ?? this.#termsOfWord(word);
      // Runs of unspaced letters hardly ever repeat, and have many terms: they would fill the cache.
      if (known === undefined && !isUnspaced(word)) this.#remembered.remember(units, 0, word.length, own);
      // One word may have as many terms as the text is long, too many for a spread call.
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
      if (term === undefined || another !== undefined || isSymbol(word)) return [];
      // Terms of a name's parts do not stand for the name.
      if (plain !== undefined && (hasSign(word) || word.includes("'"))) return [];
      const written = { term, word: this.#compared(word, term), someWordOf };
      if (plain === undefined) return [written];
      // Two terms are two words, unless they are one term with and without accents.
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
    if (hasSign(word)) {
      const plain = withoutSign(word);
      return plain === undefined ? [word] : [word, ...this.#termsOfWord(plain)];
    }
    if (isUnspaced(word)) return gramsOf(word, (spaced) => [this.#stemOf(spaced)]);
    const terms = this.#namesIn(word).map((name) => this.#stemOf(name));
    if (this.#profile.plainToo !== true) return terms;
    return terms.flatMap((stem) => {
      const plain = withoutMarks(stem);
      return plain === stem ? [stem] : [stem, plain];
    });
  }

  /** The strings to stem: the word, or a name and its parts. */
  #namesIn(word: string): readonly string[] {
    const { apostrophe } = this.#profile;
    const head = word.indexOf("'");
    if (head < 0 || apostrophe === "joins") return [word];
    if (apostrophe === "begins") return word === TODAY ? [word] : termsOfParts(withoutElisions(word).split("'"));
    const parts = word.split("'");
    if (apostrophe === "whole") return [word, ...parts.filter(({ length }) => length > 1)];
    const isEnding = apostrophe === "ends" && head > 1 && word.length - head - 1 <= this.#endingMax;
    return isEnding ? [word] : termsOfParts(parts);
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

  /** The compared form of a word: folded, with its endings. */
  #formOf(word: string): string {
    const { word: fold = unchanged, stem = unchanged } = this.#profile;
    return stem(fold(this.#withoutApostrophe(word)));
  }

  #withoutApostrophe(word: string): string {
    const { apostrophe } = this.#profile;
    const at = apostrophe === "whole" ? -1 : word.indexOf("'");
    if (at < 0) return word;
    if (apostrophe === "ends") return word.slice(0, at);
    return (apostrophe === "begins" ? withoutElisions(word) : word).replaceAll("'", "");
  }
}

/** Removes elided articles before a word. */
function withoutElisions(word: string): string {
  let start = 0;
  for (let at = word.indexOf("'"); at >= 0 && at - start <= ELIDED_LETTERS_MAX; at = word.indexOf("'", start))
    start = at + 1;
  return word.slice(start);
}

function unchanged(text: string): string {
  return text;
}
