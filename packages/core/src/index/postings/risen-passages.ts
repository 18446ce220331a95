/** Passages whose score has risen above what was watched for while terms were added: who looks for the best so far need not look at all others again. */
export class RisenPassages {
  /** So many of them, the same one perhaps more than once. */
  readonly ordinals = new Uint32Array(RISEN_MAX);
  /** How many have risen, those included that found no room. */
  count = 0;
  /** Above this score. */
  least = Number.POSITIVE_INFINITY;

  /** Whether all of them stand there, since {@link watch}. */
  get areKnown(): boolean {
    return this.least < Number.POSITIVE_INFINITY && this.count <= RISEN_MAX;
  }

  /** From now on those count that rise above this score; infinite where nobody looks for them. */
  watch(least: number): void {
    this.least = least;
    this.count = 0;
  }

  add(ordinal: number): void {
    if (this.count < RISEN_MAX) this.ordinals[this.count] = ordinal;
    this.count++;
  }
}

/** Where more have risen, looking at all takes hardly longer. */
const RISEN_MAX = 2_048;
