/** A write that has been decided and is not durable yet. */
export interface PendingWrite {
  /** Settles as the write does. */
  committed: Promise<unknown>;
  /** It is durable or has failed: it alone is forgotten. */
  settle(): void;
}

interface Version<Value> extends PendingWrite {
  /** Undefined for a removal. */
  readonly value: Value | undefined;
}

/**
 * The versions in flight of each thing that has any, in the order of their writes. The next write is decided on the newest,
 * while readers see what is durable.
 */
export class PendingWrites<Value> {
  readonly #inFlight = new Map<string, Version<Value>[]>();

  /** The newest version, in flight or durable. */
  newest(id: string, durable: Value | undefined): Value | undefined {
    const pending = this.#inFlight.get(id)?.at(-1);
    return pending === undefined ? durable : pending.value;
  }

  /** Resolves when the newest version is durable, and fails if its write does. */
  async whenDurable(id: string): Promise<void> {
    await this.#inFlight.get(id)?.at(-1)?.committed;
  }

  isInFlight(id: string): boolean {
    return this.#inFlight.has(id);
  }

  /** What has writes in flight, each in its newest version. */
  *inFlight(): Generator<readonly [id: string, newest: Value | undefined], void> {
    for (const [id, versions] of this.#inFlight) yield [id, versions.at(-1)?.value];
  }

  /** Notes a write, whose promise is set as soon as there is one. */
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
