import { must } from "../model/must.ts";

/** A write that has been decided and is not durable yet. */
export interface PendingWrite {
  /** Settles as the write does. */
  committed: Promise<unknown>;
  /** Removes this write, and no other. Called when it is durable or has failed. */
  settle(): void;
}

interface Version<Value> extends PendingWrite {
  /** Undefined for a removal. */
  readonly value: Value | undefined;
}

/**
 * Versions in flight by id, in the order of their writes.
 * The next write is decided on the newest version, while readers see the durable one.
 */
export class PendingWrites<Value> {
  readonly #inFlight = new Map<string, Version<Value>[]>();

  /** The newest version, in flight or durable. */
  newest(id: string, durable: Value | undefined): Value | undefined {
    const pending = this.#inFlight.get(id)?.at(-1);
    return pending === undefined ? durable : pending.value;
  }

  /** Resolves when the newest version is durable, and rejects if its write fails. */
  async whenDurable(id: string): Promise<void> {
    await this.#inFlight.get(id)?.at(-1)?.committed;
  }

  /**
   * Waits until the newest version is durable, then rejects with `error`, whose cause it is. Rejects with the error of its write if that fails: then
   * there was no cause.
   */
  async refuse(id: string, error: Error): Promise<never> {
    await this.whenDurable(id);
    throw error;
  }

  isInFlight(id: string): boolean {
    return this.#inFlight.has(id);
  }

  /** Every id with writes in flight, and its newest version: undefined for a removal. */
  *inFlight(): Generator<readonly [id: string, newest: Value | undefined], void> {
    for (const [id, versions] of this.#inFlight)
      yield [id, must(versions.at(-1), "the newest version in flight").value];
  }

  /** Adds a write. The caller sets `committed` as soon as it has the promise. */
  add(id: string, value: Value | undefined): PendingWrite {
    const versions = this.#inFlight.get(id) ?? [];
    const version: Version<Value> = {
      value,
      committed: Promise.resolve(),
      settle: () => {
        versions.splice(versions.indexOf(version), 1);
        if (versions.length === 0) this.#inFlight.delete(id);
      },
    };
    versions.push(version);
    this.#inFlight.set(id, versions);
    return version;
  }
}
