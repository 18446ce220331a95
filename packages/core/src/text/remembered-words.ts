import type { Random } from "../runtime/clock.ts";
import { WordTable } from "../runtime/word-table.ts";

/** Distinct words remembered with their terms, so that no stream of queries can fill the heap. */
const WORDS_MAX = 1 << 18;

/** Classes of UTF-16 units. */
const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;
/** Only the slow way knows what becomes of it. */
const OTHER = 4;

/** The class of each ASCII character. */
const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isLetter ? LETTER : code >= 48 && code <= 57 ? DIGIT : code === 39 ? APOSTROPHE : SEPARATOR;
});

/** Spaces, dashes, quotes, bullets and the ellipsis: they separate words, whatever Unicode's normal forms make of them. */
function classBeyondAscii(code: number): number {
  if (code === 0x2019) return APOSTROPHE;
  const separates = code === 0xa0 || (code >= 0x2012 && code <= 0x201f) || code === 0x2022 || code === 0x2026;
  return separates ? SEPARATOR : OTHER;
}

/** The terms of words that were met before: the text is read once, and no string is made for a word that is known. */
export class RememberedWords {
  readonly #termsOfWord: (word: string) => readonly string[];
  readonly #known: WordTable<readonly string[]>;

  constructor(termsOfWord: (word: string) => readonly string[], random?: Random) {
    this.#termsOfWord = termsOfWord;
    this.#known = new WordTable(WORDS_MAX, random);
  }

  /**
   * Appends the terms of all words of a text to `terms`. Returns false, with `terms` as it was, if the text holds
   * characters beyond ASCII that can be part of a word: the caller then finds the words by Unicode's rules.
   */
  append(text: string, terms: string[]): boolean {
    const before = terms.length;
    let at = 0;
    while (at < text.length) {
      const first = classAt(text, at);
      if (first === OTHER) {
        terms.length = before;
        return false;
      }
      if (first !== LETTER && first !== DIGIT) {
        at++;
        continue;
      }
      const start = at;
      let kind = first;
      // After an apostrophe only letters belong to the word.
      let lettersOnly = false;
      for (;;) {
        if (kind === APOSTROPHE && classAt(text, at + 1) === LETTER) lettersOnly = true;
        else if (kind !== LETTER && (kind !== DIGIT || lettersOnly)) break;
        at++;
        kind = classAt(text, at);
      }
      const found = this.#termsOf(text, start, at);
      for (let i = 0; i < found.length; i++) terms.push(found[i] as string);
    }
    return true;
  }

  #termsOf(text: string, start: number, end: number): readonly string[] {
    const known = this.#known.find(text, start, end);
    if (known !== undefined) return known;
    const terms = this.#termsOfWord(text.slice(start, end).toLowerCase().replaceAll("’", "'"));
    this.#known.remember(text, start, end, terms);
    return terms;
  }
}

/** The class of the unit at `at`; a separator beyond the end. */
function classAt(text: string, at: number): number {
  if (at >= text.length) return SEPARATOR;
  const code = text.charCodeAt(at);
  return code < 128 ? (CLASS[code] ?? SEPARATOR) : classBeyondAscii(code);
}
