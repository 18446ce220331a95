const CODE_MAX = 255;

/** Counts in how many windows of each language a piece stands. */
export class PieceCounts {
  readonly #windows = new Map<string, number>();
  readonly #counts = new Map<string, Uint32Array>();

  constructor(private readonly pieces: number) {}

  add(language: string, pieces: Iterable<number>): void {
    this.#windows.set(language, (this.#windows.get(language) ?? 0) + 1);
    const counts = this.#counts.get(language) ?? new Uint32Array(this.pieces);
    this.#counts.set(language, counts);
    for (const piece of pieces) counts[piece] = (counts[piece] ?? 0) + 1;
  }

  /**
   * For each piece the logarithm of how rare it is in the language that has it most, `ln((windows + 1) / (its windows + 1))`, as a share of what a piece
   * would have that stands nowhere: 0 to 255. A language of few windows says little of what is rare: all are counted as if they had as many as the largest.
   */
  weights(): Uint8Array {
    const most = Math.max(...this.#windows.values());
    const shares = new Float64Array(this.pieces);
    for (const [language, counts] of this.#counts) {
      const windows = this.#windows.get(language) ?? 1;
      for (const [piece, count] of counts.entries()) shares[piece] = Math.max(shares[piece] ?? 0, count / windows);
    }
    const rarest = Math.log(most + 1);
    return Uint8Array.from(shares, (share) =>
      Math.round((CODE_MAX * Math.log((most + 1) / (share * most + 1))) / rarest),
    );
  }
}
