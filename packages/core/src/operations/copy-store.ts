/** Copies one store from a storage to another. */

import { createHash, type Hash } from "node:crypto";
import { isDerivedSection } from "../model/derived-sections.ts";
import { LoredexError } from "../model/errors.ts";
import { must } from "../model/must.ts";
import { deferred } from "../scheduling/deferred.ts";
import type { LoadedSection, LoadedSnapshot, RecoveryVisitor, Storage, Store } from "../storage/store.ts";

/** The most records, and about the most bytes of them, that wait for the target at once. */
const BATCH_RECORDS_MAX = 256;
const BATCH_BYTES_MAX = 4_194_304;

/** What identifies the contents of a store: where its snapshot and its records end, and a digest of what cannot be rebuilt. */
export interface Contents {
  readonly lastSequence: number;
  readonly snapshotSequence: number;
  readonly digest: string;
}

/** Whether two stores hold the same: the same records behind the same snapshot. */
export function areSame(a: Contents, b: Contents): boolean {
  return a.lastSequence === b.lastSequence && a.snapshotSequence === b.snapshotSequence && a.digest === b.digest;
}

/** Receives a history, and does nothing with it. */
const IGNORED: RecoveryVisitor = { snapshot: () => undefined, record: () => undefined };

/** Opens a store and reads its history. The caller closes it; after an error it is closed. */
export async function readStore(
  storage: Storage,
  name: string,
  visitor: RecoveryVisitor = IGNORED,
): Promise<{ readonly store: Store; readonly contents: Contents }> {
  const store = await storage.open(name);
  const digest = new HistoryDigest();
  try {
    const { lastSequence, snapshotSequence } = await store.recover({
      snapshot: async (snapshot) => {
        digest.snapshot(snapshot);
        await visitor.snapshot(snapshot);
      },
      record: (sequence, payload) => {
        digest.record(sequence, payload);
        return visitor.record(sequence, payload);
      },
    });
    return { store, contents: { lastSequence, snapshotSequence, digest: digest.text() } };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What {@link contentsOf} returns of a closed store. */
export async function contentsOf(storage: Storage, name: string, visitor?: RecoveryVisitor): Promise<Contents> {
  const { store, contents } = await readStore(storage, name, visitor);
  await store.close();
  return contents;
}

/** How {@link copyStore} copies a store. */
export interface StoreCopyOptions {
  /** Whether a store of this name in the target is replaced. Otherwise the name must be free. */
  readonly replaces: boolean;
  /** Names of caches that are copied too, if both storages can. */
  readonly caches: readonly string[];
  /** Called with both stores before the copy gets its name, to copy more of what is beside the history. What it throws ends the copy. */
  readonly more?: (from: Store, to: Store) => Promise<void>;
  /** Called for each record, before it is sent. What it throws ends the copy. */
  readonly onRecord: () => void;
  /** Called with what was read, before the copy gets its name. What it throws ends the copy. */
  readonly check?: (contents: Contents) => void;
}

/**
 * Copies a store. It gets its name in the target when it is whole, so that an interrupted copy leaves nothing under the name.
 * Returns the source's store, which is still open.
 */
export async function copyStore(
  from: Storage,
  to: Storage,
  name: string,
  options: StoreCopyOptions,
): Promise<{ readonly store: Store; readonly contents: Contents }> {
  const target = new TargetStore(to, name, options.replaces);
  try {
    const read = await readStore(from, name, {
      snapshot: async (snapshot) => {
        await target.begin(snapshot);
      },
      record: async (sequence, payload) => {
        options.onRecord();
        await target.append(sequence, payload);
      },
    });
    try {
      options.check?.(read.contents);
      await target.end(async (copy) => {
        await copyCaches(read.store, copy, options.caches);
        await options.more?.(read.store, copy);
      });
      return read;
    } catch (error) {
      await read.store.close();
      throw error;
    }
  } catch (error) {
    await target.giveUp(error);
    throw error;
  }
}

/** Copies caches. They can be rebuilt, so a cache that cannot be read or kept is left out. */
async function copyCaches(from: Store, to: Store, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const bytes = await from.readCache(name).catch(() => undefined);
    if (bytes !== undefined) await to.writeCache(name, bytes).catch(() => undefined);
  }
}

/** A store of the target that is being made. A creation calls `check` with the unnamed store, and names it when that has resolved. */
class TargetStore {
  readonly #to: Storage;
  readonly #name: string;
  readonly #replaces: boolean;
  readonly #filled = deferred();
  #failure: { readonly error: unknown } | undefined;
  #creation: Promise<void> | undefined;
  #store: Store | undefined;
  #waiting: Promise<void>[] = [];
  #waitingBytes = 0;

  constructor(to: Storage, name: string, replaces: boolean) {
    this.#to = to;
    this.#name = name;
    this.#replaces = replaces;
  }

  /** Makes the store, without its name. */
  async begin(snapshot?: LoadedSnapshot): Promise<Store> {
    const opened = deferred();
    let opening: Store | undefined;
    const first = snapshot && {
      sequence: snapshot.sequence,
      sections: [...snapshot.sections.values()].map(sectionOf),
    };
    this.#creation = this.#to.create(this.#name, first, {
      replaces: this.#replaces,
      check: async (store) => {
        await store.recover(IGNORED);
        opening = store;
        opened.resolve();
        await this.#filled.promise;
        if (this.#failure !== undefined) throw this.#failure.error;
      },
    });
    // The creation is only over before the store is open if it has failed.
    await Promise.race([opened.promise, this.#creation]);
    this.#store = must(opening, "a creation ended without its check");
    return this.#store;
  }

  /** Appends a record; waits once many are on their way. */
  async append(sequence: number, payload: Uint8Array): Promise<void> {
    const store = this.#store ?? (await this.begin());
    const appended = appendAs(store, sequence, payload.slice());
    appended.catch(() => undefined);
    this.#waiting.push(appended);
    this.#waitingBytes += payload.length;
    if (this.#waiting.length >= BATCH_RECORDS_MAX || this.#waitingBytes >= BATCH_BYTES_MAX) await this.#settled();
  }

  /** Names the store, once all records and what `last` writes are in it. */
  async end(last: (store: Store) => Promise<void>): Promise<void> {
    const store = this.#store ?? (await this.begin());
    await this.#settled();
    await last(store);
    this.#filled.resolve();
    await this.#creation;
  }

  /** Drops the store. Never rejects. */
  async giveUp(error: unknown): Promise<void> {
    await Promise.allSettled(this.#waiting);
    this.#failure = { error };
    this.#filled.resolve();
    await this.#creation?.catch(() => undefined);
  }

  async #settled(): Promise<void> {
    const waiting = this.#waiting;
    [this.#waiting, this.#waitingBytes] = [[], 0];
    await Promise.allSettled(waiting);
    await Promise.all(waiting);
  }
}

async function appendAs(store: Store, sequence: number, payload: Uint8Array): Promise<void> {
  const given = await store.append(payload);
  if (given === sequence) return;
  throw new LoredexError("STORAGE_FAILED", `The target numbered the record ${sequence} as ${given}.`);
}

function sectionOf({ name, version, bytes }: LoadedSection) {
  return { name, version, chunks: [bytes], isDerived: isDerivedSection(name) };
}

/** A SHA-256 of a history. Derived sections are left out: a storage may drop them. */
class HistoryDigest {
  readonly #hash: Hash = createHash("sha256");

  snapshot({ sequence, sections }: LoadedSnapshot): void {
    for (const name of [...sections.keys()].sort()) {
      const section = sections.get(name);
      if (section === undefined || isDerivedSection(name)) continue;
      this.#hash.update(JSON.stringify([sequence, name, section.version, section.bytes.length])).update(section.bytes);
    }
  }

  record(sequence: number, payload: Uint8Array): void {
    this.#hash.update(JSON.stringify([sequence, payload.length])).update(payload);
  }

  text(): string {
    return this.#hash.digest("hex");
  }
}
