/** Stores that keep nothing, for an engine without a directory: its state in memory is all there is. */

import { LoredexError } from "../errors.ts";
import { misuse } from "./disk-errors.ts";
import { checkPayload } from "./record-bounds.ts";
import type { RecoveryReport, Storage, Store } from "./store.ts";

const EMPTY_HISTORY: RecoveryReport = {
  lastSequence: 0,
  snapshotSequence: 0,
  replayedRecords: 0,
  tornBytes: 0,
  damagedSnapshots: 0,
};

/** Numbers records and forgets them; a store that is opened again is empty. */
class MemoryStore implements Store {
  #state: "new" | "open" | "closed" = "new";
  #sequence = 0;
  readonly #onClosed: () => void;

  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  async recover(): Promise<RecoveryReport> {
    if (this.#state === "closed") throw closed();
    if (this.#state === "open") throw misuse("A store is recovered only once.");
    this.#state = "open";
    return EMPTY_HISTORY;
  }

  async append(payload: Uint8Array): Promise<number> {
    this.#refuseUnlessOpen();
    checkPayload(payload);
    this.#sequence += 1;
    return this.#sequence;
  }

  async writeSnapshot(sequence: number): Promise<void> {
    this.#refuseUnlessOpen();
    if (!Number.isSafeInteger(sequence) || sequence < 0 || sequence > this.#sequence) {
      throw misuse(`Record ${sequence} was not appended: the last one is ${this.#sequence}.`);
    }
  }

  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number } {
    return { logBytesSinceSnapshot: 0, snapshotBytes: 0, totalBytes: 0 };
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#onClosed();
  }

  #refuseUnlessOpen(): void {
    if (this.#state === "closed") throw closed();
    if (this.#state === "new") throw misuse("A store must be recovered before it is used.");
  }
}

function closed(): LoredexError {
  return new LoredexError("CLOSED", "The store is closed.");
}

class MemoryStorage implements Storage {
  readonly #names = new Set<string>();
  readonly #open = new Set<string>();
  #closed = false;

  async create(name: string): Promise<void> {
    this.#refuseIfClosed();
    if (this.#names.has(name)) throw misuse(`There is a store "${name}" already.`);
    this.#names.add(name);
  }

  async exists(name: string): Promise<boolean> {
    this.#refuseIfClosed();
    return this.#names.has(name);
  }

  async open(name: string): Promise<Store> {
    this.#refuseIfClosed();
    if (!this.#names.has(name)) throw new LoredexError("CORRUPT", `The store "${name}" is missing.`);
    if (this.#open.has(name)) throw misuse(`The store "${name}" is in use; close it first.`);
    this.#open.add(name);
    return new MemoryStore(() => this.#open.delete(name));
  }

  async remove(name: string): Promise<void> {
    this.#refuseIfClosed();
    if (this.#open.has(name)) throw misuse(`The store "${name}" is in use; close it first.`);
    this.#names.delete(name);
  }

  async list(): Promise<string[]> {
    this.#refuseIfClosed();
    return [...this.#names];
  }

  async close(): Promise<void> {
    if (this.#open.size > 0) {
      throw misuse(`The storage cannot be closed while stores are in use: ${[...this.#open].join(", ")}.`);
    }
    this.#closed = true;
  }

  #refuseIfClosed(): void {
    if (this.#closed) throw new LoredexError("CLOSED", "The storage is closed.");
  }
}

/** A storage that is empty when it is made and gone when it is closed. */
export function openMemoryStorage(): Storage {
  return new MemoryStorage();
}
