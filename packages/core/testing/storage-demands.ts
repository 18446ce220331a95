/** The demands on a storage beside its stores: their names, their creation, and who may use them. */

import { strict as assert } from "node:assert";
import type { Demands } from "./contract.ts";
import { bytesOf, CLOSED, MISUSED, type NewPlace, onStorage, openStore, sectionOf, textOf } from "./told-stores.ts";

const NOTHING = { section: () => undefined, record: () => undefined };

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield bytesOf("begun");
  throw new Error("the source broke off");
}

export const STORAGE_DEMANDS: Demands<NewPlace> = {
  "a storage knows the stores that were created and not removed": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      assert.deepEqual(await storage.list(), []);
      assert.equal(await storage.exists("a"), false);
      await storage.create("a");
      await storage.create("b-2");
      assert.equal(await storage.exists("a"), true);
      assert.deepEqual((await storage.list()).sort(), ["a", "b-2"]);
      await storage.remove("a");
      await storage.remove("a");
      assert.deepEqual(await storage.list(), ["b-2"]);
      await storage.create("a");
      assert.deepEqual((await storage.list()).sort(), ["a", "b-2"]);
    }),

  "a storage refuses a name that is taken, impossible or missing": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("a");
      await assert.rejects(storage.create("a"), MISUSED);
      for (const name of ["", "A", "a.b", "../a", "a/b", "a".repeat(65)]) {
        await assert.rejects(storage.create(name), MISUSED, `"${name}" is no name`);
      }
      await storage.create("a".repeat(64));
      await assert.rejects(storage.open("none"), { code: "CORRUPT" });
    }),

  "a storage creates a store that begins with a snapshot, and none if the snapshot breaks off": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("a", { sequence: 7, sections: [sectionOf("all", "one ", "two"), sectionOf("more")] });
      const { store, history } = await openStore(storage, "a");
      assert.deepEqual(history.records, []);
      assert.equal(history.report.lastSequence, 7);
      assert.equal(history.report.snapshotSequence, 7);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "one two");
      assert.equal(history.snapshot?.sections.get("more")?.bytes.length, 0);
      assert.equal(await store.append(bytesOf("eight")), 8);
      await store.writeSnapshot(8, [sectionOf("all", "three")]);
      await store.close();
      const broken = { sequence: 3, sections: [{ name: "all", version: 1, chunks: brokenOff() }] };
      await assert.rejects(storage.create("b", broken), /broke off/);
      assert.deepEqual(await storage.list(), ["a"]);
      await storage.create("b", { sequence: 0, sections: [] });
      const empty = await openStore(storage, "b");
      assert.equal(empty.history.snapshot, undefined);
      assert.equal(empty.history.report.lastSequence, 0);
      await empty.store.close();
    }),

  "a storage finds its stores whole, open or closed, and a problem in a missing one": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("a");
      assert.deepEqual((await storage.verify("a")).problems, []);
      const { store } = await openStore(storage, "a");
      await store.append(bytesOf("one"));
      assert.deepEqual((await storage.verify("a")).problems, []);
      await assert.rejects(storage.salvage("a", NOTHING), MISUSED);
      await store.close();
      assert.deepEqual((await storage.salvage("a", NOTHING)).condition.problems, []);
      assert.equal((await storage.verify("none")).problems.length, 1);
    }),

  "a storage gives a store to one holder at a time": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("a");
      const store = await storage.open("a");
      await assert.rejects(storage.open("a"), MISUSED);
      await assert.rejects(storage.remove("a"), MISUSED);
      await assert.rejects(storage.close(), MISUSED);
      await store.close();
      await (await storage.open("a")).close();
    }),

  "a storage can be probed for access and for writing": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("a");
      await storage.requireAccess("a");
      await storage.requireWritable();
      assert.deepEqual(await storage.list(), ["a"]);
    }),

  "a storage refuses everything once it is closed, and can be closed twice": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.close();
      await storage.close();
      await assert.rejects(storage.create("a"), CLOSED);
      await assert.rejects(storage.exists("a"), CLOSED);
      await assert.rejects(storage.open("a"), CLOSED);
      await assert.rejects(storage.remove("a"), CLOSED);
      await assert.rejects(storage.list(), CLOSED);
    }),
};
