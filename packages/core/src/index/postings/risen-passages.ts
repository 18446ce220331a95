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
