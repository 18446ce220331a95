import { LoredexError } from "../../src/model/errors.ts";

interface Append {
  readonly payload: Uint8Array;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
  readonly onFailed: () => void;
}

/** A log whose appends wait until the test says how they end. */
export class UncertainLog {
  readonly durable: Uint8Array[] = [];
  /** The next append is refused at once, alone. */
  refuseNext = false;
  #waiting: Append[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  append(payload: Uint8Array, onFailed: () => void): Promise<number> {
    if (this.refuseNext) {
      this.refuseNext = false;
      onFailed();
      return Promise.reject(new LoredexError("STORAGE_FAILED", "refused"));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ payload, resolve, reject, onFailed });
    });
  }

  /** The oldest appends become durable. */
  keep(count: number): void {
    for (const { payload, resolve } of this.#waiting.splice(0, count)) resolve(this.durable.push(payload));
  }

  /** Everything in flight fails. */
  failAll(): void {
    this.#fail(this.#waiting.splice(0));
  }

  /** One of those in flight fails and the others go on: more than any storage may do. */
  failOne(at: number): void {
    this.#fail(this.#waiting.splice(at % Math.max(1, this.#waiting.length), 1));
  }

  #fail(appends: readonly Append[]): void {
    for (const { onFailed } of appends) onFailed();
    for (const { reject } of appends) reject(new LoredexError("DISK_FULL", "no room"));
  }
}
