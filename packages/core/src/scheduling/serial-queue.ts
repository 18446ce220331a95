/** Runs work one after the other, in the order of the calls. Work begins after its call has returned; failed work does not prevent the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws the error of the work */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all work of earlier calls has ended. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
