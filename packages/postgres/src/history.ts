import { randomUUID } from "node:crypto";
import { LoredexError, type RecoveryVisitor, storageKit } from "@loredex/core";
import { type Place, placeAfter } from "./chain.ts";
import type { Database } from "./database.ts";
import type { Head, Heads } from "./heads.ts";
import { appendRecords, BrokenChain, batchLength, type Identity, recordsAfter } from "./records.ts";

/** An append that was called, and not sent. */
interface Waiting {
  readonly payload: Uint8Array;
  readonly onFailed: (() => void) | undefined;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The history of a store as one handle knows it. Appends and `follow` run one after the other. Appends that wait are sent together.
 *
 * | state | an append | `follow` |
 * |---|---|---|
 * | follows | is sent | hands out what others appended |
 * | behind: another node has appended | `CONFLICT` at once | hands them out; then the state is `follows` |
 * | replaced: the stored history is another one | `REPLACED` at once | `REPLACED` at once |
 */
export class History {
  readonly #database: Database;
  readonly #heads: Heads;
  readonly #queue = new storageKit.SerialQueue();
  #identity: Identity;
  #place: Place;
  #head: Head;
  #waiting: Waiting[] = [];
  #follow: Promise<void> | undefined;
  #isBehind = false;
  #replaced: LoredexError | undefined;

  /** @param place the last record that was handed out */
  constructor(database: Database, heads: Heads, store: string, head: Head, place: Place) {
    this.#database = database;
    this.#heads = heads;
    this.#identity = { store, generation: head.generation };
    this.#head = head;
    this.#place = place;
  }

  get identity(): Identity {
    return this.#identity;
  }

  /** The last record that the handle knows. */
  get place(): Place {
    return this.#place;
  }

  /** The newest snapshot that the handle knows. */
  get snapshot(): Head["snapshot"] {
    return this.#head.snapshot;
  }

  /** @throws LoredexError `REPLACED`, or `UNREACHABLE` while that is known */
  refuseIfUseless(): void {
    const refusal = this.#replaced ?? this.#database.down;
    if (refusal !== undefined) throw refusal;
  }

  append(payload: Uint8Array, onFailed: (() => void) | undefined): Promise<number> {
    const refusal = this.#replaced ?? (this.#isBehind ? conflict() : this.#database.down);
    if (refusal !== undefined) {
      onFailed?.();
      return Promise.reject(refusal);
    }
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) void this.#queue.run(() => this.#send());
      this.#waiting.push({ payload, onFailed, resolve, reject });
    });
  }

  /** Hands out what others appended. Calls that wait in the queue share one run. */
  follow(record: RecoveryVisitor["record"], purged?: () => void): Promise<void> {
    this.#follow ??= this.#queue.run(() => {
      this.#follow = undefined;
      return this.#followNow(record, purged);
    });
    return this.#follow;
  }

  /** Resolves when the appends that were called have settled. */
  async settled(): Promise<void> {
    while (this.#waiting.length > 0) await this.#queue.settled();
    await this.#queue.settled();
  }

  /** Runs work while nothing is appended or handed out. It returns the head that it made. */
  change(work: () => Promise<Head>): Promise<void> {
    return this.#queue.run(async () => {
      this.refuseIfUseless();
      const head = await work();
      this.#identity = { ...this.#identity, generation: head.generation };
      this.#head = head;
    });
  }

  /** Asks for the stored head. @throws LoredexError `REPLACED` if it is of another history than the handle knows */
  async currentHead(): Promise<Head> {
    const { identity, place } = this;
    const head = await this.#heads.of(identity.store);
    // While it was asked for, this handle may have appended or purged: then nothing can be told from it.
    const isOld = identity !== this.identity || place !== this.place;
    const reason = isOld && head !== undefined ? undefined : this.#foreign(head);
    if (head === undefined || reason !== undefined) throw this.replace(reason ?? "it was removed");
    return head;
  }

  /** Notes a snapshot that this handle has written, or a newer one that it has seen. */
  wroteSnapshot(snapshot: Head["snapshot"]): void {
    if (snapshot.sequence > this.#head.snapshot.sequence) this.#head = { ...this.#head, snapshot };
  }

  /** Told that another node has changed the history. Appends fail until the next `follow`. Returns the error. */
  overtaken(): LoredexError {
    this.#isBehind = true;
    return conflict();
  }

  /** Makes the handle useless: the stored history is another one. Returns the error. */
  replace(reason: string): LoredexError {
    this.#replaced ??= new LoredexError("REPLACED", `The stored history of the store is another one: ${reason}.`);
    this.#fail([], this.#replaced);
    return this.#replaced;
  }

  async #send(): Promise<void> {
    const batch = this.#take();
    if (batch.length === 0) return;
    let place = this.#place;
    const records = batch.map(({ payload }) => {
      place = placeAfter(place, payload);
      return { place, payload };
    });
    try {
      const isStored = await appendRecords(this.#database, this.#identity, this.#place, records, randomUUID());
      if (!isStored) throw await this.#refusal();
    } catch (error) {
      this.#fail(batch, error);
      return;
    }
    if (this.#waiting.length > 0) void this.#queue.run(() => this.#send());
    this.#place = place;
    for (const [index, { resolve }] of batch.entries()) resolve(records[index]?.place.sequence ?? 0);
  }

  /** The appends that are sent next. */
  #take(): Waiting[] {
    return this.#waiting.splice(
      0,
      batchLength(this.#waiting, ({ payload }) => payload.length),
    );
  }

  /** Why an append was not stored. */
  async #refusal(): Promise<unknown> {
    try {
      await this.currentHead();
      return this.overtaken();
    } catch (error) {
      return error;
    }
  }

  /** Fails appends, and all that were decided on them. All are told before any promise rejects. */
  #fail(sent: readonly Waiting[], error: unknown): void {
    const failed = [...sent, ...this.#waiting.splice(0)];
    for (const { onFailed } of failed) onFailed?.();
    for (const { reject } of failed) reject(error);
  }

  async #followNow(record: RecoveryVisitor["record"], purged: (() => void) | undefined): Promise<void> {
    this.refuseIfUseless();
    const head = await this.currentHead();
    const isPurged = head.generation !== this.#identity.generation;
    if (isPurged && purged === undefined) throw this.replace("it was purged");
    if (head.sequence > this.#place.sequence) {
      this.#isBehind = true;
      this.#fail([], conflict());
      await this.#handOut(head.sequence, record);
    }
    if (!this.#place.digest.equals(head.digest)) throw this.replace(`record ${head.sequence} differs`);
    this.#head = head;
    this.#isBehind = false;
    if (!isPurged) return;
    // The digests tell that the purged history continues from the record that this handle knows.
    this.#identity = { ...this.#identity, generation: head.generation };
    purged?.();
  }

  async #handOut(through: number, record: RecoveryVisitor["record"]): Promise<void> {
    try {
      for await (const { place, payload } of recordsAfter(this.#database, this.#identity.store, this.#place, through)) {
        const applied = this.#applied(record, place.sequence, payload);
        // Before the caller waits for its next time slice: a snapshot that begins meanwhile may hold the record.
        this.#place = place;
        await applied;
      }
    } catch (error) {
      throw error instanceof BrokenChain ? this.replace(error.message.slice(0, -1)) : error;
    }
  }

  async #applied(record: RecoveryVisitor["record"], sequence: number, payload: Uint8Array): Promise<void> {
    try {
      await record(sequence, payload);
    } catch (error) {
      this.replace(`record ${sequence} cannot be applied`);
      throw error;
    }
  }

  /** Why a head is not one of the history that the handle knows; undefined if it may be. */
  #foreign(head: Head | undefined): string | undefined {
    if (head === undefined) return "it was removed";
    const { sequence, digest } = this.#place;
    if (head.sequence < sequence) return `it ends with record ${head.sequence}, and record ${sequence} is known`;
    if (head.sequence === sequence && !head.digest.equals(digest)) return `record ${sequence} differs`;
    return undefined;
  }
}

function conflict(): LoredexError {
  return new LoredexError("CONFLICT", "Another node has appended to the store meanwhile.");
}
