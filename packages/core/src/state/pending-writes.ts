/** A write that has been decided and is not durable yet. */
interface Pending<Value> {
  /** Undefined for a removal. */
  readonly value: Value | undefined;
}

/**
 * The newest decided version of each thing that has writes in flight. The next write is decided on it, while readers see
 * what is durable.
 */
export class PendingWrites<Value> {
  readonly #newest = new Map<string, Pending<Value>>();

  /** The newest version, in flight or durable. */
  newest(id: string, durable: Value | undefined): Value | undefined {
    const pending = this.#newest.get(id);
    return pending === undefined ? durable : pending.value;
  }

  /** Notes a write; `settle` it when it is durable. */
  add(id: string, value: Value | undefined): { settle(): void } {
    const pending = { value };
    this.#newest.set(id, pending);
    return {
      settle: () => {
        if (this.#newest.get(id) === pending) this.#newest.delete(id);
      },
    };
  }

  /** Forgets all: the writes in flight have failed. */
  clear(): void {
    this.#newest.clear();
  }
}
