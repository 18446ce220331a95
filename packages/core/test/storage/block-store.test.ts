import { describe, expect, it } from "vitest";
import {
  BLOCK_BYTES_MAX,
  BLOCK_ID_BYTES_MAX,
  BLOCK_PARTS_MAX,
  type StoredBlock,
} from "../../src/storage/block-store.ts";
import { filesWith } from "../support/files-of.ts";
import { appendTo, blockFiles, blocksOf, LABEL, openBlocks, partsOf, textsIn, textsOfBlock } from "./blocks-kit.ts";
import { bytesOf, openOn, realDisks, simulatedDisk, storePath } from "./kit.ts";
import { kinds } from "./storage-kinds.ts";

const realDisk = realDisks();

describe.each(kinds)("blocks: %s", (_name, make) => {
  it("gives any parts of a block that was appended, as they were", async () => {
    const { blocks, close } = await openBlocks(await (await make()).open());
    const parts = [bytesOf("one"), new Uint8Array(0), bytesOf("three"), bytesOf("four")];
    const block = await blocks.append({ id: "döcument", version: 7, first: 64 }, parts);
    expect(block).toMatchObject({ id: "döcument", version: 7, first: 64, partBytes: [3, 0, 5, 4] });
    for (let from = 0; from <= 4; from += 1) {
      for (let to = from; to <= 4; to += 1) {
        const read = await blocks.read(block, from, to);
        expect(read?.map((part) => Buffer.from(part).toString())).toEqual(["one", "", "three", "four"].slice(from, to));
      }
    }
    await close();
  });

  it("keeps blocks apart, however many are called for at once, and finds them again in their order", async () => {
    const kind = await make();
    const first = await openBlocks(await kind.open());
    const keys = Array.from({ length: 500 }, (_, n) => ({ id: `d${n % 100}`, version: 1 + (n % 7), first: n }));
    const appended = await Promise.all(
      keys.map(({ id, version, first: part }) => appendTo(first.blocks, id, version, part, 1 + (part % 4), 30 + part)),
    );
    for (const block of appended) expect(await textsIn(first.blocks, block)).toEqual(textsOfBlock(block));
    const sizes = first.blocks.sizes();
    const bytes = appended.reduce((sum, { partBytes }) => sum + partBytes.reduce((all, part) => all + part, 0), 0);
    expect(sizes.liveBytes).toBeGreaterThanOrEqual(bytes);
    expect(sizes.bytes).toBeGreaterThanOrEqual(sizes.liveBytes);
    await first.close();
    if (!kind.keeps) return;
    const again = await openBlocks(await kind.open());
    expect(again.droppedBytes).toBe(0);
    expect(again.found.map(({ id, version, first: part }) => ({ id, version, first: part }))).toEqual(keys);
    for (const block of again.found) expect(await textsIn(again.blocks, block)).toEqual(textsOfBlock(block));
    expect(again.blocks.sizes()).toEqual(sizes);
    const more = await appendTo(again.blocks, "more", 1);
    expect(await textsIn(again.blocks, more)).toEqual(textsOfBlock(more));
    expect(await textsIn(again.blocks, again.found[499] as StoredBlock)).toEqual(
      textsOfBlock(appended[499] as StoredBlock),
    );
    await again.close();
  });

  it("gives nothing of what was removed, or is another store's, and may be told twice", async () => {
    const { blocks, store, close } = await openBlocks(await (await make()).open());
    const other = blocksOf(store, "other");
    await other.open("x");
    const [a, b, foreign] = [
      await appendTo(blocks, "a", 1),
      await appendTo(blocks, "b", 1),
      await appendTo(other, "c", 1),
    ];
    const before = blocks.sizes().liveBytes;
    blocks.remove(a);
    blocks.remove(a);
    blocks.remove(foreign);
    expect(blocks.sizes().liveBytes).toBe(before / 2);
    expect(await blocks.read(a, 0, 1)).toBeUndefined();
    expect(await blocks.read(foreign, 0, 1)).toBeUndefined();
    expect(await textsIn(blocks, b)).toEqual(textsOfBlock(b));
    expect(await textsIn(other, foreign)).toEqual(textsOfBlock(foreign));
    await blocks.clear();
    expect(await blocks.read(b, 0, 1)).toBeUndefined();
    expect(blocks.sizes()).toEqual({ bytes: 0, liveBytes: 0 });
    const after = await appendTo(blocks, "after", 1);
    expect(await textsIn(blocks, after)).toEqual(textsOfBlock(after));
    await close();
  });

  it("is opened again: with the same label all is there, with another nothing of what was", async () => {
    const { blocks, close } = await openBlocks(await (await make()).open());
    const block = await appendTo(blocks, "a", 1);
    expect(await blocks.open(LABEL)).toEqual({ blocks: [block], droppedBytes: 0 });
    expect(await textsIn(blocks, block)).toEqual(textsOfBlock(block));
    expect(await blocks.open("signs of another model")).toEqual({ blocks: [], droppedBytes: 0 });
    expect(await blocks.read(block, 0, 1)).toBeUndefined();
    expect(blocks.sizes()).toEqual({ bytes: 0, liveBytes: 0 });
    const after = await appendTo(blocks, "after", 1);
    expect(await textsIn(blocks, after)).toEqual(textsOfBlock(after));
    expect((await blocks.open(LABEL)).blocks).toEqual([]);
    await close();
  });

  it("survives a purge of its store with all that was not removed", async () => {
    const { blocks, store, close } = await openBlocks(await (await make()).open());
    const [gone, stays] = [await appendTo(blocks, "gone", 1), await appendTo(blocks, "stays", 1)];
    blocks.remove(gone);
    await store.purge(async (through) => ({ sequence: through, sections: [] }));
    expect(await textsIn(blocks, stays)).toEqual(textsOfBlock(stays));
    await close();
  });

  it("refuses what its port forbids, and goes on", async () => {
    const { blocks, store, close } = await openBlocks(await (await make()).open());
    const key = { id: "a", version: 1, first: 0 };
    const part = [bytesOf("x")];
    const refused = { code: "STORAGE_FAILED" };
    for (const wrong of [
      { ...key, id: "" },
      { ...key, id: "x".repeat(BLOCK_ID_BYTES_MAX + 1) },
      { ...key, version: -1 },
      { ...key, version: 0.5 },
      { ...key, first: -1 },
      { ...key, first: 2 ** 32 },
    ]) {
      await expect(blocks.append(wrong, part)).rejects.toMatchObject(refused);
    }
    await expect(blocks.append(key, [])).rejects.toMatchObject(refused);
    const tooMany = Array.from({ length: BLOCK_PARTS_MAX + 1 }, () => new Uint8Array(1));
    await expect(blocks.append(key, tooMany)).rejects.toMatchObject(refused);
    await expect(blocks.append(key, [new Uint8Array(BLOCK_BYTES_MAX), ...part])).rejects.toMatchObject(refused);
    const largest = { id: "x".repeat(BLOCK_ID_BYTES_MAX), version: Number.MAX_SAFE_INTEGER, first: 2 ** 32 - 1 };
    const block = await blocks.append(largest, tooMany.slice(1));
    expect(await blocks.read(block, 0, BLOCK_PARTS_MAX)).toHaveLength(BLOCK_PARTS_MAX);
    for (const [from, to] of [
      [-1, 1],
      [1, 0],
      [0, BLOCK_PARTS_MAX + 1],
      [0.5, 1],
    ] as const) {
      await expect(blocks.read(block, from, to)).rejects.toMatchObject(refused);
    }
    expect(blocksOf(store)).toBe(blocks);
    for (const wrong of ["", "../log", "Signs", "a.b"]) expect(() => blocksOf(store, wrong)).toThrow(/cannot be/);
    const unopened = blocksOf(store, "unopened");
    await expect(unopened.append(key, part)).rejects.toMatchObject(refused);
    await expect(unopened.read(block, 0, 1)).rejects.toMatchObject(refused);
    expect(() => unopened.remove(block)).toThrow();
    await close();
    const closed = { code: "CLOSED" };
    await expect(blocks.append(key, part)).rejects.toMatchObject(closed);
    await expect(blocks.read(block, 0, 1)).rejects.toMatchObject(closed);
    await expect(blocks.clear()).rejects.toMatchObject(closed);
    await expect(unopened.open("x")).rejects.toMatchObject(closed);
    expect(() => blocksOf(store)).toThrow();
  });
});

describe("a file of blocks", () => {
  it("of another label or of another store is deleted, and so are older generations", async () => {
    const disk = simulatedDisk();
    const first = await openBlocks(await openOn(disk));
    await first.storage.create("second");
    await appendTo(first.blocks, "a", 1);
    await first.close();
    expect(await blockFiles(disk)).toEqual(["signs-0000000001.blocks"]);
    const other = await openBlocks(await openOn(disk), "another model");
    expect(other.found).toEqual([]);
    expect(await blockFiles(disk)).toEqual([]);
    await appendTo(other.blocks, "b", 1);
    await other.close();
    expect(await blockFiles(disk)).toEqual(["signs-0000000002.blocks"]);
    const storage = await openOn(disk);
    const file = await disk.fileSystem.open("/data/stores/second/signs-0000000003.blocks", "create");
    const bytes = Buffer.alloc(100_000);
    const own = await disk.fileSystem.open(storePath(disk, "signs-0000000002.blocks"), "read");
    await file.write([bytes.subarray(0, await own.read(bytes, 0))], 0);
    const second = await storage.open("second");
    await second.recover({ snapshot: () => undefined, record: () => undefined });
    expect((await blocksOf(second).open("another model")).blocks).toEqual([]);
    expect((await disk.fileSystem.readDirectory("/data/stores/second")).some((name) => name.includes("blocks"))).toBe(
      false,
    );
    await second.close();
    await storage.close();
  });

  it("is rewritten when too much of it is of no use, while others read, and stays within its bound", async () => {
    const disk = await realDisk();
    const { blocks, close } = await openBlocks(await openOn(disk));
    const live: StoredBlock[] = [];
    const onDisk = async () => {
      const sizes = (await blockFiles(disk)).map((name) => disk.fileSystem.stat(storePath(disk, name)));
      return (await Promise.all(sizes)).reduce((sum, status) => sum + (status?.bytes ?? 0), 0);
    };
    let largest = 0;
    for (let n = 1; n <= 600; n += 1) {
      live.push(await appendTo(blocks, `d${n}`, 1, 0, 4, 4_000));
      // Most go soon after they came, from anywhere in the file.
      if (live.length > 60) for (const block of live.splice((n * 7) % 50, 5)) blocks.remove(block);
      const reads = live.slice(-10).map(async (block) => {
        expect(await textsIn(blocks, block)).toEqual(textsOfBlock(block));
      });
      await Promise.all(reads);
      // Whatever was called for is done before the next block.
      if (n % 50 !== 0) continue;
      live.push(await appendTo(blocks, `last${n}`, 1));
      const atRest = await onDisk();
      largest = Math.max(largest, atRest);
      const { bytes, liveBytes } = blocks.sizes();
      expect(atRest).toBe(bytes);
      expect(atRest).toBeLessThan(1.5 * liveBytes + 1_048_576);
    }
    expect(largest).toBeGreaterThan(1_048_576);
    expect(Number((await blockFiles(disk))[0]?.slice(6, 16))).toBeGreaterThan(2);
    await close();
    const again = await openBlocks(await openOn(disk));
    const keys = (all: readonly StoredBlock[]) => all.map(({ id }) => id).sort();
    expect(keys(again.found.filter(({ id }) => live.some((block) => block.id === id)))).toEqual(keys(live));
    for (const block of again.found) expect(await textsIn(again.blocks, block)).toEqual(textsOfBlock(block));
    await again.close();
  });

  it("is counted among the bytes of its store, opened or not", async () => {
    const disk = simulatedDisk();
    const first = await openBlocks(await openOn(disk));
    const empty = first.store.sizes().totalBytes;
    await appendTo(first.blocks, "a", 1, 0, 4, 10_000);
    const { totalBytes } = first.store.sizes();
    expect(totalBytes).toBe(empty + first.blocks.sizes().bytes);
    expect(totalBytes).toBeGreaterThan(empty + 40_000);
    await first.close();
    const storage = await openOn(disk);
    const store = await storage.open("bot");
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    expect(store.sizes().totalBytes).toBe(totalBytes);
    await blocksOf(store).open("signs of some model");
    expect(store.sizes().totalBytes).toBe(totalBytes);
    await store.close();
    await storage.close();
  });

  it("has no byte of what was removed after a purge, and none at all if nobody has opened it", async () => {
    const disk = simulatedDisk();
    const { blocks, store, close } = await openBlocks(await openOn(disk));
    const stays = await appendTo(blocks, "stays", 1);
    for (let n = 0; n < 20; n += 1) blocks.remove(await appendTo(blocks, "unmistakable", n, 0, 5, 500));
    const unopened = storePath(disk, "others-0000000004.blocks");
    await disk.fileSystem.open(unopened, "create").then(async (file) => {
      await file.write([bytesOf("unmistakable")], 0);
      await file.close();
    });
    expect(await filesWith(disk, "unmistakable")).toHaveLength(2);
    await store.append(bytesOf("a record"));
    const purged = await store.purge(async (through) => ({
      sequence: through,
      sections: [{ name: "all", version: 1, chunks: [bytesOf("all")] }],
    }));
    expect(purged.foreign).toEqual([]);
    expect(await filesWith(disk, "unmistakable")).toEqual([]);
    expect(await textsIn(blocks, stays)).toEqual(textsOfBlock(stays));
    const more = await appendTo(blocks, "more", 1);
    await close();
    const again = await openBlocks(await openOn(disk));
    expect(again.found.map(({ id }) => id)).toEqual(["stays", "more"]);
    expect(await textsIn(again.blocks, again.found[1] as StoredBlock)).toEqual(textsOfBlock(more));
    await again.close();
    const removed = await openOn(disk);
    await removed.remove("bot");
    expect(await filesWith(disk, "stays")).toEqual([]);
    await removed.close();
  });

  it("that finds the disk full keeps what was there, and takes more when there is room", async () => {
    const disk = simulatedDisk();
    const { blocks, close } = await openBlocks(await openOn(disk));
    const before = await appendTo(blocks, "before", 1);
    const sizes = blocks.sizes();
    for (const room of [0, 1, 100, 5_000]) {
      disk.fileSystem.capacityBytes = 40_000 + room;
      const refused = blocks.append({ id: "large", version: 1, first: 0 }, partsOf("large", 1, 0, 2, 100_000));
      await expect(refused).rejects.toMatchObject({ code: "DISK_FULL" });
      expect(blocks.sizes()).toEqual(sizes);
      expect(await textsIn(blocks, before)).toEqual(textsOfBlock(before));
    }
    disk.fileSystem.capacityBytes = Number.POSITIVE_INFINITY;
    const after = await appendTo(blocks, "after", 1);
    await close();
    const again = await openBlocks(await openOn(disk));
    expect(again.droppedBytes).toBe(0);
    expect(again.found).toHaveLength(2);
    expect(await textsIn(again.blocks, again.found[1] as StoredBlock)).toEqual(textsOfBlock(after));
    await again.close();
  });

  it("is forgotten by a purge that finds no room to write it anew", async () => {
    const disk = simulatedDisk();
    const { blocks, store, close } = await openBlocks(await openOn(disk));
    const gone = await appendTo(blocks, "unmistakable", 1, 0, 4, 10_000);
    const stays = await appendTo(blocks, "stays", 1, 0, 4, 10_000);
    blocks.remove(gone);
    disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "write", pathEnd: ".blocks.tmp", code: "ENOSPC" });
    await store.purge(async (through) => ({ sequence: through, sections: [] }));
    disk.fileSystem.setFault(undefined);
    expect(await blocks.read(stays, 0, 1)).toBeUndefined();
    expect(await blockFiles(disk)).toEqual([]);
    await appendTo(blocks, "later", 1);
    await close();
  });
});
