import { mkdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { FileBlocks } from "../../src/storage/file-blocks.ts";
import { appendTo, blocksOf, LABEL, openBlocks, textsIn, textsOfBlock } from "../../testing/told-blocks.ts";
import { openStore } from "../../testing/told-stores.ts";
import { blockFiles, openOn, realDisks, simulatedDisk, storePath } from "./kit.ts";

const realDisk = realDisks();

describe("a file of blocks", () => {
  it("that is none is replaced, and counts on the disk before anybody has opened it", async () => {
    const disk = await realDisk();
    const first = await openBlocks(await openOn(disk));
    await appendTo(first.blocks, "a", 1);
    const { totalBytes } = first.store.sizes();
    await first.close();
    const storage = await openOn(disk);
    const { store } = await openStore(storage);
    expect(store.sizes().totalBytes).toBe(totalBytes);
    const waiting = blocksOf(store);
    expect(store.sizes().totalBytes).toBe(totalBytes);
    expect((await waiting.open(LABEL)).blocks).toHaveLength(1);
    expect(store.sizes().totalBytes).toBe(totalBytes);
    await store.close();
    await storage.close();
    // Of a number that no ten digits have.
    await mkdir(storePath(disk, "signs-99999999999.blocks"));
    const again = await openBlocks(await openOn(disk));
    expect(again.found).toEqual([]);
    const block = await appendTo(again.blocks, "b", 1);
    expect(await textsIn(again.blocks, block)).toEqual(textsOfBlock(block));
    await again.close();
    expect(await blockFiles(disk)).toContain("signs-100000000000.blocks");
  });

  it("leaves no older one open or on the disk where a directory cannot be synced", async () => {
    const disk = simulatedDisk();
    const { blocks, store, close } = await openBlocks(await openOn(disk));
    const open = disk.fileSystem.open.bind(disk.fileSystem);
    let files = 0;
    disk.fileSystem.open = async (path, mode) => {
      const file = await open(path, mode);
      if (!path.includes(".blocks")) return file;
      files += 1;
      const closeFile = file.close.bind(file);
      file.close = () => {
        files -= 1;
        return closeFile();
      };
      return file;
    };
    await appendTo(blocks, "a", 1);
    const block = await appendTo(blocks, "b", 1);
    for (let purge = 0; purge < 3; purge++) {
      const at = disk.fileSystem.operations + 1;
      disk.fileSystem.setFault({ at, kind: "failOnce", operation: "syncDirectory", code: "EMFILE" });
      // Boundary of the test: stores that keep files have blocks that are purged.
      await (blocks as FileBlocks).purge();
      disk.fileSystem.setFault(undefined);
      expect(files).toBe(1);
      expect(await blockFiles(disk)).toHaveLength(1);
      expect(await textsIn(blocks, block)).toEqual(textsOfBlock(block));
    }
    expect(store.sizes().totalBytes).toBeGreaterThan(0);
    await close();
    expect(files).toBe(0);
  });

  it("that the disk refuses for a moment is found by the next try", async () => {
    const disk = simulatedDisk();
    const first = await openBlocks(await openOn(disk));
    await appendTo(first.blocks, "a", 1);
    await first.close();
    const storage = await openOn(disk);
    const { store } = await openStore(storage);
    disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "open", pathEnd: ".blocks", code: "EMFILE" });
    await expect(blocksOf(store).open(LABEL)).rejects.toThrow("Too many files are open");
    disk.fileSystem.setFault(undefined);
    expect((await blocksOf(store).open(LABEL)).blocks).toHaveLength(1);
    await store.close();
    await storage.close();
  });

  it("that is opened and written to while it is verified is not called damaged", async () => {
    const disk = simulatedDisk();
    const first = await openBlocks(await openOn(disk));
    for (let i = 0; i < 5; i++) await appendTo(first.blocks, `d${i}`, 1);
    await first.close();
    const storage = await openOn(disk);
    const { store } = await openStore(storage);
    const open = disk.fileSystem.open.bind(disk.fileSystem);
    let isOpened = false;
    disk.fileSystem.open = async (path, mode) => {
      const file = await open(path, mode);
      if (isOpened || mode !== "read" || !path.endsWith(".blocks")) return file;
      isOpened = true;
      const size = file.size.bind(file);
      file.size = async () => {
        const bytes = await size();
        const blocks = blocksOf(store);
        await blocks.open(LABEL);
        await appendTo(blocks, "new", 1);
        return bytes;
      };
      return file;
    };
    expect((await storage.verify("bot")).problems).toEqual([]);
    expect(isOpened).toBe(true);
    await store.close();
    await storage.close();
  });
});
