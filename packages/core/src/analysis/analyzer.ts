/** The port between text and terms. Documents and queries go through the same analyzer. */

export interface Analyzer {
  /** Changes whenever the same text would give other terms: an index made with another id is rebuilt. */
  readonly id: string;
  /**
   * The terms of `text`, in order, repeated as often as they occur. Text without letters or digits has none.
   * Takes time linear in the length of the text, whatever it holds.
   */
  terms(text: string): string[];
  /** Appends the numbers of the same terms, in less time. Undefined where it would take as long. */
  number?(text: string, numbering: TermNumbering, numbers: number[]): void;
  /** The words of `text` in order, in lower case: each has the terms that it has in the text. */
  words(text: string): string[];
  /**
   * The words of `text` in order, each in all the ways that mistakes are looked for in it: none for a word that several terms have to be looked for
   * to find.
   */
  compared(text: string): readonly (readonly ComparedWord[])[];
  /** What a term of a question counts beside the others, above 0 and at most 1: less for words that only say that something is asked. */
  shareInQuestion(term: string): number;
  /** Where words are written together: what may stand between the terms of two, the empty text first. Undefined for any other language. */
  readonly links?: readonly string[] | undefined;
  /** What the words of a question are in other languages, by their term: all of these count as one. Undefined where there is one language. */
  others?(text: string): ReadonlyMap<string, readonly string[]>;
  /** Undefined where all documents have one language. */
  readonly documents?: DocumentLanguages;
}

/** What gives every term a number, always the same. */
export interface TermNumbering {
  /** Above 0; no other numbering of the process has it. */
  readonly serial: number;
  numberOf(term: string): number;
}

/** Of a text whose language cannot be told. */
export const UNKNOWN_LANGUAGE = "multi";

/** A word as mistakes are looked for in it. */
export interface ComparedWord {
  /** The term that is missed where the word was mistyped. */
  readonly term: string;
  /** The word as terms are written. */
  readonly word: string;
  /**
   * Whether a word passes the test that has this term and at least `lengthMin`, at most `lengthMax` UTF-16 units. Only words that may be meant by
   * the term are tried, not every one that could be made up. Those need not be tried whose letters (see `letter-bits.ts`) `mayHold` refuses.
   */
  readonly someWordOf: SomeWordOf;
}

export type SomeWordOf = (
  term: string,
  lengthMin: number,
  lengthMax: number,
  test: (word: string) => boolean,
  mayHold?: (letters: number) => boolean,
) => boolean;

/** Documents of several languages. */
export interface DocumentLanguages {
  /** The language that a text tells by itself; `multi` where it does not. */
  languageOf(text: string): string;
  /** What a document of this language is read by. */
  analyzerOf(language: string): Analyzer;
  /** What questions are read by where documents have these languages; the same one for the same languages in the same order. */
  readerOf(languages: readonly string[]): Analyzer;
}
