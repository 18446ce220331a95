/** The port between text and terms. Documents and questions go through the same analyzer. */

/** Turns text into the terms that an index holds, as an analyzer of Lucene does. */
export interface Analyzer {
  /** Identifies the rules. It changes whenever a text would give other terms; an index with another id is rebuilt. */
  readonly id: string;
  /**
   * The terms of `text`, in order, repeated as often as they occur. Text without letters or digits has none.
   * Takes time linear in the length of any text.
   */
  terms(text: string): string[];
  /** Appends the numbers of the same terms, in less time. Undefined if it would not be faster. */
  number?(text: string, numbering: TermNumbering, numbers: number[]): void;
  /** The words of `text` in order, in lower case. Each word has the same terms alone as in the text. */
  words(text: string): string[];
  /**
   * The words of `text` in order, each in the forms that are compared with terms to find typing mistakes. A word has no form if it has
   * several terms that must all be found.
   */
  compared(text: string): readonly (readonly ComparedWord[])[];
  /** The weight of a term in a question, above 0 and at most 1. Question words, such as *what*, weigh less than 1. */
  shareInQuestion(term: string): number;
  /**
   * Whether a term is a common word of its language, such as *the* or *my*. Undefined if the common words are not known, and for several languages: *bin* is common in
   * one of them alone.
   */
  readonly isCommon?: ((term: string) => boolean) | undefined;
  /** The linking elements of compound words, the empty one first. Undefined for languages that do not compound. */
  readonly links?: readonly string[] | undefined;
  /** The terms of a question's words in other languages, by their term. All of them count as one. Undefined for one language. */
  others?(text: string): ReadonlyMap<string, readonly string[]>;
  /** Undefined if all documents have one language. */
  readonly documents?: DocumentLanguages;
}

/** Gives every term a fixed number. */
export interface TermNumbering {
  /** Identifies the numbering within the process; above 0. */
  readonly serial: number;
  numberOf(term: string): number;
}

/** The language of a text that the detector cannot tell. */
export const UNKNOWN_LANGUAGE = "multi";

/** A form of a word for the search for typing mistakes. */
export interface ComparedWord {
  /** The term that a mistyped word would miss. */
  readonly term: string;
  /** The word, spelled as terms are. */
  readonly word: string;
  /**
   * Whether any word of a term passes `test`. The words have `lengthMin` to `lengthMax` UTF-16 units. Only words that may have
   * this term are tried. Words whose letters (see `letter-bits.ts`) `mayHold` refuses may be skipped.
   */
  readonly someWordOf: SomeWordOf;
}

/** Tests words of a term; see {@link ComparedWord.someWordOf}. */
export type SomeWordOf = (
  term: string,
  lengthMin: number,
  lengthMax: number,
  test: (word: string) => boolean,
  mayHold?: (letters: number) => boolean,
) => boolean;

/** Documents of several languages. */
export interface DocumentLanguages {
  /** The detected language of a text; `multi` if it cannot be told. */
  languageOf(text: string): string;
  /** The analyzer of documents in this language. */
  analyzerOf(language: string): Analyzer;
  /** The analyzer of questions to documents in these languages. The same languages in the same order give the same analyzer. */
  readerOf(languages: readonly string[]): Analyzer;
}
