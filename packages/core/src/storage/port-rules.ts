/** Checks and errors that all implementations of the storage port share. */

import { LoredexError } from "../model/errors.ts";
import { RECORD_BYTES_MAX } from "../model/limits.ts";

const STORE_NAME_CHARACTERS_MAX = 64;
const STORE_NAME = /^[a-z0-9-]+$/;
const CACHE_NAME = /^[a-z-]{1,64}$/;

/** The error for a use of the storage that its port forbids. */
export function misuse(message: string): LoredexError {
  return new LoredexError("STORAGE_FAILED", message);
}

export function storeClosed(): LoredexError {
  return new LoredexError("CLOSED", "The store is closed.");
}

export function storeNotRecovered(): LoredexError {
  return misuse("A store must be recovered before it is used.");
}

export function storeRecoveredTwice(): LoredexError {
  return misuse("A store is recovered only once.");
}

/** Whether a name is a valid store name: 1 to 64 lower-case letters, digits and dashes. */
export function isStoreName(name: string): boolean {
  return STORE_NAME.test(name) && name.length <= STORE_NAME_CHARACTERS_MAX;
}

function checkStoreName(name: string): void {
  if (!isStoreName(name)) {
    throw misuse(
      `"${name}" cannot be a store: use 1 to ${STORE_NAME_CHARACTERS_MAX} lower-case letters, digits and dashes.`,
    );
  }
}

/** Throws unless a name is a valid cache or blocks name. */
export function checkCacheName(name: string): void {
  if (!CACHE_NAME.test(name)) throw misuse(`"${name}" cannot be a cache: use lower-case letters and dashes.`);
}

/** Throws unless a payload has 1 to `RECORD_BYTES_MAX` bytes. */
export function checkPayload(payload: Uint8Array): void {
  if (payload.length < 1 || payload.length > RECORD_BYTES_MAX) {
    throw misuse(`A log record has 1 to ${RECORD_BYTES_MAX} bytes; this one has ${payload.length}. Split it.`);
  }
}

/** Throws unless record `sequence` was appended; 0 is the empty history. */
export function checkSnapshotSequence(sequence: number, lastSequence: number): void {
  if (!Number.isSafeInteger(sequence) || sequence < 0 || sequence > lastSequence) {
    throw misuse(`Record ${sequence} was not appended: the last one is ${lastSequence}.`);
  }
}

/** The names of stores in use, so that no two operations run on one store at once. */
export class StoreNames {
  readonly #inUse = new Set<string>();
  #closed = false;

  /** Takes a name until {@link free}; throws if it is taken. */
  take(name: string): void {
    this.check(name);
    if (this.#inUse.has(name)) throw misuse(`The store "${name}" is in use; close it first.`);
    this.#inUse.add(name);
  }

  free(name: string): void {
    this.#inUse.delete(name);
  }

  /** Holds a name while `work` runs. */
  async during<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    this.take(name);
    try {
      return await work();
    } finally {
      this.free(name);
    }
  }

  /** Throws if the storage is closed or the name is impossible. */
  check(name: string): void {
    this.refuseIfClosed();
    checkStoreName(name);
  }

  refuseIfClosed(): void {
    if (this.#closed) throw new LoredexError("CLOSED", "The storage is closed.");
  }

  /** Closes the storage. Returns whether this call did it. Throws while a store is in use. */
  close(): boolean {
    if (this.#closed) return false;
    if (this.#inUse.size > 0) {
      throw misuse(`The storage cannot be closed while stores are in use: ${[...this.#inUse].join(", ")}.`);
    }
    this.#closed = true;
    return true;
  }
}
