/** A bit set of keys, which should be dense. Adding or deleting a hundred thousand keys takes a millisecond. */
export class KeySet {
  #words = new Uint32Array(0);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: number): void {
    const at = key >>> 5;
    if (at >= this.#words.length) {
      const grown = new Uint32Array(Math.max(WORDS_MIN, Math.ceil((at + 1) * GROWTH)));
      grown.set(this.#words);
      this.#words = grown;
    }
    const before = this.#words[at] as number;
    const bit = 1 << (key & 31);
    if ((before & bit) !== 0) return;
    this.#words[at] = before | bit;
    this.#size++;
  }

  /** False if the key was not in the set. */
  delete(key: number): boolean {
    const at = key >>> 5;
    const before = this.#words[at] ?? 0;
    const bit = 1 << (key & 31);
    if ((before & bit) === 0) return false;
    this.#words[at] = before & ~bit;
    this.#size--;
    return true;
  }

  clear(): void {
    this.#words = new Uint32Array(0);
    this.#size = 0;
  }

  /** The lowest key that is at least `from`; -1 if there is none. */
  next(from: number): number {
    const words = this.#words;
    // Keys below `from` in its own word do not count.
    let mask = -1 << (from & 31);
    for (let at = from >>> 5; at < words.length; at++) {
      const word = (words[at] as number) & mask;
      if (word !== 0) return at * 32 + (31 - Math.clz32(word & -word));
      mask = -1;
    }
    return -1;
  }
}

const WORDS_MIN = 32;
const GROWTH = 1.25;
