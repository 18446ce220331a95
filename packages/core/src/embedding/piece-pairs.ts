const EMPTY = -1;

/** A hash table from pairs of neighbouring word pieces to their numbers. Open addressing with linear probing, at most half full. In bounds: the mask keeps places within it. */
export class PiecePairs {
  readonly #mask: number;
  readonly #keys: Int32Array;
  readonly #numbers: Int32Array;

  /** @param pairs two numbers of word pieces for each pair, both below 32,768 */
  constructor(pairs: Uint16Array) {
    let places = 16;
    while (places < pairs.length * 2) places *= 2;
    this.#mask = places - 1;
    this.#keys = new Int32Array(places).fill(EMPTY);
    this.#numbers = new Int32Array(places);
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const key = keyOf(pairs[at] as number, pairs[at + 1] as number);
      let place = placeOf(key) & this.#mask;
      while (this.#keys[place] !== EMPTY) place = (place + 1) & this.#mask;
      this.#keys[place] = key;
      this.#numbers[place] = at / 2;
    }
  }

  /** The index of a pair in the list, from 0; -1 if it is not in the list. */
  numberOf(first: number, second: number): number {
    const key = keyOf(first, second);
    let place = placeOf(key) & this.#mask;
    for (let found = this.#keys[place]; found !== EMPTY; found = this.#keys[place]) {
      if (found === key) return this.#numbers[place] as number;
      place = (place + 1) & this.#mask;
    }
    return EMPTY;
  }
}

function keyOf(first: number, second: number): number {
  return (first << 15) | second;
}

function placeOf(key: number): number {
  const mixed = Math.imul(key, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
