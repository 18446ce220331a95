/** Stores that write nothing, for an engine without a directory, whose state in memory is its only data. */

import { LoredexError } from "../model/errors.ts";
import { scheduler } from "../scheduling/scheduler.ts";
import type { BlockStore } from "./block-store.ts";
import { MemoryBlocks } from "./memory-blocks.ts";
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
import type {
  Creation,
  FirstSnapshot,
  LoadedSection,
  LoadedSnapshot,
  Purged,
  RecoveryReport,
  RecoveryVisitor,
  SalvageVisitor,
  Storage,
  Store,
  StoreCondition,
  StoreSalvage,
} from "./store.ts";

const WHOLE: StoreCondition = { files: 0, bytes: 0, records: 0, lastSequence: 0, tornBytes: 0, problems: [] };

/** Numbers records and forgets them. A reopened store is as it was created. */
class MemoryStore implements Store {
  #state: "new" | "open" | "closed" = "new";
  #yielding: Promise<void> | undefined;
  #sequence = 0;
  readonly #caches = new Map<string, Uint8Array>();
  readonly #blocks = new Map<string, MemoryBlocks>();
  readonly #first: LoadedSnapshot | undefined;
  readonly #onClosed: () => void;

  constructor(first: LoadedSnapshot | undefined, onClosed: () => void) {
    this.#first = first;
    this.#onClosed = onClosed;
  }

  async recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state === "open") throw storeRecoveredTwice();
    this.#state = "open";
    if (this.#first !== undefined) await visitor.snapshot(this.#first);
    this.#sequence = this.#first?.sequence ?? 0;
    const counts = { replayedRecords: 0, tornBytes: 0, damagedSnapshots: 0 };
    return { lastSequence: this.#sequence, snapshotSequence: this.#sequence, ...counts };
  }

  async append(payload: Uint8Array, onFailed?: () => void): Promise<number> {
    try {
      this.#refuseUnlessOpen();
      checkPayload(payload);
    } catch (error) {
      onFailed?.();
      throw error;
    }
    this.#sequence += 1;
    const sequence = this.#sequence;
    // A write to the disk yields to other work. A loop of writes to memory would let no timer run, so it yields now and then. Appends keep their order.
    if (sequence % SLICE_APPENDS === 0 && this.#yielding === undefined) {
      this.#yielding = scheduler.background().then(() => {
        this.#yielding = undefined;
      });
    }
    await this.#yielding;
    return sequence;
  }

  async writeSnapshot(sequence: number): Promise<readonly string[]> {
    this.#refuseUnlessOpen();
    checkSnapshotSequence(sequence, this.#sequence);
    return [];
  }

  /** Deletes the caches. Nothing else is stored. */
  async purge(contents: (through: number) => Promise<FirstSnapshot>): Promise<Purged> {
    this.#refuseUnlessOpen();
    await contents(this.#sequence);
    this.#caches.clear();
    return { files: 0, bytes: 0, foreign: [] };
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

  blocks(name: string): BlockStore {
    this.#refuseUnlessOpen();
    checkCacheName(name);
    const blocks = this.#blocks.get(name) ?? new MemoryBlocks();
    this.#blocks.set(name, blocks);
    return blocks;
  }

  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number } {
    return { logBytesSinceSnapshot: 0, snapshotBytes: 0, totalBytes: 0 };
  }

  async close(): Promise<void> {
    if (this.#state === "closed") return;
    this.#state = "closed";
    for (const blocks of this.#blocks.values()) blocks.close();
    this.#onClosed();
  }

  #refuseUnlessOpen(): void {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state === "new") throw storeNotRecovered();
  }
}

/** The number of appends between two yields. */
const SLICE_APPENDS = 16;

class MemoryStorage implements Storage {
  /** The first snapshot of each store. */
  readonly #existing = new Map<string, LoadedSnapshot | undefined>();
  readonly #names = new StoreNames();

  create(name: string, first?: FirstSnapshot, { check, replaces = false }: Creation = {}): Promise<void> {
    return this.#names.during(name, async () => {
      if (this.#existing.has(name) && !replaces) throw misuse(`There is a store "${name}" already.`);
      const snapshot = first === undefined || first.sequence === 0 ? undefined : await loadedFrom(first);
      await check?.(new MemoryStore(snapshot, () => undefined));
      this.#existing.set(name, snapshot);
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
    return new MemoryStore(this.#existing.get(name), () => this.#names.free(name));
  }

  /** Reports no damage, since memory is always whole. */
  async verify(name: string): Promise<StoreCondition> {
    return this.#condition(name);
  }

  salvage(name: string, visitor: SalvageVisitor): Promise<StoreSalvage> {
    return this.#names.during(name, async () => {
      const first = this.#existing.get(name);
      for (const section of first?.sections.values() ?? []) await visitor.section(section, first?.sequence ?? 0);
      const condition = this.#condition(name);
      return { missing: [], condition, logProblems: condition.problems };
    });
  }

  #condition(name: string): StoreCondition {
    this.#names.check(name);
    const missing = { file: name, offset: 0, sequence: 1, reason: "it is missing" };
    return this.#existing.has(name) ? WHOLE : { ...WHOLE, problems: [missing] };
  }

  async requireAccess(name: string): Promise<void> {
    this.#names.check(name);
  }

  async requireWritable(): Promise<void> {
    this.#names.refuseIfClosed();
  }

  remove(name: string): Promise<void> {
    return this.#names.during(name, () => {
      this.#existing.delete(name);
    });
  }

  async list(): Promise<string[]> {
    this.#names.refuseIfClosed();
    return [...this.#existing.keys()];
  }

  async close(): Promise<void> {
    this.#names.close();
  }
}

/** Reads the sections of a snapshot into memory. @throws the error of a section's source */
export async function loadedFrom({ sequence, sections }: FirstSnapshot): Promise<LoadedSnapshot> {
  const all = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of sections) {
    const pieces: Uint8Array[] = [];
    for await (const piece of chunks) pieces.push(piece.slice());
    all.set(name, { name, version, bytes: Buffer.concat(pieces) });
  }
  return { sequence, sections: all };
}

/** Opens an empty storage in memory. Closing it loses all its stores. */
export function openMemoryStorage(): Storage {
  return new MemoryStorage();
}
