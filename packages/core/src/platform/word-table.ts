import type { Random } from "./clock.ts";
import { systemRandom } from "./system.ts";
import { HASHED_UNITS_MAX, lowerUnit, TextHash } from "./text-hash.ts";

/** Places that a word can have: no look-up looks further. */
const PLACES_A_WORD = 8;

/** In place of a word's number. */
const UNKNOWN = -1;

/**
 * What is known of words, found by the units of the text itself ({@link TextUnits}): no string is made for a word that is known. Capitals of ASCII
 * count as small letters. It holds a bounded number of words, and forgets the ones that were asked for least among those with the same places: so a
 * flood of new words costs those that come again and again little. Nothing is ever moved or made anew at once.
 */
export class WordTable<Value> {
  readonly #hash: TextHash;
  readonly #mask: number;
  /** By place: the number of its word plus one, or 0; and the word's hash. */
  readonly #numbers: Uint32Array;
  readonly #hashes: Int32Array;
  /** By number. */
  readonly #words: string[] = [];
  readonly #values: Value[] = [];

  /**
   * @param wordsMax so many words are remembered at most, a power of two from 8 on
   * @param random the keys that its hashes are made with; nothing that it answers depends on them
   */
  constructor(wordsMax: number, random: Random = systemRandom) {
    if (wordsMax < PLACES_A_WORD || !Number.isInteger(Math.log2(wordsMax)))
      throw new RangeError(`A table of words has a power of two places from ${PLACES_A_WORD} on, not ${wordsMax}.`);
    this.#hash = new TextHash(random);
    this.#mask = wordsMax - PLACES_A_WORD;
    this.#numbers = new Uint32Array(wordsMax);
    this.#hashes = new Int32Array(wordsMax);
  }

  /** Words that are remembered. */
  get size(): number {
    return this.#words.length;
  }

  /** What is known of the word in `[start, end)`. */
  find(units: Uint16Array, start: number, end: number): Value | undefined {
    const number = this.numberOf(units, start, end);
    return number < 0 ? undefined : this.#values[number];
  }

  /** The number of the word in `[start, end)`: that of another once it is forgotten. Below 0 if it is not known. */
  numberOf(units: Uint16Array, start: number, end: number): number {
    if (end - start > HASHED_UNITS_MAX) return UNKNOWN;
    const hash = this.#hash.of(units, start, end);
    const hashes = this.#hashes;
    const first = hash & this.#mask;
    for (let place = first; place < first + PLACES_A_WORD; place++) {
      if (hashes[place] !== hash) continue;
      const number = this.#numbers[place] as number;
      if (number === 0 || !isWord(this.#words[number - 1] as string, units, start, end)) continue;
      if (place > first) this.#bringForward(place);
      return number - 1;
    }
    return UNKNOWN;
  }

  /** What is known of the word with this number. */
  valueOf(number: number): Value | undefined {
    return this.#values[number];
  }

  /** Remembers a word that {@link find} did not find, and returns its number. Words of more than {@link HASHED_UNITS_MAX} units are rare, and not kept: below 0. */
  remember(units: Uint16Array, start: number, end: number, value: Value): number {
    if (end - start > HASHED_UNITS_MAX) return UNKNOWN;
    const hash = this.#hash.of(units, start, end);
    const first = hash & this.#mask;
    let place = first;
    while (place < first + PLACES_A_WORD - 1 && this.#numbers[place] !== 0) place++;
    // The last place is given to another where all are taken: what is asked for again moves away from it.
    const number = this.#numbers[place] || this.#words.length + 1;
    this.#numbers[place] = number;
    this.#hashes[place] = hash;
    this.#words[number - 1] = copyOf(units, start, end);
    this.#values[number - 1] = value;
    return number - 1;
  }

  /** Changes places with the word before. */
  #bringForward(place: number): void {
    const [numbers, hashes] = [this.#numbers, this.#hashes];
    const [number, hash] = [numbers[place] ?? 0, hashes[place] ?? 0];
    numbers[place] = numbers[place - 1] ?? 0;
    hashes[place] = hashes[place - 1] ?? 0;
    numbers[place - 1] = number;
    hashes[place - 1] = hash;
  }
}

function isWord(word: string, units: Uint16Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) {
    const unit = units[start + i] as number;
    const own = word.charCodeAt(i);
    // Most letters are small ones.
    if (unit !== own && lowerUnit(unit) !== own) return false;
  }
  return true;
}

/** Not a slice, which would keep the whole text that it was cut from in memory. */
function copyOf(units: Uint16Array, start: number, end: number): string {
  return String.fromCharCode(...units.subarray(start, end).map(lowerUnit));
}
