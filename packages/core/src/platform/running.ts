/** The running work of an owner, which waits for it before it closes what the work uses. */
export class Running {
  readonly #all = new Set<Promise<unknown>>();

  /** Counts this work until it settles. */
  add<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.catch(() => undefined).finally(() => this.#all.delete(settled));
    this.#all.add(settled);
    return work;
  }

  /** Waits for all work that runs now. */
  async settled(): Promise<void> {
    await Promise.all(this.#all);
  }
}
