import { LoredexError } from "../../src/model/errors.ts";
import type {
  FirstSnapshot,
  LoadedSection,
  LoadedSnapshot,
  Purged,
  RecoveryReport,
  RecoveryVisitor,
  SnapshotSection,
  Storage,
  Store,
  StoreCondition,
  StoreSalvage,
} from "../../src/storage/store.ts";

interface Kept {
  records: Uint8Array[];
  snapshot: LoadedSnapshot | undefined;
  readonly caches: Map<string, Uint8Array>;
}

/** Stores that live as long as the test: what was appended is there when a store is opened again. Appends can be held up and made to fail. */
export class KeptStorage implements Storage {
  readonly kept = new Map<string, Kept>();
  /** Fails the next append, and with it those in flight. */
  failNext: LoredexError | undefined;
  /** Appends wait for this before they are durable. */
  gate: Promise<void> = Promise.resolve();
  /** Snapshots wait for this before they are there. */
  untilSnapshot: () => Promise<void> = () => Promise.resolve();
  appended = 0;
  /** Appends that are not durable yet. */
  waiting = 0;

  async create(name: string): Promise<void> {
    this.kept.set(name, { records: [], snapshot: undefined, caches: new Map() });
  }
  async exists(name: string): Promise<boolean> {
    return this.kept.has(name);
  }
  async open(name: string): Promise<Store> {
    const kept = this.kept.get(name);
    if (kept === undefined) throw new LoredexError("CORRUPT", `${name} is missing`);
    return new KeptStore(kept, this);
  }
  async requireAccess(): Promise<void> {}
  async requireWritable(): Promise<void> {}
  async remove(name: string): Promise<void> {
    this.kept.delete(name);
  }
  async list(): Promise<string[]> {
    return [...this.kept.keys()];
  }
  async verify(): Promise<StoreCondition> {
    return { files: 0, bytes: 0, records: 0, lastSequence: 0, tornBytes: 0, problems: [] };
  }
  async salvage(): Promise<StoreSalvage> {
    return { missing: [], condition: await this.verify(), logProblems: [] };
  }
  async close(): Promise<void> {}
}

class KeptStore implements Store {
  #inFlight: {
    payload: Uint8Array;
    resolve: (sequence: number) => void;
    reject: (error: unknown) => void;
    onFailed: (() => void) | undefined;
  }[] = [];
  #flushing: Promise<void> | undefined;

  constructor(
    readonly kept: Kept,
    readonly storage: KeptStorage,
  ) {}

  async recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    const { snapshot, records } = this.kept;
    if (snapshot !== undefined) await visitor.snapshot(snapshot);
    const first = snapshot?.sequence ?? 0;
    for (const [i, payload] of records.entries()) if (i >= first) await visitor.record(i + 1, payload);
    const replayedRecords = records.length - first;
    return {
      lastSequence: records.length,
      snapshotSequence: first,
      replayedRecords,
      tornBytes: 0,
      damagedSnapshots: 0,
    };
  }

  append(payload: Uint8Array, onFailed?: () => void): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#inFlight.push({ payload, resolve, reject, onFailed });
      this.storage.waiting += 1;
      this.#flushing ??= this.#flush();
    });
  }

  async writeSnapshot(sequence: number, sections: readonly SnapshotSection[]): Promise<readonly string[]> {
    const loaded = new Map<string, LoadedSection>();
    for (const { name, version, chunks } of sections) {
      const windows: Uint8Array[] = [];
      for await (const chunk of chunks) windows.push(chunk);
      loaded.set(name, { name, version, bytes: Buffer.concat(windows) });
    }
    await this.storage.untilSnapshot();
    this.kept.snapshot = { sequence, sections: loaded };
    return [];
  }

  async purge(contents: (through: number) => Promise<FirstSnapshot>): Promise<Purged> {
    const { sequence, sections } = await contents(this.kept.records.length);
    await this.writeSnapshot(sequence, sections);
    this.kept.caches.clear();
    return { files: 0, bytes: 0, foreign: [] };
  }

  async writeCache(name: string, bytes: Uint8Array): Promise<void> {
    this.kept.caches.set(name, bytes.slice());
  }

  async readCache(name: string): Promise<Uint8Array | undefined> {
    return this.kept.caches.get(name);
  }

  sizes(): { logBytesSinceSnapshot: number; snapshotBytes: number; totalBytes: number } {
    return { logBytesSinceSnapshot: 0, snapshotBytes: 0, totalBytes: 0 };
  }

  async close(): Promise<void> {
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    await Promise.resolve();
    await this.storage.gate;
    const batch = this.#inFlight.splice(0);
    this.storage.waiting -= batch.length;
    this.#flushing = undefined;
    const failure = this.storage.failNext;
    this.storage.failNext = undefined;
    if (failure !== undefined) for (const { onFailed } of batch) onFailed?.();
    for (const { payload, resolve, reject } of batch) {
      if (failure !== undefined) reject(failure);
      else {
        this.storage.appended += 1;
        resolve(this.kept.records.push(payload.slice()));
      }
    }
  }
}
