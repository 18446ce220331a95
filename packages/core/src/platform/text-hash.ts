import type { Random } from "./clock.ts";

/** Longer stretches have no hash of their own. UTF-16 units. */
export const HASHED_UNITS_MAX = 40;

/** A row of keys for each place in a stretch: one for each lower byte of a unit, then one for each upper byte. */
const ROW_KEYS = 512;
const KEY_BYTES = 4;

/** Lower case of ASCII. */
const LOWER = Uint8Array.from({ length: 128 }, (_, unit) => (unit >= 65 && unit <= 90 ? unit + 32 : unit));

/** A UTF-16 unit with the capitals of ASCII as small letters; all others stay. */
export function lowerUnit(unit: number): number {
  return unit < 128 ? (LOWER[unit] ?? 0) : unit;
}

/**
 * A hash of short stretches of text that nobody can choose words against who does not know its keys: for each place in the
 * stretch and each unit there a random key, all of them joined by exclusive or (Zobrist 1970; "simple tabulation"). Two given stretches share a hash
 * once in 2^32 sets of keys, whatever they are: unlike a hash with a random start only, it has no inner state that chosen beginnings could bring together.
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

  /** The hash of `[start, end)`, capitals of ASCII as small letters: 32 bits. At most {@link HASHED_UNITS_MAX} units. */
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
