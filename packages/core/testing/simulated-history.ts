/** What a node knows of a store in a `SimulatedDatabase`: its last record, and the appends that wait. */

import { LoredexError } from "../src/model/errors.ts";
import type { StatementKind } from "../src/model/work.ts";
import { SerialQueue } from "../src/scheduling/serial-queue.ts";
import type { LoadedSnapshot, RecoveryVisitor } from "../src/storage/store.ts";
import type { SimulatedLine } from "./simulated-server.ts";
import { conflict, type Link, replaced, type StoredRecord, type StoreTables } from "./simulated-tables.ts";

interface Append {
  readonly payload: Uint8Array;
  readonly onFailed: (() => void) | undefined;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends that are sent as one. */
interface Batch {
  readonly operation: number;
  /** Records of others that were known when it began. */
  readonly handedOut: number;
  readonly appends: Append[];
}

/** How often an append is sent whose answers are lost. */
const SENDS_MAX = 3;

/**
 * A node's end of a history. Batches and questions for the records of others run one after the other, in the order of the calls. An append that was
 * called before a `follow` handed out records of others is a conflict: it was decided without them.
 */
export class SimulatedHistory {
  readonly #line: SimulatedLine;
  readonly #tables: () => StoreTables | undefined;
  readonly #queue = new SerialQueue();
  /** Not settled yet, in order. */
  readonly #batches = new Set<Batch>();
  /** Takes further appends: nothing was called after it, and it was not sent. */
  #openBatch: Batch | undefined;
  /** Takes further calls of `follow`, likewise. */
  #waitingFollow: Promise<void> | undefined;
  #generation: number;
  #head: Link;
  #handedOut = 0;
  #conflict: LoredexError | undefined;
  #replaced: LoredexError | undefined;

  /** @param tables finds the store by its name; undefined if it was removed */
  constructor(line: SimulatedLine, tables: () => StoreTables | undefined, known: StoreTables) {
    this.#line = line;
    this.#tables = tables;
    this.#generation = known.generation;
    this.#head = known.head;
  }

  /** Names the last record that this handle knows: no other record has its digest. */
  get head(): string {
    return String(this.#head.digest);
  }

  get lastSequence(): number {
    return this.#head.sequence;
  }

  /** Runs one transaction. @throws LoredexError `UNREACHABLE`, `REPLACED`, or the error of `work` */
  ask<Result>(work: (tables: StoreTables) => Result): Promise<Result> {
    return this.#query((tables) => {
      if (this.#isPurged(tables)) throw replaced();
      return work(tables);
    });
  }

  /** Stores a snapshot, unless another node has purged. */
  addSnapshot(loaded: LoadedSnapshot, again: boolean): Promise<void> {
    return this.#query((tables) => {
      if (!this.#isPurged(tables)) tables.addSnapshot(loaded, again);
    });
  }

  /** Begins with the newest snapshot. Resolves with what must be replayed. */
  begin() {
    // The head is still that of the opening: records that were pruned since are none of this handle.
    return this.#line.query(() => {
      const tables = this.#ofGeneration();
      const after = tables.snapshot?.link ?? tables.base;
      this.#head = after;
      return { snapshot: tables.snapshot?.loaded, records: tables.recordsAfter(after.sequence), base: tables.base };
    });
  }

  /** The record was applied. */
  passed({ sequence, digest }: Link): void {
    this.#head = { sequence, digest };
  }

  append(payload: Uint8Array, onFailed: (() => void) | undefined): Promise<number> {
    const refusal = this.#replaced ?? this.#line.server.unreachable ?? this.#conflict;
    if (refusal !== undefined) {
      onFailed?.();
      return Promise.reject(refusal);
    }
    const { appends } = this.#openBatch ?? this.#newBatch();
    return new Promise((resolve, reject) => appends.push({ payload, onFailed, resolve, reject }));
  }

  follow(record: RecoveryVisitor["record"], purged?: () => void): Promise<void> {
    const refusal = this.#replaced ?? this.#line.server.unreachable;
    if (refusal !== undefined) return Promise.reject(refusal);
    if (this.#waitingFollow !== undefined) return this.#waitingFollow;
    this.#openBatch = undefined;
    const following = this.#queue.run(() => {
      if (this.#waitingFollow === following) this.#waitingFollow = undefined;
      return this.#handOut(record, purged);
    });
    this.#waitingFollow = following;
    return following;
  }

  /** Purges the store for this node, whose handle stays usable. @param work the purge */
  purge(work: (tables: StoreTables) => number): Promise<number> {
    return this.#query((tables) => {
      if (this.#isPurged(tables)) throw conflict();
      const bytes = work(tables);
      this.#generation = tables.generation;
      return bytes;
    });
  }

  settled(): Promise<void> {
    return this.#queue.settled();
  }

  #ofGeneration(): StoreTables {
    const tables = this.#tables();
    if (tables?.generation === this.#generation) return tables;
    throw this.#replace();
  }

  /** Runs one transaction on the history that this handle knows, whether or not another node has purged it. */
  async #query<Result>(work: (tables: StoreTables) => Result, kind?: StatementKind): Promise<Result> {
    if (this.#replaced !== undefined) throw this.#replaced;
    return this.#line.query(() => work(this.#known()), kind);
  }

  #known(): StoreTables {
    const tables = this.#tables();
    if (tables?.has(this.#head) === true) return tables;
    throw this.#replace();
  }

  /** Makes the handle useless. Returns the error. */
  #replace(): LoredexError {
    this.#replaced = replaced();
    return this.#replaced;
  }

  #isPurged({ generation }: StoreTables): boolean {
    return generation !== this.#generation;
  }

  #newBatch(): Batch {
    const batch = { operation: this.#line.server.newNumber(), handedOut: this.#handedOut, appends: [] };
    this.#batches.add(batch);
    this.#openBatch = batch;
    this.#waitingFollow = undefined;
    void this.#queue.run(() => this.#flush(batch));
    return batch;
  }

  async #flush(batch: Batch): Promise<void> {
    if (this.#openBatch === batch) this.#openBatch = undefined;
    // It has failed with an earlier one.
    if (!this.#batches.has(batch)) return;
    try {
      if (batch.handedOut !== this.#handedOut) throw conflict();
      const records = await this.#send(batch);
      this.#batches.delete(batch);
      for (const record of records) this.passed(record);
      for (const [index, { sequence }] of records.entries()) batch.appends[index]?.resolve(sequence);
    } catch (error) {
      this.#failAll(error);
    }
  }

  async #send({ operation, appends }: Batch): Promise<readonly StoredRecord[]> {
    const payloads = appends.map(({ payload }) => payload);
    for (let sends = 1; ; sends += 1) {
      try {
        return await this.#query((tables) => this.#append(tables, operation, payloads), "append");
      } catch (error) {
        const isLost = error instanceof LoredexError && error.code === "UNREACHABLE";
        if (!isLost || sends === SENDS_MAX) throw error;
      }
      const stored = await this.#storedBy(operation);
      if (stored.length > 0) return stored;
    }
  }

  #append(tables: StoreTables, operation: number, payloads: readonly Uint8Array[]): readonly StoredRecord[] {
    if (this.#isPurged(tables)) throw conflict();
    return tables.append(this.#head, operation, payloads);
  }

  /** The records of a batch whose answer was lost. @throws LoredexError `UNREACHABLE` if nothing tells any more whether they were stored */
  async #storedBy(operation: number): Promise<readonly StoredRecord[]> {
    try {
      return await this.#query((tables) => {
        const stored = tables.recordsOf(operation);
        if (stored.length === 0 && tables.base.sequence > this.#head.sequence) throw replaced();
        return stored;
      });
    } catch (error) {
      const message = "The answer to an append was lost, and what would tell whether it is stored was deleted.";
      throw error instanceof LoredexError && error.code === "REPLACED"
        ? new LoredexError("UNREACHABLE", message, { cause: error })
        : error;
    }
  }

  #failAll(error: unknown): void {
    if (error instanceof LoredexError && error.code === "CONFLICT") this.#conflict = error;
    const failed = [...this.#batches].flatMap(({ appends }) => appends);
    this.#batches.clear();
    this.#openBatch = undefined;
    for (const { onFailed } of failed) onFailed?.();
    for (const { reject } of failed) reject(error);
  }

  async #handOut(record: RecoveryVisitor["record"], purged: (() => void) | undefined): Promise<void> {
    const { found, generation } = await this.#query((tables) => {
      if (this.#isPurged(tables) && purged === undefined) {
        throw this.#replace();
      }
      return { found: tables.recordsAfter(this.#head.sequence), generation: tables.generation };
    }, "head");
    try {
      for (const stored of found) {
        const applied = record(stored.sequence, stored.payload.slice());
        this.passed(stored);
        this.#handedOut += 1;
        await applied;
      }
    } catch (error) {
      this.#replaced = replaced(error);
      throw error;
    }
    this.#conflict = undefined;
    if (generation === this.#generation) return;
    this.#generation = generation;
    purged?.();
  }
}
