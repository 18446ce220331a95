/** A node's handle of a store in a `SimulatedDatabase`. */

import { Running } from "../src/platform/running.ts";
import { SerialQueue } from "../src/scheduling/serial-queue.ts";
import type { BlockStore } from "../src/storage/block-store.ts";
import { loadedFrom } from "../src/storage/memory-storage.ts";
import {
  checkCacheName,
  checkPayload,
  checkSnapshotSequence,
  storeClosed,
  storeNotRecovered,
  storeRecoveredTwice,
} from "../src/storage/port-rules.ts";
import { checkSections } from "../src/storage/snapshot.ts";
import type {
  Lease,
  Purged,
  PurgeSnapshot,
  RecoveryReport,
  RecoveryVisitor,
  SharedStore,
  SnapshotSection,
  Store,
} from "../src/storage/store.ts";
import { type Ask, SimulatedBlocks } from "./simulated-blocks.ts";
import { SimulatedHistory } from "./simulated-history.ts";
import type { SimulatedLine } from "./simulated-server.ts";
import type { StoreTables } from "./simulated-tables.ts";

/** Implements {@link Store} with {@link SharedStore}. `sizes` reads the database without a round trip. */
export class SimulatedStore implements Store {
  readonly shared: SharedStore = {
    head: () => this.#history.head,
    follow: (record, purged) => this.#counted(() => this.#history.follow(record, purged)),
    lease: (job, ms) => this.#counted(() => this.#lease(job, ms)),
  };
  readonly #line: SimulatedLine;
  readonly #history: SimulatedHistory;
  readonly #tables: StoreTables;
  readonly #snapshots = new SerialQueue();
  readonly #running = new Running();
  readonly #blocks = new Map<string, SimulatedBlocks>();
  readonly #onClosed: () => void;
  readonly #ask: Ask = (work) => this.#running.add(this.#history.ask(work));
  #state: "new" | "recovering" | "open" | "closed" = "new";

  /** @param find finds the store by its name; undefined if it was removed */
  constructor(line: SimulatedLine, tables: StoreTables, find: () => StoreTables | undefined, onClosed: () => void) {
    this.#line = line;
    this.#tables = tables;
    this.#history = new SimulatedHistory(line, find, tables);
    this.#onClosed = onClosed;
  }

  async recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state !== "new") throw storeRecoveredTwice();
    this.#state = "recovering";
    try {
      return await this.#running.add(this.#recover(visitor));
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async append(payload: Uint8Array, onFailed?: () => void): Promise<number> {
    try {
      this.#refuseUnlessOpen();
      checkPayload(payload);
    } catch (error) {
      onFailed?.();
      throw error;
    }
    return this.#history.append(payload, onFailed);
  }

  async writeSnapshot(
    sequence: number,
    sections: readonly SnapshotSection[],
    again = false,
  ): Promise<readonly string[]> {
    this.#refuseUnlessOpen();
    checkSnapshotSequence(sequence, this.#history.lastSequence);
    checkSections(sections);
    if (sequence === 0) return [];
    return this.#snapshots.run(async () => {
      const loaded = await loadedFrom({ sequence, sections });
      await this.#history.addSnapshot(loaded, again);
      return [];
    });
  }

  async purge(contents: (through: number) => Promise<PurgeSnapshot>): Promise<Purged> {
    this.#refuseUnlessOpen();
    return this.#snapshots.run(async () => {
      await this.#history.settled();
      const first = await contents(this.#history.lastSequence);
      checkSnapshotSequence(first.sequence, this.#history.lastSequence);
      checkSections(first.sections);
      const loaded = await loadedFrom(first);
      const labels = new Map(
        [...this.#blocks].flatMap(([name, { openLabel }]) =>
          openLabel === undefined ? [] : [[name, openLabel] as const],
        ),
      );
      const { erasesThrough = first.sequence } = first;
      const bytes = await this.#history.purge((tables) => tables.purge(loaded, labels, erasesThrough));
      return { files: 0, bytes, foreign: [] };
    });
  }

  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number } {
    const { logBytes, snapshot, totalBytes } = this.#tables;
    return { logBytesSinceSnapshot: logBytes, snapshotBytes: snapshot?.bytes ?? 0, totalBytes };
  }

  async writeCache(name: string, bytes: Uint8Array): Promise<void> {
    this.#refuseUnlessOpen();
    checkCacheName(name);
    const copy = bytes.slice();
    await this.#ask((tables) => tables.caches.set(name, copy));
  }

  async readCache(name: string): Promise<Uint8Array | undefined> {
    this.#refuseUnlessOpen();
    checkCacheName(name);
    return this.#ask((tables) => tables.caches.get(name)?.slice());
  }

  blocks(name: string): BlockStore {
    this.#refuseUnlessOpen();
    checkCacheName(name);
    const blocks = this.#blocks.get(name) ?? new SimulatedBlocks(this.#ask, name, this.#line.server.newNumber);
    this.#blocks.set(name, blocks);
    return blocks;
  }

  async close(): Promise<void> {
    this.#state = "closed";
    await Promise.all([this.#history.settled(), this.#snapshots.settled(), this.#running.settled()]);
    this.#end();
  }

  async #recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    const { snapshot, records, base } = await this.#history.begin();
    if (snapshot !== undefined) await visitor.snapshot(snapshot);
    for (const record of records) {
      await visitor.record(record.sequence, record.payload.slice());
      this.#history.passed(record);
    }
    // It may have been closed meanwhile.
    if (this.#state === "recovering") this.#state = "open";
    const snapshotSequence = snapshot?.sequence ?? 0;
    return {
      lastSequence: this.#history.lastSequence,
      snapshotSequence,
      replayedRecords: records.length,
      tornBytes: 0,
      damagedSnapshots: 0,
      ...(base.sequence < snapshotSequence ? { keptAfter: base.sequence } : {}),
    };
  }

  async #lease(job: string, ms: number): Promise<Lease | undefined> {
    checkCacheName(job);
    const token = await this.#ask((tables) => tables.lease(job, this.#line.server.nowMs(), ms));
    if (token === undefined) return undefined;
    let isReleased = false;
    const renew = async (forMs: number): Promise<boolean> =>
      !isReleased && this.#ask((tables) => tables.renew(job, token, this.#line.server.nowMs(), forMs));
    const release = async (): Promise<void> => {
      const ended = renew(0);
      isReleased = true;
      await ended.catch(() => undefined);
    };
    return { token, renew, release };
  }

  async #counted<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#refuseUnlessOpen();
    return this.#running.add(work());
  }

  #end(): void {
    this.#state = "closed";
    for (const blocks of this.#blocks.values()) blocks.close();
    this.#onClosed();
  }

  #refuseUnlessOpen(): void {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state !== "open") throw storeNotRecovered();
  }
}
