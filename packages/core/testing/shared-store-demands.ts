/** The demands on a store that several nodes append to. */

import { strict as assert } from "node:assert";
import { type Demands, exactly } from "./contract.ts";
import {
  appendInTheEnd,
  appendText,
  follow,
  type Node,
  OVERTAKEN,
  onNodes,
  readAgain,
  requireReplaced,
  sharedOf,
  type Told,
} from "./told-nodes.ts";
import {
  bytesOf,
  CLOSED,
  MISUSED,
  type NewPlace,
  onStorage,
  recoverHistory,
  requireRefusedAtOnce,
  sectionOf,
  textOf,
  textsOf,
} from "./told-stores.ts";

const NOTHING = () => undefined;

/** The texts `name-1` to `name-count`. */
function textsNamed(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}

export const SHARED_STORE_DEMANDS: Demands<NewPlace> = {
  "a shared append that another node overtook is a conflict, with all behind it, and none is stored": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "theirs");
      const failed: number[] = [];
      const refused = [1, 2, 3].map((n) => a.store.append(bytesOf(`ours ${n}`), () => failed.push(n)));
      await Promise.all(refused.map((append) => assert.rejects(append, OVERTAKEN)));
      assert.deepEqual(failed, [1, 2, 3], "onFailed is called once for each");
      assert.deepEqual(await follow(a.store), [[1, "theirs"]]);
      assert.deepEqual(await follow(b.store), []);
      assert.deepEqual(textsOf(await readAgain(b)), ["theirs"]);
    }),

  "a shared append after a conflict is refused at once until the records of others were handed out": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "theirs");
      await assert.rejects(appendText(a.store, "too late"), OVERTAKEN);
      await requireRefusedAtOnce(a.store, bytesOf("still too late"), OVERTAKEN);
      await follow(a.store);
      assert.equal(await appendText(a.store, "in time"), 2);
      assert.deepEqual(await follow(b.store), [[2, "in time"]]);
    }),

  "a follow hands out the records of other nodes in order, and none of its own": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      assert.deepEqual(await follow(a.store), []);
      await Promise.all(textsNamed("b", 20).map((text) => appendText(b.store, text)));
      const told = await follow(a.store);
      assert.deepEqual(
        told,
        textsNamed("b", 20).map((text, index) => [index + 1, text]),
      );
      await appendText(a.store, "a");
      assert.deepEqual(await follow(a.store), []);
      assert.deepEqual(await follow(b.store), [[21, "a"]]);
    }),

  "a follow waits for each record to be applied, and for the appends before it": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const order: string[] = [];
      const append = appendText(a.store, "a").then(() => order.push("appended"));
      await follow(a.store);
      order.push("followed");
      await append;
      assert.deepEqual(order, ["appended", "followed"]);
      await sharedOf(b.store).follow(async (sequence, payload) => {
        order.push(`begin ${sequence}`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`end ${textOf(payload)}`);
      });
      assert.deepEqual(order.slice(2), ["begin 1", "end a"]);
    }),

  "a snapshot may hold a record of others from when it is handed out, before it is wholly applied": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "theirs");
      let writing: Promise<unknown> = Promise.resolve();
      await sharedOf(a.store).follow(async (sequence) => {
        await new Promise((resolve) => setImmediate(resolve));
        writing = a.store.writeSnapshot(sequence, [sectionOf("all", "theirs")]);
        writing.catch(NOTHING);
      });
      await writing;
    }),

  "a shared append that waits behind the records of others is a conflict: it was decided without them": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "theirs");
      const following = follow(a.store);
      const append = appendText(a.store, "decided before");
      await assert.rejects(append, OVERTAKEN);
      assert.deepEqual(await following, [[1, "theirs"]]);
      await follow(a.store);
      assert.equal(await appendText(a.store, "decided after"), 2);
    }),

  "follows at the same time hand out each record once, and all of it": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      for (const text of textsNamed("b", 10)) await appendText(b.store, text);
      const told: Told[] = [];
      const counts = await Promise.all([1, 2, 3, 4, 5].map(() => follow(a.store, told).then(() => told.length)));
      assert.deepEqual(counts, [10, 10, 10, 10, 10], "each resolves when all are handed out");
      assert.deepEqual(
        told.map(([, text]) => text),
        textsNamed("b", 10),
      );
    }),

  "two nodes that append at the same time store every record once, in an order that both see": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const [toldA, toldB]: [Told[], Told[]] = [[], []];
      const all = async (node: Node, name: string, told: Told[]) => {
        for (const text of textsNamed(name, 25)) await appendInTheEnd(node.store, text, told);
      };
      await Promise.all([all(a, "a", toldA), all(b, "b", toldB)]);
      await Promise.all([follow(a.store, toldA), follow(b.store, toldB)]);
      assert.deepEqual(toldA, toldB);
      assert.deepEqual(
        toldA.map(([sequence]) => sequence),
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      const sorted = toldA.map(([, text]) => text).sort();
      assert.deepEqual(sorted, [...textsNamed("a", 25), ...textsNamed("b", 25)].sort());
      assert.deepEqual(
        textsOf(await readAgain(a)),
        toldA.map(([, text]) => text),
      );
    }),

  "a node that recovers while another appends misses no record": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await b.store.close();
      await Promise.all(textsNamed("a", 30).map((text) => appendText(a.store, text)));
      const reopened = await b.storage.open("bot");
      const [history] = await Promise.all([
        recoverHistory(reopened),
        (async () => {
          for (const text of textsNamed("later", 30)) await appendText(a.store, text);
        })(),
      ]);
      const told: Told[] = history.records.map(({ sequence, text }) => [sequence, text]);
      await follow(reopened, told);
      await reopened.close();
      const texts = [...textsNamed("a", 30), ...textsNamed("later", 30)];
      assert.deepEqual(
        told,
        texts.map((text, index) => [index + 1, text]),
      );
    }),

  "a shared snapshot of the same or an older record than the stored one changes nothing": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await appendText(a.store, "2");
      await follow(b.store);
      await a.store.writeSnapshot(2, [sectionOf("all", "newest")]);
      await b.store.writeSnapshot(1, [sectionOf("all", "older")]);
      await b.store.writeSnapshot(2, [sectionOf("all", "second")]);
      const history = await readAgain(b);
      assert.equal(history.snapshot?.sequence, 2);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "newest");
    }),

  "a shared snapshot that is written again replaces the one of the same record": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await follow(b.store);
      await a.store.writeSnapshot(1, [sectionOf("all", "first")]);
      await b.store.writeSnapshot(1, [sectionOf("all", "again")], true);
      await a.store.writeSnapshot(1, [sectionOf("all", "again and again")], true);
      assert.equal(await appendText(a.store, "2"), 2);
      for (const node of [a, b]) {
        const history = await readAgain(node);
        assert.equal(history.snapshot?.sequence, 1);
        assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "again and again");
        assert.deepEqual(textsOf(history), ["2"]);
      }
    }),

  "a shared snapshot that is written again replaces no later one": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await appendText(a.store, "2");
      await follow(b.store);
      await a.store.writeSnapshot(1, [sectionOf("all", "of 1")]);
      await a.store.writeSnapshot(2, [sectionOf("all", "of 2")]);
      await b.store.writeSnapshot(1, [sectionOf("all", "of 1, again")], true);
      const history = await readAgain(b);
      assert.equal(history.snapshot?.sequence, 2);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "of 2");
    }),

  "a node that wrote no snapshot tells the same sizes as the one that did": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      for (const [index, text] of textsNamed("a", 4).entries()) {
        await appendText(a.store, text);
        await follow(b.store);
        await a.store.writeSnapshot(index + 1, [sectionOf("all", text.repeat(index + 1))]);
        await follow(b.store);
        assert.deepEqual(b.store.sizes(), a.store.sizes());
      }
    }),

  "a node far behind is handed out all records, or its store is replaced": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const texts = textsNamed("b", 6);
      for (const [index, text] of texts.entries()) {
        await appendText(b.store, text);
        await b.store.writeSnapshot(index + 1, [sectionOf("all", text)]);
      }
      const told: Told[] = [];
      const error: unknown = await follow(a.store, told).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) {
        assert.deepEqual(
          told.map(([, text]) => text),
          texts,
        );
      } else {
        assert.deepEqual(told, [], "it hands out nothing that comes after a gap");
        await requireReplaced(a.store);
      }
    }),

  "a store that another node removed is replaced, also if there is a new one of its name": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await b.store.close();
      await appendText(a.store, "1");
      await b.storage.remove("bot");
      await b.storage.create("bot");
      await requireReplaced(a.store);
      assert.equal((await readAgain(a)).report.lastSequence, 0);
      await a.storage.remove("bot");
      await assert.rejects(a.storage.open("bot"), { code: "CORRUPT" });
    }),

  "a follow whose record cannot be applied fails with that error, and the store is replaced": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "1");
      const failure = new Error("cannot apply that");
      await assert.rejects(
        sharedOf(a.store).follow(() => Promise.reject(failure)),
        exactly(failure),
      );
      await requireReplaced(a.store);
    }),

  "the shared part of a store must be recovered first, and refuses everything once it is closed": (newPlace) =>
    onStorage(newPlace, async (storage) => {
      await storage.create("bot");
      const store = await storage.open("bot");
      const shared = sharedOf(store);
      await assert.rejects(shared.follow(NOTHING), MISUSED);
      await assert.rejects(shared.lease("snapshots", 1_000), MISUSED);
      await store.close();
      await assert.rejects(shared.follow(NOTHING), CLOSED);
      await assert.rejects(shared.lease("snapshots", 1_000), CLOSED);
    }),

  "refreshed blocks are those that other nodes have appended, once each": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const [ofA, ofB] = [a.store.blocks?.("codes"), b.store.blocks?.("codes")];
      if (ofA === undefined || ofB === undefined) return;
      assert.ok(ofA.refresh, "blocks of a shared store have `refresh`");
      await ofA.open("label");
      await ofB.open("label");
      await ofA.append({ id: "own", version: 1, first: 0 }, [bytesOf("ours")]);
      const block = await ofB.append({ id: "other", version: 2, first: 3 }, [bytesOf("one"), bytesOf("two")]);
      const [added, ...more] = await ofA.refresh();
      assert.deepEqual([added, more], [block, []]);
      assert.ok(added !== undefined && ofA.has(added));
      assert.deepEqual((await ofA.read(added, 0, 2))?.map(textOf), ["one", "two"]);
      assert.deepEqual(await ofA.refresh(), []);
    }),

  "blocks of two nodes with different labels stand beside each other, until one of them purges": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const [ofA, ofB] = [a.store.blocks?.("codes"), b.store.blocks?.("codes")];
      if (ofA === undefined || ofB === undefined) return;
      const key = { id: "same", version: 1, first: 0 };
      await ofA.open("a");
      const block = await ofA.append(key, [bytesOf("ours")]);
      assert.deepEqual((await ofB.open("b")).blocks, []);
      const theirs = await ofB.append(key, [bytesOf("theirs")]);
      assert.deepEqual(await ofA.refresh?.(), []);
      assert.deepEqual((await ofA.read(block, 0, 1))?.map(textOf), ["ours"]);
      await ofB.clear();
      assert.equal(await ofB.read(theirs, 0, 1), undefined);
      assert.deepEqual((await ofA.read(block, 0, 1))?.map(textOf), ["ours"]);
      await b.store.purge(async (through) => ({ sequence: through, sections: [] }));
      assert.deepEqual((await ofB.open("a")).blocks, []);
    }),
};
