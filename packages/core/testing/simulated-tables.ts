/** The tables of a `SimulatedDatabase`. Each method is one transaction: it runs without a pause. */

import { LoredexError } from "../src/model/errors.ts";
import type { BlockKey } from "../src/storage/block-store.ts";
import type { LoadedSnapshot } from "../src/storage/store.ts";

/**
 * A record's place in a chain. `digest` stands for a hash of the whole history up to the record: the database gives each number once, so that two
 * histories never share one.
 */
export interface Link {
  readonly sequence: number;
  readonly digest: number;
}

export interface StoredRecord extends Link {
  readonly payload: Uint8Array;
  /** The id of the batch that it was appended with. */
  readonly operation: number;
}

export interface StoredSnapshot {
  readonly link: Link;
  readonly loaded: LoadedSnapshot;
  readonly bytes: number;
}

/** A stored block: its key, label and parts. */
export interface BlockRow extends BlockKey {
  readonly label: string;
  readonly parts: readonly Uint8Array[];
}

interface LeaseRow {
  readonly token: number;
  untilMs: number;
}

export function conflict(): LoredexError {
  return new LoredexError("CONFLICT", "Another node has appended to the store meanwhile.");
}

/** @param cause why a record could not be applied, if that is the reason */
export function replaced(cause?: unknown): LoredexError {
  return new LoredexError("REPLACED", "The history of the store was replaced. Open the store again.", { cause });
}

/** One store: the records after `base`, the newest snapshot and one older. */
export class StoreTables {
  readonly caches = new Map<string, Uint8Array>();
  /** The blocks of each name, each by its number. */
  readonly blocks = new Map<string, Map<number, BlockRow>>();
  readonly #newNumber: () => number;
  readonly #leases = new Map<string, LeaseRow>();
  #base: Link;
  #records: StoredRecord[] = [];
  /** Newest first. */
  #snapshots: readonly StoredSnapshot[];
  #generation: number;

  /** @param newNumber gives a higher number with each call */
  constructor(newNumber: () => number, first: LoadedSnapshot | undefined) {
    this.#newNumber = newNumber;
    this.#generation = newNumber();
    this.#base = { sequence: first?.sequence ?? 0, digest: newNumber() };
    this.#snapshots = first === undefined ? [] : [storedSnapshot(this.#base, first)];
  }

  /** Changes if the store is purged, or replaced by another one. */
  get generation(): number {
    return this.#generation;
  }

  get head(): Link {
    return this.#records.at(-1) ?? this.#base;
  }

  /** The record before the first stored one. */
  get base(): Link {
    return this.#base;
  }

  get snapshot(): StoredSnapshot | undefined {
    return this.#snapshots[0];
  }

  /** Whether the stored history has this very record, or begins right after it. */
  has({ sequence, digest }: Link): boolean {
    return this.#linkOf(sequence)?.digest === digest;
  }

  recordsAfter(sequence: number): readonly StoredRecord[] {
    return this.#records.slice(Math.max(0, sequence - this.#base.sequence));
  }

  recordsOf(operation: number): readonly StoredRecord[] {
    return this.#records.filter((record) => record.operation === operation);
  }

  /** Appends a batch after `head`. @throws LoredexError `CONFLICT` if that is not the last record */
  append(head: Link, operation: number, payloads: readonly Uint8Array[]): readonly StoredRecord[] {
    if (this.head.digest !== head.digest) throw conflict();
    const records = payloads.map((payload, index) => ({
      sequence: head.sequence + index + 1,
      digest: this.#newNumber(),
      payload: payload.slice(),
      operation,
    }));
    this.#records.push(...records);
    return records;
  }

  /** Does nothing if a snapshot of the same or a later record is stored. Deletes the records that both kept snapshots cover. */
  addSnapshot(loaded: LoadedSnapshot, again: boolean): void {
    const [newest, before] = this.#snapshots;
    const link = this.#linkOf(loaded.sequence);
    if (link === undefined || (newest !== undefined && newest.link.sequence > loaded.sequence)) return;
    if (newest?.link.sequence === loaded.sequence) {
      if (again) this.#snapshots = [storedSnapshot(link, loaded), ...(before === undefined ? [] : [before])];
      return;
    }
    this.#snapshots = [storedSnapshot(link, loaded), ...(newest === undefined ? [] : [newest])];
    if (newest !== undefined) this.#prune(newest.link);
  }

  /**
   * Replaces the history up to a snapshot by it, but for the records after `through`. Deletes caches and all blocks but those with these labels.
   * @param labels one for each name
   * @throws LoredexError `CONFLICT` if the stored snapshot is a later one
   */
  purge(loaded: LoadedSnapshot, labels: ReadonlyMap<string, string>, through: number): number {
    if ((this.snapshot?.link.sequence ?? 0) > loaded.sequence) throw conflict();
    const link = this.#linkOf(loaded.sequence);
    if (link === undefined) throw replaced();
    const before = this.totalBytes;
    this.#snapshots = loaded.sequence === 0 ? [] : [storedSnapshot(link, loaded)];
    const last = this.#linkOf(through);
    if (last !== undefined) this.#prune(last);
    this.caches.clear();
    for (const [name, rows] of this.blocks) {
      for (const [number, { label }] of rows) if (label !== labels.get(name)) rows.delete(number);
    }
    this.#generation = this.#newNumber();
    return Math.max(0, before - this.totalBytes);
  }

  /** Loses the last records, and the snapshots that cover them. */
  rewind(records: number): void {
    const last = this.head.sequence - records;
    const snapshots = this.#snapshots.filter(({ link }) => link.sequence <= last);
    const begins = snapshots.at(-1)?.link.sequence ?? 0;
    if (records < 0 || last < this.#base.sequence || begins < this.#base.sequence) {
      throw new RangeError(`The store cannot lose ${records} records: it begins after record ${this.#base.sequence}.`);
    }
    this.#snapshots = snapshots;
    this.#records = this.#records.slice(0, last - this.#base.sequence);
  }

  /** Grants a job until `nowMs + ms`, and resolves with the token; undefined while it is granted. */
  lease(job: string, nowMs: number, ms: number): number | undefined {
    const held = this.#leases.get(job);
    if (held !== undefined && held.untilMs > nowMs) return undefined;
    const token = this.#newNumber();
    this.#leases.set(job, { token, untilMs: nowMs + ms });
    return token;
  }

  /** Prolongs a lease; with 0 milliseconds ends it. False if another lease followed. */
  renew(job: string, token: number, nowMs: number, ms: number): boolean {
    const held = this.#leases.get(job);
    if (held?.token !== token) return false;
    held.untilMs = nowMs + ms;
    return true;
  }

  /** Bytes of the records after the newest snapshot. */
  get logBytes(): number {
    return bytesOf(this.recordsAfter(this.snapshot?.link.sequence ?? 0));
  }

  get totalBytes(): number {
    const snapshots = this.#snapshots.reduce((sum, { bytes }) => sum + bytes, 0);
    const caches = [...this.caches.values()].reduce((sum, { length }) => sum + length, 0);
    const blocks = [...this.blocks.values()].flatMap((rows) => [...rows.values()]).flatMap(({ parts }) => parts);
    return bytesOf(this.#records) + snapshots + caches + blocks.reduce((sum, { length }) => sum + length, 0);
  }

  #linkOf(sequence: number): Link | undefined {
    return sequence === this.#base.sequence ? this.#base : this.#records[sequence - this.#base.sequence - 1];
  }

  #prune(through: Link): void {
    if (through.sequence <= this.#base.sequence) return;
    this.#records = this.#records.slice(through.sequence - this.#base.sequence);
    this.#base = { sequence: through.sequence, digest: through.digest };
  }
}

function storedSnapshot({ sequence, digest }: Link, loaded: LoadedSnapshot): StoredSnapshot {
  const bytes = [...loaded.sections.values()].reduce((sum, section) => sum + section.bytes.length, 0);
  return { link: { sequence, digest }, loaded, bytes };
}

function bytesOf(records: readonly StoredRecord[]): number {
  return records.reduce((sum, { payload }) => sum + payload.length, 0);
}
