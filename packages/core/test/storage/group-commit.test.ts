import { describe, expect, it } from "vitest";
import { bytesOf, openStore, textsOf } from "../../testing/told-stores.ts";
import { historyOn, newStore, simulatedDisk, storeFiles } from "./kit.ts";

describe("group commit", () => {
  it("costs a lone append one write and one sync", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    const before = disk.fileSystem.operations;
    const syncs = disk.fileSystem.count("dataSync");
    await store.append(bytesOf("one"));
    expect(disk.fileSystem.operations - before).toBe(2);
    expect(disk.fileSystem.count("dataSync") - syncs).toBe(1);
    await store.append(new Uint8Array(200_000));
    expect(disk.fileSystem.operations - before).toBe(4);
  });

  it("lets appends of the same moment share one write and one sync", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    const before = disk.fileSystem.operations;
    await Promise.all(Array.from({ length: 64 }, (_, index) => store.append(bytesOf(`record ${index}`))));
    expect(disk.fileSystem.operations - before).toBe(2);
  });

  it("keeps 64 writers together, each of which waits for its own append", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk);
    const before = disk.fileSystem.count("dataSync");
    const writer = async (name: number) => {
      for (let round = 0; round < 10; round += 1) await store.append(bytesOf(`${name}.${round}`));
    };
    await Promise.all(Array.from({ length: 64 }, (_, name) => writer(name)));
    expect(disk.fileSystem.count("dataSync") - before).toBeLessThanOrEqual(20);
    await store.close();
    const { store: reopened, history } = await openStore(storage);
    expect(history.records.length).toBe(640);
    await reopened.close();
  });

  it("brings writers together that began apart", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    const before = disk.fileSystem.count("dataSync");
    const writer = async (name: number) => {
      for (let round = 0; round < 20; round += 1) await store.append(bytesOf(`${name}.${round}`));
    };
    const first = writer(0);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([first, ...Array.from({ length: 63 }, (_, name) => writer(name + 1))]);
    expect(disk.fileSystem.count("dataSync") - before).toBeLessThanOrEqual(24);
  });

  it("lets those who come during a flush share the next one", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    const before = disk.fileSystem.count("dataSync");
    const first = store.append(bytesOf("first"));
    await Promise.resolve();
    await Promise.resolve();
    const rest = [2, 3, 4].map((n) => store.append(bytesOf(String(n))));
    expect(await Promise.all([first, ...rest])).toEqual([1, 2, 3, 4]);
    expect(disk.fileSystem.count("dataSync") - before).toBe(2);
  });

  it("bounds a flush in bytes, and writes what is larger alone", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk, { flushBytes: 1000 });
    const before = disk.fileSystem.count("write");
    const lengths = [400, 400, 400, 5000, 100, 100, 100];
    await Promise.all(lengths.map((length) => store.append(new Uint8Array(length).fill(120))));
    // 432 + 432 | 432 | 5032 | 132 + 132 + 132
    expect(disk.fileSystem.count("write") - before).toBe(4);
    await store.close();
    const { store: reopened, history } = await openStore(storage);
    expect(textsOf(history).map((text) => text.length)).toEqual(lengths);
    await reopened.close();
  });

  it("resolves no append before its sync", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    const syncs: number[] = [];
    const appends = Array.from({ length: 5 }, async (_, index) => {
      for (let delay = 0; delay < index; delay += 1) await Promise.resolve();
      const before = disk.fileSystem.count("dataSync");
      await store.append(bytesOf("x"));
      syncs.push(disk.fileSystem.count("dataSync") - before);
    });
    await Promise.all(appends);
    expect(Math.min(...syncs)).toBeGreaterThanOrEqual(1);
  });
});

describe("rotation", () => {
  it("begins a new segment when one has grown to its size, and none before", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk, { segmentBytes: 128 + 3 * 132 });
    for (let n = 1; n <= 7; n += 1) await store.append(new Uint8Array(100).fill(120));
    expect(await storeFiles(disk)).toEqual([
      "segment-0000000000000001.log",
      "segment-0000000000000004.log",
      "segment-0000000000000007.log",
    ]);
    await store.close();
    await storage.close();
    expect((await historyOn(disk)).records.length).toBe(7);
  });

  it("goes on in the last segment after a restart, or begins the next", async () => {
    const disk = simulatedDisk();
    const sizes = { segmentBytes: 128 + 2 * 132 };
    const { storage, store } = await newStore(disk, sizes);
    for (let n = 1; n <= 3; n += 1) await store.append(new Uint8Array(100).fill(120));
    await store.close();
    for (let n = 4; n <= 6; n += 1) {
      const { store: reopened, history } = await openStore(storage);
      expect(history.report.lastSequence).toBe(n - 1);
      await reopened.append(new Uint8Array(100).fill(120));
      await reopened.close();
    }
    expect(await storeFiles(disk)).toEqual([
      "segment-0000000000000001.log",
      "segment-0000000000000003.log",
      "segment-0000000000000005.log",
    ]);
  });
});
