/** The working memory of a scoring, which the next one reuses. Scores and counts are 0 between two scorings. */
export class ScoringMemory {
  /** By ordinal. */
  scores = new Float64Array(0);
  /** By ordinal: frequencies of terms that count as one. */
  counts = new Uint8Array(0);
  /** Ordinals that have a score, in the order in which they got it. */
  touched = new Uint32Array(0);
  readonly risen = new RisenPassages();
  /** Ordinals of the candidates, and how often each holds the current term. */
  candidates = new Uint32Array(0);
  frequencies = new Uint8Array(0);
  sums = new Uint8Array(0);
  /** By ordinal, one bit each: candidates that are being sorted. */
  #bits = new Uint32Array(0);
  #bytes = 0;

  /** A counter, since it is read after every use of a bot. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Grows the memory to a capacity of `passages`. */
  for(passages: number): this {
    if (this.scores.length >= passages) return this;
    const capacity = Math.ceil(passages * 1.5);
    const [scores, counts] = [new Float64Array(capacity), new Uint8Array(capacity)];
    const [touched, bits] = [new Uint32Array(capacity), new Uint32Array((capacity >>> 5) + 1)];
    [this.scores, this.counts, this.touched, this.#bits] = [scores, counts, touched, bits];
    this.#count();
    return this;
  }

  /** Grows the memory to a capacity of `count` candidates. */
  forCandidates(count: number): this {
    if (this.candidates.length >= count) return this;
    const capacity = Math.ceil(count * 1.5);
    const candidates = new Uint32Array(capacity);
    const [frequencies, sums] = [new Uint8Array(capacity), new Uint8Array(capacity)];
    [this.candidates, this.frequencies, this.sums] = [candidates, frequencies, sums];
    this.#count();
    return this;
  }

  #count(): void {
    const lists = [this.scores, this.counts, this.touched, this.candidates, this.frequencies, this.sums, this.#bits];
    this.#bytes = lists.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Sorts the first `count` candidates, which must be distinct. */
  sortCandidates(count: number): void {
    const { candidates } = this;
    const bits = this.#bits;
    // Scanning the bits of all passages takes less than comparing, unless the candidates are very few.
    if (count * SORTED_A_WORD < bits.length) {
      candidates.subarray(0, count).sort();
      return;
    }
    for (let i = 0; i < count; i++) {
      const ordinal = candidates[i] as number;
      bits[ordinal >>> 5] = (bits[ordinal >>> 5] as number) | (1 << (ordinal & 31));
    }
    let at = 0;
    for (let word = 0; at < count; word++) {
      let left = bits[word] as number;
      if (left === 0) continue;
      bits[word] = 0;
      for (; left !== 0; left &= left - 1) candidates[at++] = (word << 5) + 31 - Math.clz32(left & -left);
    }
  }
}

/** Words of 32 unset bits that are scanned in the time in which one candidate is sorted by comparing. */
const SORTED_A_WORD = 32;

/** Passages whose score has risen above a watched score while terms were added. A search for the best so far need not compare all other passages again. */
export class RisenPassages {
  /** Their ordinals, up to {@link RISEN_MAX}. One may stand there several times. */
  readonly ordinals = new Uint32Array(RISEN_MAX);
  /** Number of rises, those included that found no place in {@link ordinals}. */
  count = 0;
  /** The watched score. */
  least = Number.POSITIVE_INFINITY;

  /** Whether {@link ordinals} has all passages that have risen since {@link watch}. */
  get areKnown(): boolean {
    return this.least < Number.POSITIVE_INFINITY && this.count <= RISEN_MAX;
  }

  /** Watches for scores that rise above this one from now on; infinite: for none. */
  watch(least: number): void {
    this.least = least;
    this.count = 0;
  }

  add(ordinal: number): void {
    if (this.count < RISEN_MAX) this.ordinals[this.count] = ordinal;
    this.count++;
  }
}

/** If more have risen, comparing all scores takes hardly longer. */
const RISEN_MAX = 2_048;
