/** Stores that keep nothing, for an engine without a directory: its state in memory is all there is. */

import { LoredexError } from "../errors.ts";
import {
  checkCacheName,
  checkPayload,
  checkSnapshotSequence,
  misuse,
  StoreNames,
  storeClosed,
  storeNotRecovered,
  storeRecoveredTwice,
} from "./port-rules.ts";
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
  readonly #caches = new Map<string, Uint8Array>();
  readonly #onClosed: () => void;

  constructor(onClosed: () => void) {
    this.#onClosed = onClosed;
  }

  async recover(): Promise<RecoveryReport> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state === "open") throw storeRecoveredTwice();
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
    checkSnapshotSequence(sequence, this.#sequence);
  }

  async writeCache(name: string, bytes: Uint8Array): Promise<void> {
    this.#refuseUnlessOpen();
    checkCacheName(name);
    this.#caches.set(name, bytes.slice());
  }

  async readCache(name: string): Promise<Uint8Array | undefined> {
    this.#refuseUnlessOpen();
    checkCacheName(name);
    return this.#caches.get(name)?.slice();
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
    if (this.#state === "closed") throw storeClosed();
    if (this.#state === "new") throw storeNotRecovered();
  }
}

class MemoryStorage implements Storage {
  readonly #existing = new Set<string>();
  readonly #names = new StoreNames();

  create(name: string): Promise<void> {
    return this.#names.during(name, () => {
      if (this.#existing.has(name)) throw misuse(`There is a store "${name}" already.`);
      this.#existing.add(name);
    });
  }

  async exists(name: string): Promise<boolean> {
    this.#names.check(name);
    return this.#existing.has(name);
  }

  async open(name: string): Promise<Store> {
    this.#names.check(name);
    if (!this.#existing.has(name)) throw new LoredexError("CORRUPT", `The store "${name}" is missing.`);
    this.#names.take(name);
    return new MemoryStore(() => this.#names.free(name));
  }

  remove(name: string): Promise<void> {
    return this.#names.during(name, () => {
      this.#existing.delete(name);
    });
  }

  async list(): Promise<string[]> {
    this.#names.refuseIfClosed();
    return [...this.#existing];
  }

  async close(): Promise<void> {
    this.#names.close();
  }
}

/** A storage that is empty when it is made and gone when it is closed. */
export function openMemoryStorage(): Storage {
  return new MemoryStorage();
}
