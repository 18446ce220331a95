/** The demands on what the nodes of a shared storage have in common: leases, request counts, the clock, names. */

import { strict as assert } from "node:assert";
import type { StatementEvent, StatementKind } from "../src/model/work.ts";
import { systemSleep } from "../src/platform/system.ts";
import type { Lease, Storage, Store } from "../src/storage/store.ts";
import type { Demands } from "./contract.ts";
import { appendText, follow, OVERTAKEN, onNodes, onStorages, sharedOf, sharedStorageOf } from "./told-nodes.ts";
import { MISUSED, type NewPlace, openStore, textsOf } from "./told-stores.ts";

const JOB = "snapshots";
const LONG_MS = 60_000;
/** A lease of the one length has ended after a wait of the other. */
const [SHORT_MS, WAIT_MS] = [50, 150];
/** Two nodes may differ by a round trip, and a machine under load may stop in between. */
const CLOCKS_APART_MS_MAX = 2_000;

async function leaseOf(store: Store, ms: number): Promise<Lease> {
  const lease = await sharedOf(store).lease(JOB, ms);
  assert.ok(lease, "the job is free");
  return lease;
}

const kindsOf = (told: readonly StatementEvent[]): StatementKind[] => told.map(({ kind }) => kind);

export const SHARED_STORAGE_DEMANDS: Demands<NewPlace> = {
  "a lease is held by one node, and its release lets others in": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const first = await leaseOf(a.store, LONG_MS);
      assert.equal(await sharedOf(b.store).lease(JOB, LONG_MS), undefined);
      const other = await sharedOf(b.store).lease("other-job", LONG_MS);
      assert.ok(other, "each job has a lease of its own");
      await first.release();
      await first.release();
      const second = await leaseOf(b.store, LONG_MS);
      assert.ok(second.token > first.token, `token ${second.token} follows ${first.token}`);
      assert.equal(await sharedOf(a.store).lease(JOB, LONG_MS), undefined);
      for (const wrong of ["", "Jobs", "a.b"]) await assert.rejects(sharedOf(a.store).lease(wrong, LONG_MS), MISUSED);
    }),

  "a lease ends by itself, and cannot be renewed or released once another node has the job": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const first = await leaseOf(a.store, SHORT_MS);
      await systemSleep(WAIT_MS);
      const second = await leaseOf(b.store, LONG_MS);
      assert.ok(second.token > first.token, `token ${second.token} follows ${first.token}`);
      assert.equal(await first.renew(LONG_MS), false);
      await first.release();
      assert.equal(await sharedOf(a.store).lease(JOB, LONG_MS), undefined);
      assert.equal(await second.renew(LONG_MS), true);
    }),

  "a lease that is renewed lasts longer": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const lease = await leaseOf(a.store, SHORT_MS);
      assert.equal(await lease.renew(LONG_MS), true);
      await systemSleep(WAIT_MS);
      assert.equal(await sharedOf(b.store).lease(JOB, LONG_MS), undefined);
    }),

  "requests of a name are counted for all nodes together, and refused ones are not": (newPlace) =>
    onStorages(newPlace, async (first, second) => {
      const [a, b] = [sharedStorageOf(first), sharedStorageOf(second)];
      assert.equal(await a.admit("key", 2), 0);
      assert.equal(await b.admit("key", 2), 0);
      for (const node of [a, b]) {
        const waitMs = await node.admit("key", 2);
        assert.ok(waitMs > 0 && waitMs <= 60_000, `a wait of ${waitMs} ms is not within the next minute`);
      }
      assert.equal(await b.admit("key", 3), 0, "a refused request was counted");
      assert.equal(await a.admit("other key", 1), 0);
    }),

  "requests at the same time are admitted up to the limit": (newPlace) =>
    onStorages(newPlace, async (first, second) => {
      const nodes = [sharedStorageOf(first), sharedStorageOf(second)];
      const waits = await Promise.all(nodes.flatMap((node) => [1, 2, 3, 4].map(() => node.admit("key", 5))));
      assert.equal(waits.filter((waitMs) => waitMs === 0).length, 5);
    }),

  "the clock of a shared storage never runs backwards, and is nearly the same on all nodes": (newPlace) =>
    onStorages(newPlace, async (first, second) => {
      const [a, b] = [sharedStorageOf(first), sharedStorageOf(second)];
      let beforeMs = 0;
      for (let call = 1; call <= 100; call += 1) {
        // An answer may correct the clock.
        if (call % 10 === 0) await Promise.all([first.exists("bot"), second.exists("bot")]);
        const nowMs = a.nowMs();
        assert.ok(nowMs >= beforeMs, `${nowMs} came after ${beforeMs}`);
        const apartMs = Math.abs(nowMs - b.nowMs());
        assert.ok(apartMs <= CLOCKS_APART_MS_MAX, `the clocks are ${apartMs} ms apart`);
        beforeMs = nowMs;
      }
      assert.ok(!Number.isNaN(new Date(beforeMs).getTime()), `${beforeMs} is no date`);
      assert.deepEqual([a.silentMs(), b.silentMs()], [0, 0]);
    }),

  "a node is told of each of its statements that ends, and of no other node's": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const told: StatementEvent[] = [];
      const others: StatementEvent[] = [];
      sharedStorageOf(a.storage).observe((event) => told.push(event));
      sharedStorageOf(b.storage).observe((event) => others.push(event));
      await appendText(a.store, "one");
      assert.deepEqual(kindsOf(told), ["append"]);
      await sharedOf(a.store).follow(() => undefined);
      assert.deepEqual(kindsOf(told), ["append", "head"]);
      await sharedStorageOf(a.storage).admit("key", 1);
      assert.ok(kindsOf(told.slice(2)).includes("other"));
      assert.deepEqual(others, []);
      for (const { durationMs, retries, failed } of told) {
        assert.ok(durationMs >= 0, `a statement of ${durationMs} ms`);
        assert.deepEqual([retries, failed], [0, false]);
      }
      await assert.rejects(appendText(b.store, "decided on what node a had"), OVERTAKEN);
      assert.ok(kindsOf(others).includes("append"));
    }),

  "a store that two nodes create at the same time is created once": (newPlace) =>
    onStorages(newPlace, async (first, second) => {
      const created = await Promise.allSettled([first.create("bot"), second.create("bot")]);
      const refused = created.filter((result) => result.status === "rejected");
      assert.equal(refused.length, 1, "one of them has the name");
      await assert.rejects(Promise.reject(refused[0]?.reason), MISUSED);
      for (const storage of [first, second]) assert.deepEqual(await storage.list(), ["bot"]);
    }),

  "a store that two nodes replace at the same time is replaced once": (newPlace) =>
    onStorages(newPlace, async (first, second) => {
      await first.create("bot", { sequence: 1, sections: [] });
      const replacing = (storage: Storage, sequence: number) =>
        storage.create("bot", { sequence, sections: [] }, { replaces: true });
      let other: Promise<void> | undefined;
      const check = async () => {
        other ??= replacing(second, 3);
        await other;
      };
      await assert.rejects(first.create("bot", { sequence: 2, sections: [] }, { replaces: true, check }), MISUSED);
      assert.equal((await second.verify("bot")).lastSequence, 3);
    }),

  "a store that another node appends to while it is being replaced stays": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await a.store.close();
      const check = async () => void (await appendText(b.store, "acknowledged"));
      await assert.rejects(a.storage.create("bot", undefined, { replaces: true, check }), MISUSED);
      assert.equal(await appendText(b.store, "more"), 2);
      const again = await openStore(a.storage);
      await again.store.close();
      assert.deepEqual(textsOf(again.history), ["acknowledged", "more"]);
    }),

  "a removal that was decided on the head of another store is a conflict once that has a later record": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const storages = [a.storage, b.storage];
      await a.storage.create("other");
      const decided = sharedOf(a.store).head();
      await appendText(b.store, "keep the other");
      await assert.rejects(a.storage.remove("other", decided), OVERTAKEN);
      for (const storage of storages) assert.equal(await storage.exists("other"), true);
      await follow(a.store);
      assert.equal(sharedOf(a.store).head(), sharedOf(b.store).head());
      await a.storage.remove("other", sharedOf(b.store).head());
      for (const storage of storages) assert.equal(await storage.exists("other"), false);
      await a.storage.remove("other", sharedOf(a.store).head());
    }),
};
