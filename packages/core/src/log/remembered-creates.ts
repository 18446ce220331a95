import { IDEMPOTENCY_KEYS_MAX, IDEMPOTENCY_MS } from "../model/limits.ts";

/** A create that came with a key: enough to give its answer again to whoever has the same body, and no text. */
export interface RememberedCreate {
  /** Digest of the key. */
  readonly key: string;
  /** Digest of what was to be created. */
  readonly body: string;
  /** Of the article. */
  readonly id: string;
  readonly createdAtMs: number;
  /** What the answer said. */
  readonly characterUsed: number;
}

/** The creates with a key of the last 24 hours, as many as are kept. */
export class RememberedCreates {
  /** In the order in which they came. */
  readonly #byKey = new Map<string, RememberedCreate>();

  /** How many are known. */
  get size(): number {
    return this.#byKey.size;
  }

  /** What was created with this key less than 24 hours ago. */
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

  /** In the order in which they came. */
  all(): RememberedCreate[] {
    return [...this.#byKey.values()];
  }

  clear(): void {
    this.#byKey.clear();
  }
}

function isOver({ createdAtMs }: RememberedCreate, nowMs: number): boolean {
  return nowMs - createdAtMs >= IDEMPOTENCY_MS;
}
