/** An entry, in the unit of the map's bound. */
interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
}

/**
 * A map whose entries have a size each, and a bound on their sum. Beyond it the least recently used entries are evicted. Each call takes O(1) time, an
 * eviction O(1) per evicted entry.
 */
export class LruMap<Key, Value> {
  /** The most that all entries may have together. */
  readonly sizeMax: number;
  /** Least recently used first. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #size = 0;

  /** @param sizeMax in the unit of the entries, such as bytes or their number; 0: nothing is kept */
  constructor(sizeMax: number) {
    this.sizeMax = sizeMax;
  }

  /** The sum of the sizes of all entries. */
  get size(): number {
    return this.#size;
  }

  /** The value of a key, which is the most recently used one then. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds or replaces an entry, as the most recently used one. A value that is larger than the bound is not kept. */
  set(key: Key, value: Value, size = 1): void {
    this.delete(key);
    if (size > this.sizeMax) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.sizeMax) return;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** All values, least recently used first. */
  *values(): Generator<Value, void> {
    for (const { value } of this.#entries.values()) yield value;
  }
}
