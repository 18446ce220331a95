/** Stores for the cases of a contract: a place for them, and a history with distinguishable records. */

import { strict as assert } from "node:assert";
import type { LoadedSnapshot, RecoveryReport, SnapshotSection, Storage, Store } from "../src/storage/store.ts";

/** Opens the storage of one place. If the storage keeps its stores, each call finds those of the calls before. */
export type OpenStorage = () => Promise<Storage>;

/** Makes an empty place for stores, such as a new directory or a new database. */
export type NewPlace = () => Promise<OpenStorage>;

/** The errors that a storage rejects with, as `assert.rejects` compares them. */
export const MISUSED = { code: "STORAGE_FAILED" };
export const CLOSED = { code: "CLOSED" };

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textOf(bytes: Uint8Array): string;
export function textOf(bytes: Uint8Array | undefined): string | undefined;
export function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

export function sectionOf(name: string, ...chunks: string[]): SnapshotSection {
  return { name, version: 1, chunks: chunks.map(bytesOf) };
}

/** The recovered contents of a store. */
export interface History {
  readonly snapshot: LoadedSnapshot | undefined;
  readonly records: readonly { readonly sequence: number; readonly text: string }[];
  readonly report: RecoveryReport;
}

export async function recoverHistory(store: Store): Promise<History> {
  let snapshot: LoadedSnapshot | undefined;
  const records: { sequence: number; text: string }[] = [];
  const report = await store.recover({
    snapshot: (loaded) => {
      snapshot = loaded;
    },
    record: (sequence, payload) => {
      records.push({ sequence, text: textOf(payload) });
    },
  });
  return { snapshot, records, report };
}

/** Opens a store and reads its history. The caller closes the store. */
export async function openStore(storage: Storage, name = "bot"): Promise<{ store: Store; history: History }> {
  const store = await storage.open(name);
  return { store, history: await recoverHistory(store) };
}

export function textsOf(history: History): string[] {
  return history.records.map((record) => record.text);
}

/** Runs `work` on the storage of an empty place and closes the storage, also if `work` fails: the runner must be able to end. */
export async function onStorage(newPlace: NewPlace, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await (await newPlace())();
  try {
    await work(storage);
  } catch (error) {
    // The failure of a case says more than that of closing after it.
    await storage.close().catch(() => undefined);
    throw error;
  }
  await storage.close();
}

/** Runs `work` on the new, recovered store `bot` in an empty place. */
export function onStore(newPlace: NewPlace, work: (store: Store, storage: Storage) => Promise<void>): Promise<void> {
  return onStorage(newPlace, async (storage) => {
    await storage.create("bot");
    const { store } = await openStore(storage);
    try {
      await work(store, storage);
    } finally {
      await store.close();
    }
  });
}

/** Demands that an append to a store is refused, and that `onFailed` is called before the call returns. */
export async function requireRefusedAtOnce(store: Store, payload: Uint8Array, error: { code: string }): Promise<void> {
  let isTold = false;
  const refused = store.append(payload, () => {
    isTold = true;
  });
  // Handled even if the next line throws.
  refused.catch(() => undefined);
  assert.equal(isTold, true, "onFailed is called before append returns");
  await assert.rejects(refused, error);
}
