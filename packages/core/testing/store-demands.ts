/** The demands on each store, whether or not it keeps its history. */

import { strict as assert } from "node:assert";
import { RECORD_BYTES_MAX } from "../src/model/limits.ts";
import type { Demands } from "./contract.ts";
import {
  bytesOf,
  CLOSED,
  MISUSED,
  type NewPlace,
  onStorage,
  onStore,
  openStore,
  recoverHistory,
  requireRefusedAtOnce,
  sectionOf,
  textOf,
} from "./told-stores.ts";

export const STORE_DEMANDS: Demands<NewPlace> = {
  "a new store is empty": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("bot");
      const { store, history } = await openStore(storage);
      const none = { lastSequence: 0, snapshotSequence: 0, replayedRecords: 0, tornBytes: 0, damagedSnapshots: 0 };
      assert.deepEqual(history, { snapshot: undefined, records: [], report: none });
      assert.equal(store.sizes().logBytesSinceSnapshot, 0);
      assert.equal(store.sizes().snapshotBytes, 0);
      await store.close();
    }),

  "a store numbers appends from 1 in the order of the calls": (newPlace) =>
    onStore(newPlace, async (store) => {
      assert.equal(await store.append(bytesOf("1")), 1);
      const settled: number[] = [];
      const appends = [2, 3, 4, 5].map((n) =>
        store.append(bytesOf(String(n))).then((sequence) => settled.push(sequence)),
      );
      await Promise.all(appends);
      assert.deepEqual(settled, [2, 3, 4, 5]);
    }),

  "a store must be recovered once, first, and refuses everything once it is closed": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("bot");
      const store = await storage.open("bot");
      await assert.rejects(store.append(bytesOf("1")), MISUSED);
      await assert.rejects(store.writeSnapshot(0, []), MISUSED);
      await recoverHistory(store);
      await assert.rejects(recoverHistory(store), MISUSED);
      await store.close();
      await store.close();
      await requireRefusedAtOnce(store, bytesOf("1"), CLOSED);
      await assert.rejects(store.writeSnapshot(0, []), CLOSED);
      await assert.rejects(recoverHistory(store), CLOSED);
    }),

  "a store can be closed before it was recovered": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("bot");
      await (await storage.open("bot")).close();
    }),

  "a store finishes pending appends before it is closed": (newPlace) =>
    onStore(newPlace, async (store) => {
      const appends = [1, 2, 3].map((n) => store.append(bytesOf(String(n))));
      const closed = store.close();
      assert.deepEqual(await Promise.all(appends), [1, 2, 3]);
      await closed;
    }),

  "a store refuses a record of no bytes or too many, and takes the next": (newPlace) =>
    onStore(newPlace, async (store) => {
      await assert.rejects(store.append(new Uint8Array(0)), MISUSED);
      await requireRefusedAtOnce(store, new Uint8Array(RECORD_BYTES_MAX + 1), MISUSED);
      assert.equal(await store.append(bytesOf("1")), 1);
    }),

  "a store refuses a snapshot of records that were not appended": (newPlace) =>
    onStore(newPlace, async (store) => {
      await store.append(bytesOf("1"));
      for (const sequence of [2, -1, 0.5, Number.NaN]) {
        await assert.rejects(store.writeSnapshot(sequence, []), MISUSED, `${sequence} was not appended`);
      }
      await store.writeSnapshot(0, [sectionOf("all", "nothing")]);
      await store.writeSnapshot(1, [sectionOf("all", "1")]);
    }),

  "a store keeps the newest bytes of each cache, beside its history": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      assert.equal(await store.readCache("graph"), undefined);
      await store.writeCache("graph", bytesOf("first"));
      await store.writeCache("graph", bytesOf("second, which is longer"));
      await store.writeCache("other", bytesOf("x"));
      assert.equal(textOf(await store.readCache("graph")), "second, which is longer");
      assert.equal(textOf(await store.readCache("other")), "x");
      await store.append(bytesOf("a record"));
      await store.writeSnapshot(1, []);
      assert.equal(textOf(await store.readCache("graph")), "second, which is longer");
      for (const wrong of ["", "../log", "Graph", "a.b"]) {
        await assert.rejects(store.writeCache(wrong, bytesOf("x")), MISUSED, `"${wrong}" is no name`);
        await assert.rejects(store.readCache(wrong), MISUSED, `"${wrong}" is no name`);
      }
      await store.close();
      await assert.rejects(store.writeCache("graph", bytesOf("x")), CLOSED);
      await assert.rejects(store.readCache("graph"), CLOSED);
      await storage.remove("bot");
      assert.deepEqual(await storage.list(), []);
    }),
};
