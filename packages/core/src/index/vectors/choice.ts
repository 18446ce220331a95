/** Buffers for choosing links: candidates with their cosines, and the chosen points. Used again for each choice. */
export class Choice {
  candidates = new Uint32Array(256);
  cosines = new Float64Array(256);
  readonly chosen = new Uint32Array(256);

  /** Ensures space for `count` candidates. Earlier contents may be lost. */
  begin(count: number): this {
    if (this.candidates.length < count) {
      const [candidates, cosines] = [new Uint32Array(count * 2), new Float64Array(count * 2)];
      [this.candidates, this.cosines] = [candidates, cosines];
    }
    return this;
  }
}
