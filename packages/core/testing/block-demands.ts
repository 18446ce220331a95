/** The demands on the blocks of a store, if it has any. */

import { strict as assert } from "node:assert";
import {
  BLOCK_BYTES_MAX,
  BLOCK_ID_BYTES_MAX,
  BLOCK_PARTS_MAX,
  type BlockStore,
  type StoredBlock,
} from "../src/storage/block-store.ts";
import type { Demands } from "./contract.ts";
import { appendTo, blocksOf, LABEL, onBlocks, openBlocks, textsIn, textsOfBlock } from "./told-blocks.ts";
import { bytesOf, CLOSED, MISUSED, type NewPlace, openStore, textOf } from "./told-stores.ts";

const KEY = { id: "a", version: 1, first: 0 };
const PART = [bytesOf("x")];
const NO_BLOCKS = { blocks: [], droppedBytes: 0 };

/** Blocks of many ids, versions and lengths, appended at once. */
const MANY_KEYS = Array.from({ length: 500 }, (_, n) => ({ id: `d${n % 100}`, version: 1 + (n % 7), first: n }));

function appendMany(blocks: BlockStore): Promise<StoredBlock[]> {
  return Promise.all(
    MANY_KEYS.map(({ id, version, first }) => appendTo(blocks, id, version, first, 1 + (first % 4), 30 + first)),
  );
}

async function requireWhole(blocks: BlockStore, block: StoredBlock): Promise<void> {
  assert.deepEqual(await textsIn(blocks, block), textsOfBlock(block));
}

export const BLOCK_DEMANDS: Demands<NewPlace> = {
  "blocks give any parts of a block as they were appended": (newPlace) =>
    onBlocks(newPlace, async ({ blocks }) => {
      const texts = ["one", "", "three", "four"];
      const block = await blocks.append({ id: "döcument", version: 7, first: 64 }, texts.map(bytesOf));
      const { id, version, first, partBytes } = block;
      assert.deepEqual([id, version, first, partBytes], ["döcument", 7, 64, [3, 0, 5, 4]]);
      for (let from = 0; from <= 4; from += 1) {
        for (let to = from; to <= 4; to += 1) {
          assert.deepEqual((await blocks.read(block, from, to))?.map(textOf), texts.slice(from, to));
        }
      }
    }),

  "blocks are kept apart, however many are appended at once": (newPlace) =>
    onBlocks(newPlace, async ({ blocks }) => {
      const appended = await appendMany(blocks);
      for (const block of appended) await requireWhole(blocks, block);
      const total = appended.flatMap(({ partBytes }) => partBytes).reduce((sum, bytes) => sum + bytes, 0);
      const { bytes, liveBytes } = blocks.sizes();
      assert.ok(liveBytes >= total, `${liveBytes} live bytes are fewer than the ${total} that were appended`);
      assert.ok(bytes >= liveBytes, "live bytes are among all bytes");
    }),

  "blocks give nothing of removed or foreign blocks, and may be told twice": (newPlace) =>
    onBlocks(newPlace, async ({ blocks, store }) => {
      const other = blocksOf(store, "other");
      await other.open("x");
      const [a, b] = [await appendTo(blocks, "a", 1), await appendTo(blocks, "b", 1)];
      const foreign = await appendTo(other, "c", 1);
      const before = blocks.sizes().liveBytes;
      blocks.remove(a);
      blocks.remove(a);
      blocks.remove(foreign);
      assert.equal(blocks.sizes().liveBytes, before / 2);
      assert.deepEqual([blocks.has(a), blocks.has(b), blocks.has(foreign)], [false, true, false]);
      assert.equal(await blocks.read(a, 0, 1), undefined);
      assert.equal(await blocks.read(foreign, 0, 1), undefined);
      await requireWhole(blocks, b);
      await requireWhole(other, foreign);
      await blocks.clear();
      assert.equal(await blocks.read(b, 0, 1), undefined);
      assert.deepEqual(blocks.sizes(), { bytes: 0, liveBytes: 0 });
      await requireWhole(blocks, await appendTo(blocks, "after", 1));
    }),

  "blocks that are opened again are all there with the same label, and not with another": (newPlace) =>
    onBlocks(newPlace, async ({ blocks, store }) => {
      const block = await appendTo(blocks, "a", 1);
      assert.deepEqual(await blocks.open(LABEL), { blocks: [block], droppedBytes: 0 });
      await requireWhole(blocks, block);
      assert.deepEqual(await blocks.open("signs of another model"), NO_BLOCKS);
      assert.equal(await blocks.read(block, 0, 1), undefined);
      assert.deepEqual(blocks.sizes(), { bytes: 0, liveBytes: 0 });
      await requireWhole(blocks, await appendTo(blocks, "after", 1));
      // In a store that nodes share they stay for the others.
      const left = store.shared === undefined ? [] : [block];
      assert.deepEqual((await blocks.open(LABEL)).blocks, left);
    }),

  "blocks that were not removed survive a purge of their store": (newPlace) =>
    onBlocks(newPlace, async ({ blocks, store }) => {
      const [gone, stays] = [await appendTo(blocks, "gone", 1), await appendTo(blocks, "stays", 1)];
      blocks.remove(gone);
      await store.purge(async (through) => ({ sequence: through, sections: [] }));
      await requireWhole(blocks, stays);
    }),

  "blocks refuse wrong keys, parts and ranges, and take the next": (newPlace) =>
    onBlocks(newPlace, async ({ blocks }) => {
      for (const wrong of [
        { ...KEY, id: "" },
        { ...KEY, id: "x".repeat(BLOCK_ID_BYTES_MAX + 1) },
        { ...KEY, version: -1 },
        { ...KEY, version: 0.5 },
        { ...KEY, first: -1 },
        { ...KEY, first: 2 ** 32 },
      ]) {
        await assert.rejects(blocks.append(wrong, PART), MISUSED);
      }
      await assert.rejects(blocks.append(KEY, []), MISUSED);
      const tooMany = Array.from({ length: BLOCK_PARTS_MAX + 1 }, () => new Uint8Array(1));
      await assert.rejects(blocks.append(KEY, tooMany), MISUSED);
      await assert.rejects(blocks.append(KEY, [new Uint8Array(BLOCK_BYTES_MAX), ...PART]), MISUSED);
      const largest = { id: "x".repeat(BLOCK_ID_BYTES_MAX), version: Number.MAX_SAFE_INTEGER, first: 2 ** 32 - 1 };
      const block = await blocks.append(largest, tooMany.slice(1));
      assert.equal((await blocks.read(block, 0, BLOCK_PARTS_MAX))?.length, BLOCK_PARTS_MAX);
      for (const [from, to] of [
        [-1, 1],
        [1, 0],
        [0, BLOCK_PARTS_MAX + 1],
        [0.5, 1],
      ] as const) {
        await assert.rejects(blocks.read(block, from, to), MISUSED);
      }
    }),

  "blocks must be opened before they are used, and refuse everything once their store is closed": (newPlace) =>
    onBlocks(newPlace, async ({ blocks, store }) => {
      const block = await blocks.append(KEY, PART);
      assert.equal(blocksOf(store), blocks);
      for (const wrong of ["", "../log", "Signs", "a.b"]) assert.throws(() => blocksOf(store, wrong), MISUSED);
      const unopened = blocksOf(store, "unopened");
      await assert.rejects(unopened.append(KEY, PART), MISUSED);
      await assert.rejects(unopened.read(block, 0, 1), MISUSED);
      assert.throws(() => unopened.remove(block));
      await store.close();
      await assert.rejects(blocks.append(KEY, PART), CLOSED);
      await assert.rejects(blocks.read(block, 0, 1), CLOSED);
      await assert.rejects(blocks.clear(), CLOSED);
      await assert.rejects(unopened.open("x"), CLOSED);
      assert.throws(() => blocksOf(store), CLOSED);
    }),
};

export const KEPT_BLOCK_DEMANDS: Demands<NewPlace> = {
  "blocks are found again in their order in a reopened storage": async (newPlace) => {
    const open = await newPlace();
    let sizes: ReturnType<BlockStore["sizes"]> | undefined;
    await onBlocks(
      async () => open,
      async ({ blocks }) => {
        await appendMany(blocks);
        sizes = blocks.sizes();
      },
    );
    if (sizes === undefined) return;
    const again = await openBlocks(await open());
    assert.equal(again.droppedBytes, 0);
    assert.deepEqual(
      again.found.map(({ id, version, first }) => ({ id, version, first })),
      MANY_KEYS,
    );
    for (const block of again.found) await requireWhole(again.blocks, block);
    assert.deepEqual(again.blocks.sizes(), sizes);
    await requireWhole(again.blocks, await appendTo(again.blocks, "more", 1));
    for (const block of again.found.slice(-1)) await requireWhole(again.blocks, block);
    await again.close();
  },

  "blocks that are opened to be read stay as they are, whatever the label is": async (newPlace) => {
    const open = await newPlace();
    const reading = async (label: string): Promise<readonly StoredBlock[]> => {
      const storage = await open();
      const { store } = await openStore(storage);
      const blocks = blocksOf(store);
      const found = (await blocks.openToRead?.(label)) ?? [];
      for (const block of found) {
        assert.ok(blocks.has(block));
        await requireWhole(blocks, block);
      }
      await assert.rejects(blocks.append(KEY, PART), MISUSED);
      assert.throws(() => blocks.remove({ ...KEY, partBytes: [1] }), MISUSED);
      await assert.rejects(blocks.clear(), MISUSED);
      await assert.rejects(blocks.open(label), MISUSED);
      await store.close();
      await storage.close();
      return found;
    };
    let isReadable = false;
    await onBlocks(
      async () => open,
      async ({ blocks }) => {
        await appendMany(blocks);
        isReadable = blocks.openToRead !== undefined;
        if (isReadable) await assert.rejects(async () => blocks.openToRead?.(LABEL), MISUSED);
      },
    );
    if (!isReadable) return;
    assert.deepEqual(await reading("signs of another model"), []);
    for (let time = 0; time < 2; time += 1) {
      const found = await reading(LABEL);
      assert.deepEqual(
        found.map(({ id, version, first }) => ({ id, version, first })),
        MANY_KEYS,
      );
    }
    const again = await openBlocks(await open());
    assert.equal(again.found.length, MANY_KEYS.length);
    await again.close();
  },
};
