/** A storage in memory that survives a restart of the engine, and fails or waits when a test says so. */

import type {
  FirstSnapshot,
  LoadedSection,
  Purged,
  RecoveryReport,
  RecoveryVisitor,
  SnapshotSection,
  Storage,
  Store,
  StoreCondition,
  StoreSalvage,
} from "@loredex/core";

/** What a store holds when nothing is wrong. */
interface History {
  readonly records: { readonly sequence: number; readonly payload: Uint8Array }[];
  snapshot: { readonly sequence: number; readonly sections: ReadonlyMap<string, LoadedSection> } | undefined;
  last: number;
  readonly caches: Map<string, Uint8Array>;
}

export class FaultyStorage implements Storage {
  /** Thrown by every append and snapshot while it is set. */
  fault: Error | undefined;
  /** Stores that cannot be recovered, by name. */
  readonly damaged = new Map<string, Error>();
  readonly #histories = new Map<string, History>();
  #gate: Promise<void> = Promise.resolve();
  #appends = 0;

  /** The stores that were opened, each time they were. */
  readonly opened: string[] = [];

  /** Appends that were asked for so far. */
  get appends(): number {
    return this.#appends;
  }

  /** Makes every append wait until the returned function is called. */
  hold(): () => void {
    let release = () => {};
    this.#gate = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async create(name: string): Promise<void> {
    if (this.#histories.has(name)) throw new Error(`${name} exists`);
    this.#histories.set(name, { records: [], snapshot: undefined, last: 0, caches: new Map() });
  }

  async exists(name: string): Promise<boolean> {
    return this.#histories.has(name);
  }

  async open(name: string): Promise<Store> {
    const damage = this.damaged.get(name);
    if (damage !== undefined) throw damage;
    this.opened.push(name);
    const history = this.#histories.get(name);
    if (history === undefined) throw new Error(`${name} is missing`);
    const counted = () => {
      this.#appends += 1;
    };
    return new FaultyStore(history, counted, async () => {
      await this.#gate;
      if (this.fault !== undefined) throw this.fault;
    });
  }

  async requireAccess(): Promise<void> {}

  async requireWritable(): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
  }

  async remove(name: string): Promise<void> {
    this.#histories.delete(name);
  }

  async list(): Promise<string[]> {
    return [...this.#histories.keys()];
  }

  async verify(): Promise<StoreCondition> {
    return { files: 0, bytes: 0, records: 0, lastSequence: 0, tornBytes: 0, problems: [] };
  }

  async salvage(): Promise<StoreSalvage> {
    return { missing: [], condition: await this.verify(), logProblems: [] };
  }

  async close(): Promise<void> {}
}

class FaultyStore implements Store {
  readonly #history: History;
  readonly #counted: () => void;
  readonly #disk: () => Promise<void>;
  /** The append before: a failed one fails all that wait behind it. */
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(history: History, counted: () => void, disk: () => Promise<void>) {
    this.#history = history;
    this.#counted = counted;
    this.#disk = disk;
  }

  async recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    const { records, snapshot, last } = this.#history;
    if (snapshot !== undefined) await visitor.snapshot(snapshot);
    for (const { sequence, payload } of records) await visitor.record(sequence, payload);
    return {
      lastSequence: last,
      snapshotSequence: snapshot?.sequence ?? 0,
      replayedRecords: records.length,
      tornBytes: 0,
      damagedSnapshots: 0,
    };
  }

  append(payload: Uint8Array): Promise<number> {
    this.#counted();
    const before = this.#waiting === 0 ? Promise.resolve() : this.#queue;
    this.#waiting += 1;
    const kept = payload.slice();
    const appended = before.then(async () => {
      await this.#disk();
      this.#history.last += 1;
      this.#history.records.push({ sequence: this.#history.last, payload: kept });
      return this.#history.last;
    });
    this.#queue = appended;
    return appended.finally(() => {
      this.#waiting -= 1;
    });
  }

  async writeSnapshot(sequence: number, sections: readonly SnapshotSection[]): Promise<readonly string[]> {
    await this.#disk();
    const loaded = new Map<string, LoadedSection>();
    for (const { name, version, chunks } of sections) {
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk.slice());
      loaded.set(name, { name, version, bytes: new Uint8Array(Buffer.concat(parts)) });
    }
    this.#history.snapshot = { sequence, sections: loaded };
    const newer = this.#history.records.filter((record) => record.sequence > sequence);
    this.#history.records.splice(0, this.#history.records.length, ...newer);
    return [];
  }

  async purge(contents: (through: number) => Promise<FirstSnapshot>): Promise<Purged> {
    const { sequence, sections } = await contents(this.#history.last);
    await this.writeSnapshot(sequence, sections);
    this.#history.caches.clear();
    return { files: 0, bytes: 0, foreign: [] };
  }

  async writeCache(name: string, bytes: Uint8Array): Promise<void> {
    await this.#disk();
    this.#history.caches.set(name, bytes.slice());
  }

  async readCache(name: string): Promise<Uint8Array | undefined> {
    return this.#history.caches.get(name);
  }

  sizes(): { logBytesSinceSnapshot: number; snapshotBytes: number; totalBytes: number } {
    const logBytesSinceSnapshot = this.#history.records.reduce((sum, { payload }) => sum + payload.byteLength, 0);
    return { logBytesSinceSnapshot, snapshotBytes: 0, totalBytes: logBytesSinceSnapshot };
  }

  async close(): Promise<void> {
    await this.#queue.catch(() => {});
  }
}
