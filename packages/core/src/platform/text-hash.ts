import type { Random } from "./clock.ts";

/** The longest text range that is hashed, in UTF-16 units. */
export const HASHED_UNITS_MAX = 40;

/** The keys of each position in a range: one for each lower byte of a unit, then one for each upper byte. */
const ROW_KEYS = 512;
const KEY_BYTES = 4;

/** The lower case of ASCII. */
const LOWER = Uint8Array.from({ length: 128 }, (_, unit) => (unit >= 65 && unit <= 90 ? unit + 32 : unit));

/** Lowercases a UTF-16 unit of ASCII; others are returned as they are. */
export function lowerUnit(unit: number): number {
  // The table has all 128. Not checked, as this runs for each unit of a text.
  return unit < 128 ? (LOWER[unit] as number) : unit;
}

/**
 * Tabulation hashing of short text ranges (Zobrist 1970; "simple tabulation"): one random key for each position and unit, joined by exclusive or.
 * Nobody who does not know the keys can choose words that collide. Two given ranges share a hash once in 2^32 sets of keys, whatever they are.
 * Unlike a hash with only a random start, it has no inner state that chosen prefixes could bring together.
 */
export class TextHash {
  readonly #keys: Int32Array;

  constructor(random: Random) {
    const keys = new Int32Array(new Uint8Array(random.bytes(HASHED_UNITS_MAX * ROW_KEYS * KEY_BYTES)).buffer);
    for (let row = 0; row < keys.length; row += ROW_KEYS) {
      for (let unit = 0; unit < 128; unit++) keys[row + unit] = keys[row + lowerUnit(unit)] as number;
    }
    this.#keys = keys;
  }

  /** The 32-bit hash of `[start, end)`, with ASCII capitals as small letters. At most {@link HASHED_UNITS_MAX} units. */
  of(units: Uint16Array, start: number, end: number): number {
    const keys = this.#keys;
    let hash = 0;
    for (let at = start, row = 0; at < end; at++, row += ROW_KEYS) {
      const unit = units[at] as number;
      hash ^= keys[row + (unit & 255)] as number;
      if (unit > 255) hash ^= keys[row + 256 + (unit >>> 8)] as number;
    }
    return hash;
  }
}
