import { GrowingUint32 } from "../platform/growing-array.ts";

/**
 * A map from hashes of up to 53 bits to slots, in typed arrays. It takes some 25 bytes an entry, less than half of a `Map`. By linear hashing
 * (Litwin 1980) each new entry splits one chain into two, so that no insertion moves all entries.
 */
export class HashedSlots {
  // By entry. Free entries form a chain of their own.
  readonly #lows = new GrowingUint32();
  readonly #highs = new GrowingUint32();
  readonly #slots = new GrowingUint32();
  /** The next entry of the same chain plus one, or 0. */
  readonly #nexts = new GrowingUint32();
  #left = 0;
  #count = 0;
  /** By chain: its first entry plus one, or 0. */
  readonly #firsts = new GrowingUint32();
  /** Number of chains when all of them had last been split: a power of two. Chains before the next one to split have been split since. */
  #chains = 1;

  constructor() {
    this.#firsts.push(0);
  }

  get bytes(): number {
    return this.#lows.bytes * 4 + this.#firsts.bytes;
  }

  /** The slot of a hash; undefined if it has none. */
  get(hash: number): number | undefined {
    const entry = this.#find(hash);
    return entry < 0 ? undefined : this.#slots.get(entry);
  }

  /** Sets the slot of a hash, whether or not it has one. */
  set(hash: number, slot: number): void {
    const known = this.#find(hash);
    if (known >= 0) {
      this.#slots.set(known, slot);
      return;
    }
    const entry = this.#takeEntry();
    this.#lows.set(entry, hash >>> 0);
    this.#highs.set(entry, highOf(hash));
    this.#slots.set(entry, slot);
    this.#link(entry, this.#chainOf(hash >>> 0));
    this.#count++;
    if (this.#count > this.#firsts.length) this.#split();
  }

  delete(hash: number): void {
    const entry = this.#find(hash);
    if (entry < 0) return;
    const chain = this.#chainOf(hash >>> 0);
    const next = this.#nexts.get(entry);
    if (this.#firsts.get(chain) === entry + 1) this.#firsts.set(chain, next);
    else {
      let before = this.#firsts.get(chain) - 1;
      while (this.#nexts.get(before) !== entry + 1) before = this.#nexts.get(before) - 1;
      this.#nexts.set(before, next);
    }
    this.#nexts.set(entry, this.#left);
    this.#left = entry + 1;
    this.#count--;
  }

  /** The entry of a hash; -1 for none. */
  #find(hash: number): number {
    const [low, high] = [hash >>> 0, highOf(hash)];
    let entry = this.#firsts.get(this.#chainOf(low)) - 1;
    while (entry >= 0 && (this.#lows.get(entry) !== low || this.#highs.get(entry) !== high))
      entry = this.#nexts.get(entry) - 1;
    return entry;
  }

  #chainOf(low: number): number {
    const chain = low & (this.#chains - 1);
    return chain < this.#firsts.length - this.#chains ? low & (2 * this.#chains - 1) : chain;
  }

  #takeEntry(): number {
    if (this.#left > 0) {
      const entry = this.#left - 1;
      this.#left = this.#nexts.get(entry);
      return entry;
    }
    const entry = this.#nexts.length;
    for (const values of [this.#lows, this.#highs, this.#slots, this.#nexts]) {
      // An earlier attempt without enough memory may have grown some of them.
      values.cut(entry);
      values.push(0);
    }
    return entry;
  }

  #link(entry: number, chain: number): void {
    this.#nexts.set(entry, this.#firsts.get(chain));
    this.#firsts.set(chain, entry + 1);
  }

  /** Splits the next chain into two. */
  #split(): void {
    const chain = this.#firsts.length - this.#chains;
    this.#firsts.push(0);
    let entry = this.#firsts.get(chain) - 1;
    this.#firsts.set(chain, 0);
    while (entry >= 0) {
      const next = this.#nexts.get(entry) - 1;
      this.#link(entry, this.#lows.get(entry) & (2 * this.#chains - 1));
      entry = next;
    }
    if (this.#firsts.length === 2 * this.#chains) this.#chains *= 2;
  }
}

/** The bits of a hash above the lower 32. */
function highOf(hash: number): number {
  return Math.floor(hash / 2 ** 32);
}
