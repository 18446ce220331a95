import { randomUUID } from "node:crypto";
import {
  type BlockStore,
  type Purged,
  type PurgeSnapshot,
  type RecoveryReport,
  type RecoveryVisitor,
  type SharedStore,
  type SnapshotSection,
  type Store,
  storageKit,
} from "@loredex/core";
import { BlockRows } from "./blocks.ts";
import type { Place } from "./chain.ts";
import type { Database } from "./database.ts";
import type { Head, Heads } from "./heads.ts";
import { History } from "./history.ts";
import { lease } from "./leases.ts";
import { type Objects, SNAPSHOTS_KEPT, sizeOf } from "./objects.ts";
import { deleteInPieces } from "./pieces.ts";
import { headIn, prunedIn, recover } from "./recover.ts";

/** What the stores of a storage share. */
export interface StoreDeps {
  readonly database: Database;
  readonly heads: Heads;
  readonly objects: Objects;
}

/** A store of one handle. */
export class PostgresStore implements Store {
  readonly shared: SharedStore = {
    follow: async (record, purged) => {
      this.#refuseUnlessOpen();
      await this.#running.add(this.#history.follow(record, purged).then(() => this.#countKeptByOthers()));
    },
    head: () => `${this.#id} ${this.#history.place.digest.toString("hex")}`,
    lease: (job, ms) => this.#onHistory(job, () => lease(this.#deps.database, this.#id, job, ms)),
  };
  readonly #deps: StoreDeps;
  readonly #id: string;
  readonly #onClosed: () => void;
  readonly #running = new storageKit.Running();
  readonly #snapshots = new storageKit.SerialQueue();
  readonly #blocks = new Map<string, BlockRows>();
  #state: "new" | "recovering" | "open" | "closed" = "new";
  #known: History | undefined;
  /** Bytes of the records that were deleted. */
  #prunedEnds = 0;
  /** Bytes of the snapshots that are kept. */
  #keptBytes = 0;
  /** The history and its newest snapshot of that count. */
  #counted = { generation: "", sequence: 0 };
  #closing: Promise<void> | undefined;
  #isEnded = false;

  constructor(deps: StoreDeps, id: string, onClosed: () => void) {
    this.#deps = deps;
    this.#id = id;
    this.#onClosed = onClosed;
  }

  async recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    if (this.#state === "closed") throw storageKit.storeClosed();
    if (this.#state !== "new") throw storageKit.storeRecoveredTwice();
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
      storageKit.checkPayload(payload);
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
    storageKit.checkSnapshotSequence(sequence, this.#history.place.sequence);
    storageKit.checkSections(sections);
    return this.#snapshots.run(() => this.#writeSnapshot(sequence, sections, again));
  }

  async purge(contents: (through: number) => Promise<PurgeSnapshot>): Promise<Purged> {
    this.#refuseUnlessOpen();
    return this.#snapshots.run(() => this.#purge(contents));
  }

  sizes(): { readonly logBytesSinceSnapshot: number; readonly snapshotBytes: number; readonly totalBytes: number } {
    const { place, snapshot } = this.#history;
    const blockBytes = [...this.#blocks.values()].reduce((sum, blocks) => sum + blocks.sizes().bytes, 0);
    return {
      logBytesSinceSnapshot: Math.max(0, place.ends - snapshot.ends),
      snapshotBytes: snapshot.bytes,
      totalBytes: place.ends - this.#prunedEnds + this.#keptBytes + blockBytes,
    };
  }

  writeCache(name: string, bytes: Uint8Array): Promise<void> {
    return this.#onHistory(name, () => this.#deps.objects.writeCache(this.#history.identity, name, bytes));
  }

  readCache(name: string): Promise<Uint8Array | undefined> {
    return this.#onHistory(name, () => this.#deps.objects.readCache(this.#history.identity, name));
  }

  blocks(name: string): BlockStore {
    this.#refuseUnlessOpen();
    storageKit.checkCacheName(name);
    const blocks =
      this.#blocks.get(name) ?? new BlockRows(this.#deps.database, this.#id, name, this.#deps.objects.cache);
    this.#blocks.set(name, blocks);
    return blocks;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#state = "closed";
    await Promise.all([this.#known?.settled(), this.#snapshots.settled(), this.#running.settled()]);
    await Promise.all([...this.#blocks.values()].map((blocks) => blocks.close()));
    this.#end();
  }

  async #recover(visitor: RecoveryVisitor): Promise<RecoveryReport> {
    const { database, heads, objects } = this.#deps;
    const { head, place, prunedEnds, keptBytes, report } = await recover(database, objects, this.#id, visitor);
    this.#known = new History(database, heads, this.#id, head, place);
    this.#prunedEnds = prunedEnds;
    this.#keptBytes = keptBytes;
    this.#counted = { generation: head.generation, sequence: head.snapshot.sequence };
    void objects.cache?.sweepStore(this.#id);
    // It may have been closed meanwhile.
    if (this.#state === "recovering") this.#state = "open";
    return report;
  }

  async #writeSnapshot(
    sequence: number,
    sections: readonly SnapshotSection[],
    again: boolean,
  ): Promise<readonly string[]> {
    const { objects } = this.#deps;
    const { identity } = this.#history;
    this.#history.refuseIfUseless();
    const place = await this.#placeOf(sequence, again);
    if (place === undefined) return [];
    const { object, bytes, tooLong } = await objects.writeSnapshot(identity, place, sections);
    if (!(await objects.completeSnapshot(identity, object, sizeOf(place, bytes), again))) {
      // Another node was quicker with a later one, which is no fault; or it has purged.
      await this.#history.currentHead();
      return tooLong;
    }
    this.#history.wroteSnapshot(sizeOf(place, bytes));
    await objects.prune(identity);
    await this.#countKept();
    return tooLong;
  }

  /** The place of a record; undefined if a snapshot covers it already, or if another node has purged. */
  async #placeOf(sequence: number, again: boolean): Promise<Place | undefined> {
    const head = await this.#history.currentHead();
    const isPurged = head.generation !== this.#history.identity.generation;
    const isCovered = head.snapshot.sequence > sequence || (head.snapshot.sequence === sequence && !again);
    return isPurged || isCovered ? undefined : this.#placeIn(sequence);
  }

  async #placeIn(sequence: number): Promise<Place> {
    if (sequence === this.#history.place.sequence) return this.#history.place;
    const { database } = this.#deps;
    const rows = await database.ask<Place>(
      `select sequence, digest, ends from ${database.table("records")} where store = $1 and sequence = $2`,
      [this.#id, sequence],
    );
    if (rows[0] === undefined) throw storageKit.misuse(`Record ${sequence} is not stored any more.`);
    return rows[0];
  }

  async #purge(contents: (through: number) => Promise<PurgeSnapshot>): Promise<Purged> {
    const { objects } = this.#deps;
    await this.#history.settled();
    this.#history.refuseIfUseless();
    const { place } = this.#history;
    const first = await contents(place.sequence);
    storageKit.checkSnapshotSequence(first.sequence, this.#history.place.sequence);
    storageKit.checkSections(first.sections);
    const snapshotPlace = await this.#placeIn(first.sequence);
    const generation = randomUUID();
    const before = this.#history.identity;
    const { object, bytes } = await objects.writeSnapshot({ ...before, generation }, snapshotPlace, first.sections);
    await this.#history.change(() => this.#newGeneration(generation, object, snapshotPlace, bytes));
    const identity = this.#history.identity;
    const { sequence, erasesThrough = sequence } = first;
    let deleted = await objects.removeAllBut(identity, before.generation, { object, sequence }, erasesThrough);
    deleted += await this.#purgeBlocks();
    await objects.cache?.sweepStore(this.#id);
    await this.#countKept();
    return { files: 0, bytes: deleted, foreign: [] };
  }

  /**
   * Makes the snapshot of a purge the only one, and all other handles useless, in one statement. The stored snapshot never goes back: behind a later one
   * of another node, records are deleted already, or are being deleted.
   */
  async #newGeneration(generation: string, object: string, place: Place, bytes: number): Promise<Head> {
    const { database } = this.#deps;
    await database.ask(
      `with moved as (
        update ${database.table("heads")} set generation = $3, snapshot_sequence = $5, snapshot_ends = $6, snapshot_bytes = $7
        where store = $1 and generation = $2 and snapshot_sequence <= $5
          and exists (select 1 from ${database.table("objects")} where store = $1 and object = $4)
        returning store
      )
      update ${database.table("objects")} set complete = true where store = $1 and object = $4 and exists (select 1 from moved)`,
      [this.#id, this.#history.identity.generation, generation, object, place.sequence, place.ends, bytes],
    );
    const head = await headIn(database, this.#id);
    if (head.generation === generation) return head;
    // Another node has purged meanwhile, or has stored a later snapshot. What was written here holds what a purge may have deleted.
    await this.#deps.objects.remove({ store: this.#id, object });
    throw this.#history.overtaken();
  }

  /** Deletes the blocks of names and labels that are not open here, and those that were removed. Resolves with the bytes of the first. */
  async #purgeBlocks(): Promise<number> {
    const { database } = this.#deps;
    const opened = [...this.#blocks].filter(([, blocks]) => blocks.openLabel !== undefined);
    for (const [, blocks] of opened) await blocks.settleRemovals();
    return deleteInPieces(database, {
      table: "blocks",
      store: this.#id,
      where:
        "not exists (select 1 from unnest($2::text[], $3::text[]) as o (name, label) where o.name = t.name and o.label = t.label)",
      values: [opened.map(([name]) => name), opened.map(([, blocks]) => blocks.openLabel)],
    });
  }

  async #countKept(): Promise<void> {
    const { identity, snapshot, place } = this.#history;
    const { objects, database } = this.#deps;
    // Another node may not have deleted yet what its snapshot replaces: that does not count.
    const kept = (await objects.snapshots(identity)).slice(0, SNAPSHOTS_KEPT);
    // A purge may keep some of the records before its snapshot.
    const isPurged = identity.generation !== this.#counted.generation;
    const prunedEnds = isPurged ? await prunedIn(database, this.#id, place) : (kept[SNAPSHOTS_KEPT - 1]?.ends ?? 0);
    this.#counted = { generation: identity.generation, sequence: snapshot.sequence };
    this.#keptBytes = kept.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#prunedEnds = Math.max(this.#prunedEnds, prunedEnds);
  }

  /** Counts again if another node has written a snapshot, or has purged. Without an answer the next follow does so. */
  async #countKeptByOthers(): Promise<void> {
    const { identity, snapshot } = this.#history;
    const isNew = snapshot.sequence > this.#counted.sequence || identity.generation !== this.#counted.generation;
    if (isNew) await this.#countKept().catch(() => undefined);
  }

  get #history(): History {
    if (this.#known === undefined) throw storageKit.storeNotRecovered();
    return this.#known;
  }

  /** Runs work on something of this name, if the history is still the stored one as far as the handle knows. */
  async #onHistory<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    this.#refuseUnlessOpen();
    storageKit.checkCacheName(name);
    this.#history.refuseIfUseless();
    return this.#running.add(work());
  }

  #end(): void {
    this.#state = "closed";
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onClosed();
  }

  #refuseUnlessOpen(): void {
    if (this.#state === "closed") throw storageKit.storeClosed();
    if (this.#state !== "open") throw storageKit.storeNotRecovered();
  }
}
