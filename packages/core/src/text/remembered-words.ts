/** Distinct words remembered with their terms. Past that the memory starts afresh, so that no stream of queries can fill the heap. */
const WORDS_MAX = 200_000;

/** Classes of UTF-16 units. */
const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;
/** Only the slow way knows what becomes of it. */
const OTHER = 4;

/** The class of each ASCII character, and its lower case. */
const CLASS = new Uint8Array(128);
const LOWER = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const isUpper = code >= 65 && code <= 90;
  const isLetter = isUpper || (code >= 97 && code <= 122);
  CLASS[code] = isLetter ? LETTER : code >= 48 && code <= 57 ? DIGIT : code === 39 ? APOSTROPHE : SEPARATOR;
  LOWER[code] = isUpper ? code + 32 : code;
}

/** Spaces, dashes, quotes, bullets and the ellipsis: they separate words, whatever Unicode's normal forms make of them. */
function classBeyondAscii(code: number): number {
  if (code === 0x2019) return APOSTROPHE;
  const separates = code === 0xa0 || (code >= 0x2012 && code <= 0x201f) || code === 0x2022 || code === 0x2026;
  return separates ? SEPARATOR : OTHER;
}

/**
 * The terms of words that were met before, found without making a string for each word: the text is read once, a
 * word's hash grows with its letters, and the table is asked for the stretch of text itself.
 */
export class RememberedWords {
  readonly #termsOfWord: (word: string) => readonly string[];
  /** Open addressing; a place holds the number of its word plus one. */
  #places = new Uint32Array(1 << 13);
  #words: string[] = [];
  #terms: (readonly string[])[] = [];

  constructor(termsOfWord: (word: string) => readonly string[]) {
    this.#termsOfWord = termsOfWord;
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
      let hash = 0x811c9dc5;
      let kind = first;
      // After an apostrophe only letters belong to the word.
      let lettersOnly = false;
      for (;;) {
        if (kind === LETTER || (kind === DIGIT && !lettersOnly)) {
          hash = Math.imul(hash ^ (LOWER[text.charCodeAt(at)] ?? 0), 0x01000193);
        } else if (kind === APOSTROPHE && classAt(text, at + 1) === LETTER) {
          hash = Math.imul(hash ^ 39, 0x01000193);
          lettersOnly = true;
        } else break;
        at++;
        kind = classAt(text, at);
      }
      for (const term of this.#lookUp(text, start, at, hash)) terms.push(term);
    }
    return true;
  }

  #lookUp(text: string, start: number, end: number, hash: number): readonly string[] {
    const mask = this.#places.length - 1;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const number = this.#places[place] ?? 0;
      if (number === 0) break;
      const word = this.#words[number - 1] ?? "";
      if (word.length === end - start && equals(word, text, start)) return this.#terms[number - 1] ?? [];
      place = (place + 1) & mask;
    }
    const word = text.slice(start, end).toLowerCase().replaceAll("’", "'");
    const terms = this.#termsOfWord(word);
    this.#remember(word, terms, hash);
    return terms;
  }

  #remember(word: string, terms: readonly string[], hash: number): void {
    if (word.length > WORD_LENGTH_MAX) return;
    if (this.#words.length >= WORDS_MAX) {
      this.#words = [];
      this.#terms = [];
      this.#places = new Uint32Array(1 << 13);
    }
    // A copy: a slice would keep the whole text it was cut from in memory.
    this.#words.push(Buffer.from(word, "latin1").toString("latin1"));
    this.#terms.push(terms);
    if (this.#words.length * 2 > this.#places.length) this.#grow();
    else this.#place(this.#words.length, hash);
  }

  #place(number: number, hash: number): void {
    const mask = this.#places.length - 1;
    let place = (hash ^ (hash >>> 15)) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = number;
  }

  #grow(): void {
    this.#places = new Uint32Array(this.#places.length * 4);
    for (const [i, word] of this.#words.entries()) this.#place(i + 1, hashOf(word));
  }
}

/** Longer words are rare and need not be kept. */
const WORD_LENGTH_MAX = 40;

/** The class of the unit at `at`; a separator beyond the end. */
function classAt(text: string, at: number): number {
  if (at >= text.length) return SEPARATOR;
  const code = text.charCodeAt(at);
  return code < 128 ? (CLASS[code] ?? SEPARATOR) : classBeyondAscii(code);
}

/** Whether a word in lower case stands at `start`, in any case and with either apostrophe. */
function equals(word: string, text: string, start: number): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(start + i);
    const lower = code < 128 ? LOWER[code] : 39;
    if (lower !== word.charCodeAt(i)) return false;
  }
  return true;
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash;
}
