import { IDEMPOTENCY_KEYS_MAX, IDEMPOTENCY_MS } from "../model/limits.ts";

/** A create that came with an idempotency key. It holds enough to repeat the answer for the same body, and no text. */
export interface RememberedCreate {
  /** Digest of the key. */
  readonly key: string;
  /** Digest of the article that was to be created. */
  readonly body: string;
  /** Id of the article. */
  readonly id: string;
  readonly createdAtMs: number;
  /** `characterUsed` in the answer. */
  readonly characterUsed: number;
}

/** Creates with an idempotency key of the last 24 hours, at most {@link IDEMPOTENCY_KEYS_MAX}. The oldest are dropped first. */
export class RememberedCreates {
  /** By the digest of the key, in the order in which they came. */
  readonly #byKey = new Map<string, RememberedCreate>();

  /** Number of creates that are kept. */
  get size(): number {
    return this.#byKey.size;
  }

  /** The create with this key less than 24 hours ago; undefined if there is none. */
  find(key: string, nowMs: number): RememberedCreate | undefined {
    const known = this.#byKey.get(key);
    return known === undefined || isOver(known, nowMs) ? undefined : known;
  }

  add(create: RememberedCreate): void {
    this.#byKey.delete(create.key);
    this.#byKey.set(create.key, create);
    for (const oldest of this.#byKey.values()) {
      if (this.#byKey.size <= IDEMPOTENCY_KEYS_MAX && !isOver(oldest, create.createdAtMs)) return;
      this.#byKey.delete(oldest.key);
    }
  }

  /** All creates that are kept, in the order in which they came. */
  all(): RememberedCreate[] {
    return [...this.#byKey.values()];
  }

  /** Removes creates that {@link all} has returned. */
  forget(creates: Iterable<RememberedCreate>): void {
    for (const create of creates) if (this.#byKey.get(create.key) === create) this.#byKey.delete(create.key);
  }
}

function isOver({ createdAtMs }: RememberedCreate, nowMs: number): boolean {
  return nowMs - createdAtMs >= IDEMPOTENCY_MS;
}
