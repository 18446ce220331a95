/** The demands on a store that keeps its history: a reopened store has all of it. */

import { strict as assert } from "node:assert";
import { deferred } from "../src/scheduling/deferred.ts";
import type { Storage, Store } from "../src/storage/store.ts";
import { type Demands, exactly } from "./contract.ts";
import {
  bytesOf,
  CLOSED,
  type History,
  type NewPlace,
  onStore,
  openStore,
  sectionOf,
  textOf,
  textsOf,
} from "./told-stores.ts";

/** Reads the history of the closed store `bot`. */
async function historyIn(storage: Storage): Promise<History> {
  const { store, history } = await openStore(storage);
  await store.close();
  return history;
}

/** Closes the store `bot`. What its next recovery reports. */
async function reportAfter(store: Store, storage: Storage): Promise<History["report"]> {
  await store.close();
  return (await historyIn(storage)).report;
}

export const KEPT_STORE_DEMANDS: Demands<NewPlace> = {
  "a store that is opened again in a reopened storage hands out its whole history": async (newPlace) => {
    const open = await newPlace();
    const texts = Array.from({ length: 300 }, (_, index) => `record ${index} ${"x".repeat(index)}`);
    await onStore(
      async () => open,
      async (store) => {
        await Promise.all(texts.map((text) => store.append(bytesOf(text))));
      },
    );
    const storage = await open();
    assert.deepEqual(await storage.list(), ["bot"]);
    const { store, history } = await openStore(storage);
    assert.deepEqual(textsOf(history), texts);
    assert.deepEqual(
      history.records.map((record) => record.sequence),
      texts.map((_, index) => index + 1),
    );
    const { lastSequence, replayedRecords, tornBytes } = history.report;
    assert.deepEqual(
      { lastSequence, replayedRecords, tornBytes },
      { lastSequence: 300, replayedRecords: 300, tornBytes: 0 },
    );
    assert.equal(await store.append(bytesOf("next")), 301);
    await store.close();
    await storage.close();
  },

  "a store begins with its newest snapshot, then hands out the records after it": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      for (const text of ["a", "b", "c"]) await store.append(bytesOf(text));
      const other = { ...sectionOf("other", "x"), version: 7 };
      await store.writeSnapshot(2, [sectionOf("all", "a", "", "b"), sectionOf("empty"), other]);
      await store.append(bytesOf("d"));
      await store.close();
      const history = await historyIn(storage);
      assert.equal(history.snapshot?.sequence, 2);
      assert.deepEqual(
        [...(history.snapshot?.sections ?? [])].map(([key, { name, version, bytes }]) => [
          key,
          name,
          version,
          textOf(bytes),
        ]),
        [
          ["all", "all", 1, "ab"],
          ["empty", "empty", 1, ""],
          ["other", "other", 7, "x"],
        ],
      );
      assert.deepEqual(textsOf(history), ["c", "d"]);
      const { lastSequence, snapshotSequence, replayedRecords } = history.report;
      assert.deepEqual([lastSequence, snapshotSequence, replayedRecords], [4, 2, 2]);
    }),

  "a store is created with the records that the check of its creation appends": async (newPlace) => {
    const storage = await (await newPlace())();
    const first = { sequence: 2, sections: [sectionOf("all", "a", "b")] };
    await storage.create("bot", first, {
      check: async (store) => {
        await store.recover({ snapshot: () => undefined, record: () => undefined });
        await Promise.all(["c", "d"].map((text) => store.append(bytesOf(text))));
        await store.append(bytesOf("e"));
        assert.equal(await storage.exists("bot"), false);
      },
    });
    const history = await historyIn(storage);
    assert.equal(history.snapshot?.sequence, 2);
    assert.deepEqual(textsOf(history), ["c", "d", "e"]);
    assert.equal(history.report.lastSequence, 5);
    await storage.close();
  },

  "a store appends while a snapshot is written": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      await store.append(bytesOf("1"));
      const held = deferred();
      async function* chunks() {
        yield bytesOf("one");
        await held.promise;
        yield bytesOf(" and only");
      }
      const snapshot = store.writeSnapshot(1, [{ name: "all", version: 1, chunks: chunks() }]);
      for (const n of [2, 3, 4]) assert.equal(await store.append(bytesOf(String(n))), n);
      held.resolve();
      await snapshot;
      await store.close();
      const history = await historyIn(storage);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "one and only");
      assert.deepEqual(textsOf(history), ["2", "3", "4"]);
    }),

  "a recovery fails with the visitor's own error, and the store stays closed": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      await store.append(bytesOf("1"));
      await store.close();
      const failure = new Error("cannot apply that");
      for (const record of [
        () => {
          throw failure;
        },
        () => Promise.reject(failure),
      ]) {
        const broken = await storage.open("bot");
        await assert.rejects(broken.recover({ snapshot: () => undefined, record }), exactly(failure));
        await assert.rejects(broken.append(bytesOf("2")), CLOSED);
      }
      assert.deepEqual(textsOf(await historyIn(storage)), ["1"]);
    }),

  "a store can be closed during its recovery, however that ends": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      await store.append(bytesOf("1"));
      await store.close();
      for (const failure of [undefined, new Error("cannot apply that")]) {
        const closing = await storage.open("bot");
        let closed: Promise<void> | undefined;
        const recovery = closing.recover({
          snapshot: () => undefined,
          record: () => {
            closed = closing.close();
            if (failure !== undefined) throw failure;
          },
        });
        if (failure === undefined) await recovery;
        else await assert.rejects(recovery, exactly(failure));
        await closed;
        await assert.rejects(closing.append(bytesOf("2")), CLOSED);
      }
    }),

  "a recovery waits for a slow visitor, record by record": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      for (const text of ["a", "b", "c"]) await store.append(bytesOf(text));
      await store.close();
      const reopened = await storage.open("bot");
      const seen: string[] = [];
      await reopened.recover({
        snapshot: () => undefined,
        record: async (sequence, payload) => {
          seen.push(`begin ${sequence}`);
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(`end ${textOf(payload)}`);
        },
      });
      assert.deepEqual(seen, ["begin 1", "end a", "begin 2", "end b", "begin 3", "end c"]);
      await reopened.close();
    }),

  "a store says how large it is, the same after it is opened again": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      for (let n = 1; n <= 100; n += 1) await store.append(bytesOf("x".repeat(100)));
      const { logBytesSinceSnapshot, snapshotBytes, totalBytes } = store.sizes();
      assert.ok(logBytesSinceSnapshot >= 10_000, `${logBytesSinceSnapshot} bytes are fewer than were appended`);
      assert.equal(snapshotBytes, 0);
      assert.ok(totalBytes >= logBytesSinceSnapshot, "a store is at least as large as its log");
      await store.writeSnapshot(100, [sectionOf("all", "x".repeat(5000))]);
      assert.equal(store.sizes().logBytesSinceSnapshot, 0);
      assert.ok(store.sizes().snapshotBytes >= 5000, "a snapshot is at least as large as its sections");
      await store.append(bytesOf("x".repeat(100)));
      const sizes = store.sizes();
      assert.equal(sizes.logBytesSinceSnapshot, logBytesSinceSnapshot / 100);
      await store.close();
      const { store: reopened } = await openStore(storage);
      assert.deepEqual(reopened.sizes(), sizes);
      await reopened.close();
    }),

  "a purge leaves its snapshot and the records after it, and appends continue": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      for (const text of ["a", "b"]) await store.append(bytesOf(text));
      await store.writeCache("graph", bytesOf("old"));
      await store.purge(async (through) => ({ sequence: through, sections: [sectionOf("all", "ab")] }));
      assert.equal(await store.readCache("graph"), undefined);
      assert.equal(await store.append(bytesOf("c")), 3);
      await store.close();
      const history = await historyIn(storage);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "ab");
      assert.deepEqual(textsOf(history), ["c"]);
    }),

  "a recovery tells how far back something is stored beside its snapshot: after a purge, not before it": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      const snapshot = (sequence: number) => store.writeSnapshot(sequence, [sectionOf("all", "x")]);
      for (const text of ["a", "b"]) await store.append(bytesOf(text));
      await snapshot(2);
      await store.append(bytesOf("c"));
      await snapshot(3);
      const { keptAfter: before } = await reportAfter(store, storage);
      assert.ok(before !== undefined && before <= 2, `records up to 2 or a snapshot of them are stored, not ${before}`);
      const { store: purged } = await openStore(storage);
      await purged.purge(async (through) => ({ sequence: through, sections: [sectionOf("all", "x")] }));
      assert.equal((await reportAfter(purged, storage)).keptAfter, undefined);
      const { store: later } = await openStore(storage);
      for (const text of ["d", "e"]) await later.append(bytesOf(text));
      await later.writeSnapshot(5, [sectionOf("all", "x")]);
      assert.equal((await reportAfter(later, storage)).keptAfter, 3);
    }),

  "a store that was removed and created again is empty": (newPlace) =>
    onStore(newPlace, async (store, storage) => {
      await store.append(bytesOf("old"));
      await store.close();
      await storage.remove("bot");
      await assert.rejects(storage.open("bot"), { code: "CORRUPT" });
      await storage.create("bot");
      assert.deepEqual((await historyIn(storage)).records, []);
    }),
};
