import { inPortions, type Steps } from "../runtime/steps.ts";
import { type Guesses, STEP_LOOKS } from "./guesses.ts";
import { isBegun } from "./mistakes.ts";

/**
 * The terms of an index by number, in the order in which they came. A term stays when the last passage that holds it goes, until the
 * index is compacted.
 *
 * Which terms look like a word is found by reading them all, past what cannot be: a term has its length and one bit for each of its
 * letters, compared first. That, its first two letters and its last two are nine bytes a term, made for new terms when they are first looked for; nothing has to be kept up
 * to date, and nothing depends on the order.
 */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  // By number, for the first `#outlined` terms:
  #letters = new Uint32Array(0);
  #lengths = new Uint8Array(0);
  /** The lower bytes of the first two letters. */
  #starts = new Uint16Array(0);
  /** Those of the last two. */
  #ends = new Uint16Array(0);
  #outlined = 0;

  get size(): number {
    return this.#terms.length;
  }
  get bytes(): number {
    // A map entry with its string takes about 80 bytes.
    return this.#terms.length * 88 + this.#letters.byteLength + this.#lengths.byteLength + this.#starts.byteLength * 2;
  }
  get terms(): readonly string[] {
    return this.#terms;
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
    return number;
  }

  /**
   * Visits the terms that a word with at most `mistakesMax` mistakes can come from: all but their last letter, which stemming may have
   * changed, is how the word begins. Two letters of that must be right, and of two mistakes none may be in the first letter. Terms of fewer than three letters are left out.
   */
  forEachLike(
    word: string,
    mistakesMax: number,
    guesses: Guesses,
    visit: (number: number, term: string) => void,
  ): Steps<void> {
    this.outline();
    guesses.looked(this.#outlined);
    const letters = this.#letters;
    const lengths = this.#lengths;
    const starts = this.#starts;
    const missing = ~lettersOf(word, word.length);
    const [first, second] = [word.charCodeAt(0) & 255, word.charCodeAt(1) & 255];
    const lengthMax = word.length + mistakesMax + 1;
    const lengthMin = Math.max(TERM_LETTERS_MIN, word.length - ENDING_LETTERS_MAX - mistakesMax);
    return inPortions(this.#outlined, STEP_LOOKS, (from, to) => {
      for (let number = from; number < to; number++) {
        const length = lengths[number] as number;
        if (length < lengthMin || length > lengthMax) continue;
        const start = starts[number] as number;
        if (start >>> 8 !== first) {
          // The first letter was one too many, is missing or another: then the mistake is made, and a second one is not looked for.
          if (mistakesMax !== 1) continue;
          if (start >>> 8 !== second && (start & 255) !== second && (start & 255) !== first) continue;
        }
        // Each letter that the word lacks is a mistake.
        const lacking = (letters[number] as number) & missing;
        if (lacking !== 0 && bitsOf(lacking) > mistakesMax) continue;
        const term = this.#terms[number] ?? "";
        const mistakes = Math.min(mistakesMax, term.length - TERM_LETTERS_MIN);
        guesses.compared();
        if (isBegun(term, term.length - 1, word, mistakes)) visit(number, term);
      }
    });
  }

  /** Visits the terms that begin with these letters. */
  forEachBegunWith(beginning: string, guesses: Guesses, visit: (number: number, term: string) => void): Steps<void> {
    this.outline();
    guesses.looked(this.#outlined);
    const letters = this.#letters;
    // A term's last letter has no bit.
    const wanted = lettersOf(beginning, beginning.length - 1);
    const start = startOf(beginning);
    return inPortions(this.#outlined, STEP_LOOKS, (from, to) => {
      for (let number = from; number < to; number++) {
        if (this.#starts[number] !== start) continue;
        if (((letters[number] as number) & wanted) !== wanted) continue;
        const term = this.#terms[number] ?? "";
        if (term.startsWith(beginning)) visit(number, term);
      }
    });
  }

  /** Visits the terms that begin or end with one of these parts and are longer by at least so many letters, once for each part. Parts have two letters or more. */
  *forEachLonger(
    parts: readonly string[],
    by: number,
    guesses: Guesses,
    visit: (number: number, term: string, part: string) => void,
  ): Steps<void> {
    if (parts.length === 0) return;
    this.outline();
    guesses.looked(this.#outlined);
    const [starts, ends] = [new Uint8Array(1 << 16), new Uint8Array(1 << 16)];
    for (const part of parts) {
      starts[startOf(part)] = 1;
      ends[endOf(part)] = 1;
    }
    const lengthMin = by + parts.reduce((least, { length }) => Math.min(least, length), LENGTH_MAX);
    yield* inPortions(this.#outlined, STEP_LOOKS, (from, to) => {
      for (let number = from; number < to; number++) {
        if ((this.#lengths[number] as number) < lengthMin) continue;
        if (starts[this.#starts[number] as number] === 0 && ends[this.#ends[number] as number] === 0) continue;
        const term = this.#terms[number] ?? "";
        guesses.looked(parts.length);
        for (const part of parts) {
          if (term.length >= part.length + by && (term.startsWith(part) || term.endsWith(part)))
            visit(number, term, part);
        }
      }
    });
  }

  /** Reserves what is compared first for so many terms. */
  expect(count: number): void {
    if (this.#letters.length >= count) return;
    const letters = new Uint32Array(Math.ceil(count * 1.25));
    const lengths = new Uint8Array(letters.length);
    letters.set(this.#letters);
    lengths.set(this.#lengths);
    const [starts, ends] = [new Uint16Array(letters.length), new Uint16Array(letters.length)];
    starts.set(this.#starts);
    ends.set(this.#ends);
    [this.#letters, this.#lengths, this.#starts, this.#ends] = [letters, lengths, starts, ends];
  }

  /** Makes what is compared first of all terms that have come since. */
  outline(): void {
    const count = this.#terms.length;
    this.expect(count);
    for (; this.#outlined < count; this.#outlined++) {
      const term = this.#terms[this.#outlined] ?? "";
      this.#letters[this.#outlined] = lettersOf(term, term.length - 1);
      this.#starts[this.#outlined] = startOf(term);
      this.#ends[this.#outlined] = endOf(term);
      this.#lengths[this.#outlined] = Math.min(term.length, LENGTH_MAX);
    }
  }
}

const TERM_LETTERS_MIN = 3;
const LENGTH_MAX = 255;

/** The longest ending that a stem can have lost. */
const ENDING_LETTERS_MAX = 7;

/** The lower bytes of the first two letters. */
function startOf(term: string): number {
  return ((term.charCodeAt(0) & 255) << 8) | (term.charCodeAt(1) & 255);
}

function endOf(term: string): number {
  return ((term.charCodeAt(term.length - 2) & 255) << 8) | (term.charCodeAt(term.length - 1) & 255);
}

/** One bit for each of the first `length` letters: a to z have their own, all others share by their code. */
function lettersOf(word: string, length: number): number {
  let letters = 0;
  for (let i = 0; i < length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Terms that the index holds, and how often. */
export interface HeldTerms {
  readonly vocabulary: Vocabulary;
  /** Passages that hold the term with this number. */
  readonly frequencyOf: (term: number) => number;
}
