import type { Random } from "../platform/clock.ts";
import { stringOf, TextUnits } from "../platform/text-units.ts";
import { WordTable } from "../platform/word-table.ts";
import type { TermNumbering } from "./analyzer.ts";

/** Most distinct words that are cached with their terms, so that no stream of questions can fill the heap. */
const WORDS_MAX = 1 << 18;

/** Classes of UTF-16 units. */
const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;
/** First characters of symbols and operators, and the full stop. */
const SIGN = 4;
const DOT = 5;
const SIGNS = "&|!=<>-:+*/$^~";
/** The class of each ASCII character. */
const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  if (isLetter) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  const character = String.fromCharCode(code);
  return character === "'" ? APOSTROPHE : character === "." ? DOT : SIGNS.includes(character) ? SIGN : SEPARATOR;
});

const APOSTROPHE_BEYOND_ASCII = 0x2019;

/**
 * Characters that need Unicode's rules: beyond ASCII, except spaces, dashes, quotes, bullets and the ellipsis. Those separate words in any normal
 * form.
 */
const OTHER = /[^\0-\x7f\xa0\u2012-\u201f\u2022\u2026]/g;

/** The rules for words that are not cached. */
export interface WordRules {
  /** The words of a text with characters beyond ASCII. */
  readonly words: (text: string) => readonly string[];
  readonly termsOfWord: (word: string) => readonly string[];
}

/** The serial of no numbering. */
const NO_NUMBERING = 0;

/**
 * A cache of words with their terms. A text is read once, and no string is built for a cached word. An index gets the number of a
 * word's term without the term itself, as long as no other index is filled meanwhile.
 */
export class RememberedWords {
  readonly #rules: WordRules;
  /** Nearly all words have one term, for which a list would take more memory than the term. */
  readonly #known: WordTable<string | readonly string[]>;
  readonly #units = new TextUnits();
  /** Units of words that need Unicode's rules. */
  readonly #otherUnits = new TextUnits();
  // By number of a word:
  /** The serial of the numbering that last asked for its only term. */
  #numberings = new Uint32Array(WORDS_FIRST);
  /** The number of the term in that numbering. */
  #termNumbers = new Uint32Array(WORDS_FIRST);

  constructor(rules: WordRules, random?: Random, wordsMax = WORDS_MAX) {
    this.#rules = rules;
    this.#known = new WordTable(wordsMax, random);
  }

  /** The terms of all words of a text. */
  terms(text: string): string[] {
    const terms: string[] = [];
    this.#forEachWord(text, (units, start, end) => appendTo(terms, this.#termsOf(units, start, end)));
    return terms;
  }

  /** Appends the numbers of the same terms. */
  number(text: string, numbering: TermNumbering, numbers: number[]): void {
    this.#forEachWord(text, (units, start, end) => this.#numberWord(units, start, end, numbering, numbers));
  }

  /** Visits all words of a text, each as a range of units. */
  #forEachWord(text: string, visit: (units: Uint16Array, start: number, end: number) => void): void {
    const units = this.#units.of(text);
    for (let from = 0; from < text.length; ) {
      const [start, end] = otherFrom(text, from);
      for (let at = wordStart(units, from, start); at < start; ) {
        const wordAt = at;
        at = classOf(units[wordAt] as number) === SIGN ? signEnd(units, wordAt) : wordEnd(units, wordAt);
        visit(units, wordAt, at);
        at = wordStart(units, at, start);
      }
      if (start < end) {
        for (const word of this.#rules.words(text.slice(start, end))) visit(this.#otherUnits.of(word), 0, word.length);
      }
      from = end;
    }
  }

  #numberWord(units: Uint16Array, start: number, end: number, numbering: TermNumbering, numbers: number[]): void {
    const word = this.#known.numberOf(units, start, end);
    if (word >= 0 && this.#numberings[word] === numbering.serial) {
      numbers.push(this.#termNumbers[word] as number);
      return;
    }
    const found = this.#termsOf(units, start, end);
    if (typeof found !== "string") {
      for (const term of found) numbers.push(numbering.numberOf(term));
      return;
    }
    const number = numbering.numberOf(found);
    numbers.push(number);
    const known = this.#known.numberOf(units, start, end);
    if (known < 0) return;
    this.#numberings[known] = numbering.serial;
    this.#termNumbers[known] = number;
  }

  #termsOf(units: Uint16Array, start: number, end: number): string | readonly string[] {
    const known = this.#known.find(units, start, end);
    if (known !== undefined) return known;
    const all = this.#rules.termsOfWord(stringOf(units, start, end).toLowerCase().replaceAll("’", "'"));
    const [only] = all;
    const terms = only !== undefined && all.length === 1 ? only : all;
    const word = this.#known.remember(units, start, end, terms);
    if (word >= this.#numberings.length) this.#grow();
    // The word's slot may have belonged to another word.
    if (word >= 0) this.#numberings[word] = NO_NUMBERING;
    return terms;
  }

  #grow(): void {
    const length = this.#numberings.length * 2;
    const [numberings, termNumbers] = [new Uint32Array(length), new Uint32Array(length)];
    numberings.set(this.#numberings);
    termNumbers.set(this.#termNumbers);
    [this.#numberings, this.#termNumbers] = [numberings, termNumbers];
  }
}

const WORDS_FIRST = 1_024;

function appendTo(terms: string[], found: string | readonly string[]): void {
  if (typeof found === "string") terms.push(found);
  else for (let i = 0; i < found.length; i++) terms.push(found[i] as string);
}

/** The next range between two spaces that needs Unicode's rules, from `from` on, which begins a range. An empty range at the text's end if there is none. */
function otherFrom(text: string, from: number): readonly [start: number, end: number] {
  OTHER.lastIndex = from;
  if (!OTHER.test(text)) return [text.length, text.length];
  const other = OTHER.lastIndex - 1;
  const space = text.indexOf(" ", other);
  return [Math.max(from, text.lastIndexOf(" ", other) + 1), space < 0 ? text.length : space];
}

/** Start of the first word from `at` on; `end` if there is none. */
function wordStart(units: Uint16Array, at: number, end: number): number {
  for (let start = at; start < end; start++) {
    const kind = classOf(units[start] as number);
    if (kind === SEPARATOR || kind === APOSTROPHE) continue;
    if (kind === DOT ? isDotOfName(units, start) : kind !== SIGN || signEnd(units, start) > start) return start;
  }
  return end;
}

/** Whether a name begins with this full stop. */
function isDotOfName(units: Uint16Array, at: number): boolean {
  if (classOf(units[at + 1] as number) !== LETTER) return false;
  if (at === 0) return true;
  const before = units[at - 1] as number;
  const kind = classOf(before);
  return kind !== LETTER && kind !== DIGIT && kind !== DOT && !ENDS_WITH_DOT_OR_MARK.has(before);
}

/** Separators that end with a full stop or with a mark in their compatibility form. */
const ENDS_WITH_DOT_OR_MARK: ReadonlySet<number> = new Set([0x2017, 0x2026]);

/** End of the symbol or operator that begins at `at`; `at` if there is none. A separator follows the text. */
function signEnd(units: Uint16Array, at: number): number {
  const second = units[at + 1] as number;
  switch (units[at]) {
    case 0x24: // $
    case 0x5e: // ^
    case 0x7e: // ~
      return at + 1;
    case 0x26: // && and no other
      return second === 0x26 ? at + 2 : at;
    case 0x7c: // | ||
      return second === 0x7c ? at + 2 : at + 1;
    case 0x21: // != !==
      return second !== EQUALS ? at : units[at + 2] === EQUALS ? at + 3 : at + 2;
    case EQUALS: // = == === =>
      if (second === EQUALS) return units[at + 2] === EQUALS ? at + 3 : at + 2;
      return second === GREATER ? at + 2 : at + 1;
    case LESS: // < <= << <-
      return second === EQUALS || second === LESS || second === HYPHEN ? at + 2 : at + 1;
    case GREATER: // > >= >>
      return second === EQUALS || second === GREATER ? at + 2 : at + 1;
    case HYPHEN: // -> -=
      return second === GREATER || second === EQUALS ? at + 2 : at;
    case 0x3a: // :: :=
      return second === 0x3a || second === EQUALS ? at + 2 : at;
    case PLUS: // + ++ +=
      return second === PLUS || second === EQUALS ? at + 2 : at + 1;
    default: // *= /=
      return second === EQUALS ? at + 2 : at;
  }
}

const [PLUS, HYPHEN, LESS, EQUALS, GREATER, HASH] = [0x2b, 0x2d, 0x3c, 0x3d, 0x3e, 0x23];

/** End of the word that begins at `at`, including a sign that belongs to a name. A separator follows the text. */
function wordEnd(units: Uint16Array, at: number): number {
  // After an apostrophe only letters belong to the word.
  let lettersOnly = false;
  let end = at + 1;
  for (;;) {
    const kind = classOf(units[end] as number);
    if (kind === APOSTROPHE && classOf(units[end + 1] as number) === LETTER) lettersOnly = true;
    else if (kind !== LETTER && (kind !== DIGIT || lettersOnly)) return nameEnd(units, end);
    end++;
  }
}

/** End of a name whose letters end at `end`, including its sign. */
function nameEnd(units: Uint16Array, end: number): number {
  const sign = units[end] as number;
  if (sign !== PLUS && sign !== HASH) return end;
  const next = units[end + 1] as number;
  if (sign === PLUS && next === PLUS) return end + 2;
  const kind = classOf(next);
  const isOfAnother = kind === LETTER || kind === DIGIT || next === PLUS || next === HASH || next === EQUALS;
  return isOfAnother ? end : end + 1;
}

function classOf(unit: number): number {
  return unit < 128 ? (CLASS[unit] as number) : unit === APOSTROPHE_BEYOND_ASCII ? APOSTROPHE : SEPARATOR;
}
