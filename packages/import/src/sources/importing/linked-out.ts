/** Links of a folder that lead out of it. They are not followed. */
export class LinkedOut {
  #first: string | undefined;
  #links = 0;
  #kept = 0;

  /** @param documents number of documents from the link's target, imported before such links were left alone: they stay */
  add(place: string, documents: number): void {
    this.#first ??= place;
    this.#links += 1;
    this.#kept += documents;
  }

  /** Describes all of them in one line; undefined if there are none. */
  told(): string | undefined {
    if (this.#first === undefined) return undefined;
    const isOne = this.#links === 1;
    const what = isOne
      ? `the link ${this.#first} leads out of it and was`
      : `${this.#links} links lead, the first of them ${this.#first}, out of it and were`;
    const line = `${what} not followed; name ${isOne ? "it" : "them"} to import what lies there`;
    if (this.#kept === 0) return line;
    const stay = this.#kept === 1 ? "the one document" : `the ${this.#kept} documents`;
    return `${line}; ${stay} that ${isOne ? "it" : "they"} had brought before ${this.#kept === 1 ? "stays" : "stay"} in, unchanged`;
  }
}
