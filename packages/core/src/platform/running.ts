/** Work that runs, for whoever has to wait for it before what it works with is let go. */
export class Running {
  readonly #all = new Set<Promise<unknown>>();

  /** Counts this work until it ends, however that is. */
  add<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.catch(() => undefined).finally(() => this.#all.delete(settled));
    this.#all.add(settled);
    return work;
  }

  /** Waits for all that runs now. */
  async settled(): Promise<void> {
    await Promise.all(this.#all);
  }
}
