import { must } from "../../model/must.ts";
import { hasMoreBits, letterBits } from "../../platform/letter-bits.ts";
import { inPortions, type Sliced } from "../../scheduling/time-slices.ts";
import { type Guesses, SLICE_LOOKS } from "./guesses.ts";
import { isBegun } from "./mistakes.ts";
import { TermsByLetter } from "./terms-by-letter.ts";

/**
 * The terms of an index by number, in the order in which they came. A term stays after its last passage is removed, until the index is compacted.
 *
 * Terms that resemble a word are sought among those that share its first or second letter. The outline of a term rules most of them out: its length,
 * one bit for each of its letters, its first two letters and its last two. With its places in the rows of its first and second letter it takes 21
 * bytes a term. It is made for new terms when they are first sought. Nothing has to be kept up to date, and nothing depends on the order.
 */
export class Vocabulary {
  static #made = 0;
  /** A number above 0 that no other vocabulary of the process has. */
  readonly serial = ++Vocabulary.#made;
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  /** UTF-16 units of all terms together. */
  #units = 0;
  // By number, for the first `#outlined` terms:
  #lengths = new Uint8Array(0);
  /** The lower bytes of the first two letters. */
  #starts = new Uint16Array(0);
  /** The lower bytes of the last two letters. */
  #ends = new Uint16Array(0);
  readonly #byFirst = new TermsByLetter();
  readonly #bySecond = new TermsByLetter();
  #outlined = 0;

  get size(): number {
    return this.#terms.length;
  }
  get bytes(): number {
    return (
      this.#terms.length * TERM_BYTES +
      this.#units +
      this.#lengths.byteLength * 5 +
      this.#byFirst.bytes +
      this.#bySecond.bytes
    );
  }
  get terms(): readonly string[] {
    return this.#terms;
  }

  /** The term with this number, which must be one of these terms. */
  nameOf(number: number): string {
    return must(this.#terms[number], "the term with a number of the vocabulary");
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  /** The term's number; the next one, if it is new. */
  enter(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#terms.length;
    this.#numbers.set(term, number);
    this.#terms.push(term);
    this.#units += term.length;
    return number;
  }

  /**
   * Visits the terms that a word with at most `mistakesMax` mistakes can come from. All letters of such a term but the last, which stemming may have
   * changed, begin the word. At least two of these must be right. Where two mistakes are allowed, none may be in the first letter. Terms of fewer than
   * three letters are left out.
   */
  *forEachLike(
    word: string,
    mistakesMax: number,
    guesses: Guesses,
    visit: (number: number, term: string) => void,
  ): Sliced<void> {
    this.outline();
    const lengths = this.#lengths;
    const starts = this.#starts;
    // Each letter that the word lacks is a mistake.
    const like = { among: letterBits(word), othersMax: mistakesMax };
    const [first, second] = [word.charCodeAt(0) & 255, word.charCodeAt(1) & 255];
    const lengthMax = word.length + mistakesMax + 1;
    const lengthMin = Math.max(TERM_LETTERS_MIN, word.length - ENDING_LETTERS_MAX - mistakesMax);
    // The word's first letters, as many as the term has without the last and the mistakes, are in the term as well. Each of them that the term lacks is a
    // mistake too.
    const begun = beginnings(word, Math.min(lengthMax, LENGTH_MAX), mistakesMax + 1);
    const look = (number: number, letters: number): void => {
      const length = lengths[number] as number;
      if (length < lengthMin || length > lengthMax) return;
      if (hasMoreBits((begun[length] as number) & ~letters, mistakesMax)) return;
      const term = this.nameOf(number);
      const mistakes = Math.min(mistakesMax, term.length - TERM_LETTERS_MIN);
      guesses.compared();
      if (isBegun(term, term.length - 1, word, mistakes)) visit(number, term);
    };
    const lookUnlessBegunSo = (number: number, letters: number): void => {
      const letter = (starts[number] as number) >>> 8;
      if (letter !== first && letter !== second) look(number, letters);
    };
    yield* this.#byFirst.forEach(first, like, guesses, look);
    // The first letter may be extra, missing or wrong. That is one mistake, and a second one is not sought.
    if (mistakesMax !== 1) return;
    if (second !== first) yield* this.#byFirst.forEach(second, like, guesses, look);
    yield* this.#bySecond.forEach(first, like, guesses, lookUnlessBegunSo);
    if (second !== first) yield* this.#bySecond.forEach(second, like, guesses, lookUnlessBegunSo);
  }

  /** Visits the terms that begin with these letters. */
  forEachBegunWith(beginning: string, guesses: Guesses, visit: (number: number, term: string) => void): Sliced<void> {
    this.outline();
    const start = startOf(beginning);
    // A term's last letter has no bit.
    const like = { among: -1, othersMax: 0, wanted: letterBits(beginning, beginning.length - 1) };
    return this.#byFirst.forEach(start >>> 8, like, guesses, (number) => {
      if (this.#starts[number] !== start) return;
      const term = this.nameOf(number);
      if (term.startsWith(beginning)) visit(number, term);
    });
  }

  /**
   * Visits the terms that begin or end with one of the components `windows` and are longer by at least `by` letters, once for each component.
   * Components have two letters or more.
   */
  *forEachLonger(
    windows: readonly string[],
    by: number,
    guesses: Guesses,
    visit: (number: number, term: string, window: string) => void,
  ): Sliced<void> {
    if (windows.length === 0) return;
    this.outline();
    guesses.looked(this.#outlined);
    const [starts, ends] = [new Uint8Array(1 << 16), new Uint8Array(1 << 16)];
    for (const window of windows) {
      starts[startOf(window)] = 1;
      ends[endOf(window)] = 1;
    }
    const lengthMin = by + windows.reduce((least, { length }) => Math.min(least, length), LENGTH_MAX);
    yield* inPortions(this.#outlined, SLICE_LOOKS, (from, to) => {
      for (let number = from; number < to; number++) {
        if ((this.#lengths[number] as number) < lengthMin) continue;
        if (starts[this.#starts[number] as number] === 0 && ends[this.#ends[number] as number] === 0) continue;
        const term = this.nameOf(number);
        guesses.looked(windows.length);
        for (const window of windows) {
          if (term.length >= window.length + by && (term.startsWith(window) || term.endsWith(window)))
            visit(number, term, window);
        }
      }
    });
  }

  /** Reserves the outline of `count` terms. */
  expect(count: number): void {
    if (this.#lengths.length >= count) return;
    const lengths = new Uint8Array(Math.ceil(count * 1.25));
    lengths.set(this.#lengths);
    const [starts, ends] = [new Uint16Array(lengths.length), new Uint16Array(lengths.length)];
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#lengths, this.#starts, this.#ends] = [lengths, starts, ends];
  }

  /** Makes the outline of all terms that have come since the last call. */
  outline(): void {
    const count = this.#terms.length;
    this.expect(count);
    for (; this.#outlined < count; this.#outlined++) {
      const term = this.nameOf(this.#outlined);
      const letters = letterBits(term, term.length - 1);
      const start = startOf(term);
      this.#starts[this.#outlined] = start;
      // Memory is taken before a term is added. So a call after a failed one begins again with this term, and adds it once.
      this.#bySecond.reserve(start & 255);
      this.#byFirst.add(start >>> 8, this.#outlined, letters);
      this.#bySecond.add(start & 255, this.#outlined, letters);
      this.#ends[this.#outlined] = endOf(term);
      this.#lengths[this.#outlined] = Math.min(term.length, LENGTH_MAX);
    }
  }
}

/** Bytes of a term in the map and the list, without its characters. Measured. */
const TERM_BYTES = 80;
const TERM_LETTERS_MIN = 3;
const LENGTH_MAX = 255;

/** Letters of the longest ending that a stem can have lost. */
const ENDING_LETTERS_MAX = 7;

/** By length of a term up to `lengthMax`: the letter bits of the word's beginning that is shorter than the term by `shorterBy`. */
function beginnings(word: string, lengthMax: number, shorterBy: number): Int32Array {
  const letters = new Int32Array(lengthMax + 1);
  for (let length = shorterBy + 1; length <= lengthMax; length++) {
    const at = length - shorterBy - 1;
    letters[length] = (letters[length - 1] as number) | (at < word.length ? 1 << (word.charCodeAt(at) & 31) : 0);
  }
  return letters;
}

/** The lower bytes of the first two letters. */
function startOf(term: string): number {
  return ((term.charCodeAt(0) & 255) << 8) | (term.charCodeAt(1) & 255);
}

function endOf(term: string): number {
  return ((term.charCodeAt(term.length - 2) & 255) << 8) | (term.charCodeAt(term.length - 1) & 255);
}

/** The terms that an index holds, and their frequencies. */
export interface HeldTerms {
  readonly vocabulary: Vocabulary;
  /** The number of passages that hold the term with this number. */
  readonly frequencyOf: (term: number) => number;
}
