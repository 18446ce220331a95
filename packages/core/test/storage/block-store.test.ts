import { describe, expect, it } from "vitest";
import type { StoredBlock } from "../../src/storage/block-store.ts";
import { appendTo, blocksOf, openBlocks, partsOf, textsIn, textsOfBlock } from "../../testing/told-blocks.ts";
import { bytesOf } from "../../testing/told-stores.ts";
import { filesWith } from "../support/files-of.ts";
import { blockFiles, openOn, realDisks, simulatedDisk, storePath } from "./kit.ts";

const realDisk = realDisks();

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
