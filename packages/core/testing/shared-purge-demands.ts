/** The demands on a purge of a store that several nodes have open. */

import { strict as assert } from "node:assert";
import { LoredexError } from "../src/model/errors.ts";
import type { Store } from "../src/storage/store.ts";
import type { Demands } from "./contract.ts";
import {
  appendText,
  follow,
  followThroughPurges,
  GONE,
  OVERTAKEN,
  onNodes,
  readAgain,
  requireReplaced,
} from "./told-nodes.ts";
import { bytesOf, type NewPlace, sectionOf, textOf, textsOf } from "./told-stores.ts";

const NOTHING = () => undefined;

/** The section `all` with a text, whose reading waits for its release. */
function heldSection(text: string) {
  let reach = NOTHING;
  let release = NOTHING;
  const isReached = new Promise<void>((resolve) => {
    reach = () => void resolve();
  });
  const isReleased = new Promise<void>((resolve) => {
    release = () => void resolve();
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    reach();
    await isReleased;
    yield bytesOf(text);
  }
  return { section: { name: "all", version: 1, chunks: chunks() }, isReached, release: () => release() };
}

/** Purges a store. @param erasesThrough the last record that is erased; default: all are */
function purgeAll(store: Store, erasesThrough?: number): Promise<unknown> {
  const sections = [sectionOf("all", "purged")];
  return store.purge(async (sequence) => ({
    sequence,
    sections,
    ...(erasesThrough === undefined ? {} : { erasesThrough }),
  }));
}

/** Begins a purge that waits for its release while it writes its snapshot. */
async function heldPurge(store: Store): Promise<{ readonly purging: Promise<unknown>; readonly release: () => void }> {
  const { section, isReached, release } = heldSection("purged");
  const purging = store.purge(async (through) => ({ sequence: through, sections: [section] }));
  await isReached;
  return { purging, release };
}

export const SHARED_PURGE_DEMANDS: Demands<NewPlace> = {
  "a purge replaces the store of other nodes that do not continue, and not that of its own": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "1");
      await follow(a.store);
      await purgeAll(b.store);
      await requireReplaced(a.store);
      await assert.rejects(a.store.writeSnapshot(1, [sectionOf("all", "lost")]), GONE);
      assert.equal(await appendText(b.store, "2"), 2);
      const history = await readAgain(a);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "purged");
      assert.deepEqual(textsOf(history), ["2"]);
    }),

  "a handle that continues after purges is overtaken by one, follows, and appends": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "1");
      await followThroughPurges(a.store);
      await purgeAll(b.store);
      await assert.rejects(appendText(a.store, "too late"), OVERTAKEN);
      await assert.rejects(purgeAll(a.store), OVERTAKEN);
      await appendText(b.store, "2");
      assert.deepEqual(await followThroughPurges(a.store), [
        [2, "2"],
        [0, "purged"],
      ]);
      assert.deepEqual(await followThroughPurges(a.store), []);
      assert.equal(await appendText(a.store, "3"), 3);
      await a.store.writeSnapshot(3, [sectionOf("all", "3")]);
      await follow(b.store);
      assert.equal(textOf((await readAgain(b)).snapshot?.sections.get("all")?.bytes), "3");
    }),

  "a purge keeps the records that it need not erase, for handles that continue": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(b.store, "1");
      await followThroughPurges(a.store);
      await appendText(b.store, "2");
      await purgeAll(b.store, 1);
      assert.deepEqual(await followThroughPurges(a.store), [
        [2, "2"],
        [0, "purged"],
      ]);
      await appendText(b.store, "3");
      await purgeAll(b.store);
      await assert.rejects(followThroughPurges(a.store), GONE);
      await requireReplaced(a.store);
      assert.deepEqual(textsOf(await readAgain(b)), []);
    }),

  "a purge of a store that another node removes meanwhile tells that it is gone": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await follow(b.store);
      const held = await heldPurge(a.store);
      await b.store.close();
      await b.storage.remove("bot");
      held.release();
      await assert.rejects(held.purging, GONE);
    }),

  "a snapshot that a purge of another node overtakes harms nothing": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await follow(b.store);
      const late = heldSection("late");
      const writing = a.store.writeSnapshot(1, [late.section]).then(NOTHING, NOTHING);
      await late.isReached;
      await purgeAll(b.store);
      late.release();
      await writing;
      const history = await readAgain(b);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "purged");
    }),

  "a purge that a snapshot of another node overtakes harms nothing": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await follow(b.store);
      const { purging, release } = await heldPurge(b.store);
      await a.store.writeSnapshot(1, [sectionOf("all", "quicker")]);
      release();
      await purging;
      const history = await readAgain(a);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "purged");
    }),

  "a purge that a later snapshot of another node overtakes is a conflict, and the later one stays": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      await appendText(a.store, "1");
      await followThroughPurges(b.store);
      const { purging, release } = await heldPurge(b.store);
      await appendText(a.store, "2");
      await a.store.writeSnapshot(2, [sectionOf("all", "later")]);
      release();
      await assert.rejects(purging, OVERTAKEN);
      assert.deepEqual(await followThroughPurges(b.store), [[2, "2"]]);
      await purgeAll(b.store);
      const history = await readAgain(a);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), "purged");
      assert.equal(history.report.lastSequence, 2);
    }),

  "a purge that later snapshots of another node overtake loses no record": (newPlace) =>
    onNodes(newPlace, async (a, b) => {
      const texts = ["two", "three", "four", "five"];
      await appendText(a.store, "one");
      await followThroughPurges(b.store);
      const { purging, release } = await heldPurge(b.store);
      for (const [index, text] of texts.entries()) {
        await appendText(a.store, text);
        if (index < 3) await a.store.writeSnapshot(index + 2, [sectionOf("all", text)]);
      }
      release();
      await assert.rejects(
        purging,
        (error) => error instanceof LoredexError && /^(CONFLICT|REPLACED)$/.test(error.code),
      );
      const history = await readAgain(b);
      assert.equal(textOf(history.snapshot?.sections.get("all")?.bytes), texts[2]);
      assert.deepEqual(textsOf(history), [texts[3]]);
    }),
};
