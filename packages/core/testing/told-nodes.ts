/** Two nodes for the cases of a contract, each with the same storage open. */

import { strict as assert } from "node:assert";
import { LoredexError } from "../src/model/errors.ts";
import type { SharedStorage, SharedStore, Storage, Store } from "../src/storage/store.ts";
import { bytesOf, type History, type NewPlace, openStore, requireRefusedAtOnce, textOf } from "./told-stores.ts";

/** The errors of a shared store, as `assert.rejects` compares them. */
export const OVERTAKEN = { code: "CONFLICT" };
export const GONE = { code: "REPLACED" };

/** A record as a node knows it. */
export type Told = readonly [sequence: number, text: string];

/** One node with its handle of the store `bot`. */
export interface Node {
  readonly storage: Storage;
  readonly store: Store;
}

export function sharedOf(store: Store): SharedStore {
  assert.ok(store.shared, "a store of a shared storage has `shared`");
  return store.shared;
}

export function sharedStorageOf(storage: Storage): SharedStorage {
  assert.ok(storage.shared, "a shared storage has `shared`");
  return storage.shared;
}

/** Adds the records that a store hands out to a list. */
export function follow(store: Store, told: Told[] = [], purged?: () => void): Promise<Told[]> {
  const record = (sequence: number, payload: Uint8Array) => {
    told.push([sequence, textOf(payload)]);
  };
  return sharedOf(store)
    .follow(record, purged)
    .then(() => told);
}

/** The same for a handle that continues after purges, each of which adds the record 0 "purged". */
export function followThroughPurges(store: Store): Promise<Told[]> {
  const told: Told[] = [];
  return follow(store, told, () => told.push([0, "purged"]));
}

export function appendText(store: Store, text: string): Promise<number> {
  return store.append(bytesOf(text));
}

/** Appends a text. After each conflict it reads the records of others, and tries again. */
export async function appendInTheEnd(store: Store, text: string, told: Told[]): Promise<void> {
  for (;;) {
    try {
      told.push([await appendText(store, text), text]);
      return;
    } catch (error) {
      if (!(error instanceof LoredexError) || error.code !== "CONFLICT") throw error;
      await follow(store, told);
    }
  }
}

/** Runs `work` on the storages of two nodes in an empty place, and closes them, also if `work` fails. */
export async function onStorages(
  newPlace: NewPlace,
  work: (first: Storage, second: Storage) => Promise<void>,
): Promise<void> {
  const open = await newPlace();
  const storages = [await open(), await open()] as const;
  try {
    await work(...storages);
  } catch (error) {
    // The failure of a case says more than that of closing after it.
    for (const storage of storages) await storage.close().catch(() => undefined);
    throw error;
  }
  for (const storage of storages) await storage.close();
}

/** Runs `work` on two nodes that both have the new store `bot` open. */
export function onNodes(newPlace: NewPlace, work: (a: Node, b: Node) => Promise<void>): Promise<void> {
  return onStorages(newPlace, async (first, second) => {
    await first.create("bot");
    const nodes: [Node, Node] = [
      { storage: first, store: (await openStore(first)).store },
      { storage: second, store: (await openStore(second)).store },
    ];
    try {
      await work(...nodes);
    } finally {
      for (const { store } of nodes) await store.close();
    }
  });
}

/** Closes a node's handle of the store `bot`, and reads the history with another one. */
export async function readAgain({ storage, store }: Node): Promise<History> {
  await store.close();
  const again = await openStore(storage);
  await again.store.close();
  return again.history;
}

/** Demands that all calls of a handle are refused because its history was replaced. */
export async function requireReplaced(store: Store): Promise<void> {
  await assert.rejects(follow(store), GONE);
  await requireRefusedAtOnce(store, bytesOf("lost"), GONE);
  await assert.rejects(store.readCache("graph"), GONE);
  await assert.rejects(sharedOf(store).lease("snapshots", 1_000), GONE);
}
