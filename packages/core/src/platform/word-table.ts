import type { Random } from "./clock.ts";
import { systemRandom } from "./system.ts";
import { HASHED_UNITS_MAX, lowerUnit, TextHash } from "./text-hash.ts";

/** Slots that a word can have: no lookup reads more. */
const PLACES_A_WORD = 8;

/** The number of an unknown word. */
const UNKNOWN = -1;

/**
 * A bounded hash table of words, looked up by the units of the text ({@link TextUnits}): a known word needs no string. ASCII capitals
 * count as small letters. A full table evicts the least requested word among those with the same slots, so a
 * flood of new words costs frequent words little. A lookup compares at most 8 hashes; nothing is ever rehashed.
 */
export class WordTable<Value> {
  readonly #hash: TextHash;
  readonly #mask: number;
  /** By slot: the number of its word plus one, or 0; and the word's hash. */
  readonly #numbers: Uint32Array;
  readonly #hashes: Int32Array;
  /** The words by number; below, their values. */
  readonly #words: string[] = [];
  readonly #values: Value[] = [];

  /**
   * @param wordsMax the most words that are remembered, a power of two from 8 on
   * @param random makes the keys of the hashes; no result depends on them
   */
  constructor(wordsMax: number, random: Random = systemRandom) {
    if (wordsMax < PLACES_A_WORD || !Number.isInteger(Math.log2(wordsMax)))
      throw new RangeError(`A table of words has a power of two places from ${PLACES_A_WORD} on, not ${wordsMax}.`);
    this.#hash = new TextHash(random);
    this.#mask = wordsMax - PLACES_A_WORD;
    this.#numbers = new Uint32Array(wordsMax);
    this.#hashes = new Int32Array(wordsMax);
  }

  /** The number of remembered words. */
  get size(): number {
    return this.#words.length;
  }

  /** The value of the word in `[start, end)`. */
  find(units: Uint16Array, start: number, end: number): Value | undefined {
    const number = this.numberOf(units, start, end);
    return number < 0 ? undefined : this.#values[number];
  }

  /** The number of the word in `[start, end)`; below 0 if it is unknown. The number of a forgotten word is given to another. */
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

  /**
   * Remembers a word that {@link find} did not find, and returns its number. Words of more than {@link HASHED_UNITS_MAX} units are rare and not kept:
   * below 0.
   */
  remember(units: Uint16Array, start: number, end: number, value: Value): number {
    if (end - start > HASHED_UNITS_MAX) return UNKNOWN;
    const hash = this.#hash.of(units, start, end);
    const first = hash & this.#mask;
    let place = first;
    while (place < first + PLACES_A_WORD - 1 && this.#numbers[place] !== 0) place++;
    // If all slots are taken, the last one gets the new word: words that are requested again move away from it.
    const number = this.#numbers[place] || this.#words.length + 1;
    this.#numbers[place] = number;
    this.#hashes[place] = hash;
    this.#words[number - 1] = copyOf(units, start, end);
    this.#values[number - 1] = value;
    return number - 1;
  }

  /** Swaps the word with the one in the slot before. */
  #bringForward(place: number): void {
    const [numbers, hashes] = [this.#numbers, this.#hashes];
    // Both places are in the table: `place` is behind the first place of its word. Not checked, as this runs for each word of a text.
    const [number, hash] = [numbers[place] as number, hashes[place] as number];
    numbers[place] = numbers[place - 1] as number;
    hashes[place] = hashes[place - 1] as number;
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

/** A lowercased copy. Not a slice, which would keep the whole text in memory. */
function copyOf(units: Uint16Array, start: number, end: number): string {
  return String.fromCharCode(...units.subarray(start, end).map(lowerUnit));
}
