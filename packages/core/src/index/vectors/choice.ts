/** Points of which some are chosen. */
export class Choice {
  candidates = new Uint32Array(256);
  cosines = new Float64Array(256);
  readonly chosen = new Uint32Array(256);

  /** With room for so many. */
  begin(count: number): this {
    if (this.candidates.length < count) {
      const [candidates, cosines] = [new Uint32Array(count * 2), new Float64Array(count * 2)];
      [this.candidates, this.cosines] = [candidates, cosines];
    }
    return this;
  }
}
