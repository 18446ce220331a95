import type { Time } from "../../../src/web/time.ts";

/** Time that passes only where somebody waits: at once. Limits pass when the test says so. */
export class TestTime implements Time {
  readonly waits: number[] = [];
  readonly #limits = new Set<{ readonly ms: number; readonly onPassed: () => void }>();
  #onLimit: ((ms: number) => void) | undefined;
  #nowMs = 1_800_000_000_000;

  nowMs(): number {
    return this.#nowMs;
  }

  async wait(ms: number): Promise<void> {
    this.waits.push(ms);
    this.#nowMs += ms;
  }

  limit(ms: number, onPassed: () => void): () => void {
    const limit = { ms, onPassed };
    this.#limits.add(limit);
    this.#onLimit?.(ms);
    return () => this.#limits.delete(limit);
  }

  /** Lets the time of a limit pass as soon as one of that length is set. */
  passWhenSet(ms: number): void {
    this.#onLimit = (set) => {
      if (set === ms) setImmediate(() => this.pass(ms));
    };
  }

  /** Lets so much time pass for all limits that stand. */
  pass(ms: number): void {
    for (const limit of [...this.#limits]) {
      if (limit.ms > ms || !this.#limits.delete(limit)) continue;
      limit.onPassed();
    }
  }

  get limitsLeft(): number {
    return this.#limits.size;
  }
}
