import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../src/storage/file-storage.ts";
import type { FileSystem } from "../../src/storage/file-system.ts";
import type { Storage } from "../../src/storage/store.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore, textsOf } from "../../testing/told-stores.ts";
import { newStore, openOn, readWhole, type SimulatedDisk, simulatedDisk, writeWhole } from "./kit.ts";

const SEEDS = Array.from({ length: 30 }, (_, index) => index);

function failNext(
  disk: SimulatedDisk,
  operation: "syncDirectory" | "unlink" | "removeDirectory",
  pathEnd: string,
): void {
  disk.fileSystem.setFault({ at: disk.fileSystem.operations + 1, kind: "failOnce", operation, pathEnd });
}

function afterPowerCut(disk: SimulatedDisk): SimulatedDisk {
  return simulatedDisk(disk.fileSystem.afterPowerCut());
}

describe("names on disk", () => {
  it("of the data directory are durable, also if the first attempt failed", async () => {
    for (const seed of SEEDS) {
      for (const pathEnd of ["/", "/data", "/data/sub"]) {
        const disk = { ...simulatedDisk(new SimulatedFileSystem({ seed })), directory: "/data/sub" };
        failNext(disk, "syncDirectory", pathEnd);
        await expect(openOn(disk)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
        await (await openOn(disk)).create("bot");
        const after = { ...afterPowerCut(disk), directory: disk.directory };
        expect(await (await openOn(after)).list()).toEqual(["bot"]);
      }
    }
  });

  it("of a store are durable once it was opened, even if its creation said that it failed", async () => {
    for (const seed of SEEDS) {
      const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
      const storage = await openOn(disk);
      failNext(disk, "syncDirectory", "/stores");
      await expect(storage.create("bot")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      const { store } = await openStore(storage);
      await store.append(bytesOf("acknowledged"));
      const { history } = await openStore(await openOn(afterPowerCut(disk)));
      expect(textsOf(history)).toEqual(["acknowledged"]);
    }
  });

  it("of a removed store are gone for good once a removal succeeded, even if one before it failed", async () => {
    for (const seed of SEEDS) {
      const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
      const storage = await openOn(disk);
      await storage.create("bot");
      failNext(disk, "syncDirectory", "/stores");
      await expect(storage.remove("bot")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      await storage.remove("bot");
      expect(await (await openOn(afterPowerCut(disk))).list()).toEqual([]);
    }
  });

  it("that may not be synced by us do not keep the storage from being opened", async () => {
    const disk = simulatedDisk();
    await (await openOn(disk)).close();
    disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "syncDirectory", pathEnd: "/", code: "EACCES" });
    await (await openOn(disk)).close();
  });
});

describe("what an unfinished creation or removal left", () => {
  it("is deleted when the storage is opened", async () => {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    await storage.create("old");
    failNext(disk, "unlink", ".log");
    await expect(storage.remove("old")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    failNext(disk, "syncDirectory", ".new-bot");
    await expect(storage.create("bot")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(await storage.list()).toEqual([]);
    await storage.close();
    // A creation that fails deletes what it made; one that is killed cannot.
    expect(await disk.fileSystem.readDirectory("/data/stores")).toEqual([".removed-old"]);
    await disk.fileSystem.makeDirectory("/data/stores/.new-bot");
    await writeWhole(disk, "/data/stores/.new-bot/segment-0000000000000001.log", bytesOf("LDX"));
    const names = (fileSystem: FileSystem) => fileSystem.readDirectory("/data/stores");
    expect((await names(disk.fileSystem)).sort()).toEqual([".new-bot", ".removed-old"]);
    failNext(disk, "removeDirectory", ".removed-old");
    await (await openOn(disk)).close();
    expect(await names(disk.fileSystem)).toEqual([".removed-old"]);
    await (await openOn(disk)).close();
    expect(await names(disk.fileSystem)).toEqual([]);
  });

  it("does not keep a store of that name from being created or removed again", async () => {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    for (let round = 0; round < 3; round += 1) {
      failNext(disk, "syncDirectory", ".new-bot");
      await expect(storage.create("bot")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      await storage.create("bot");
      failNext(disk, "unlink", ".log");
      await expect(storage.remove("bot")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      expect(await storage.list()).toEqual([]);
      if (round === 1) await storage.remove("bot");
      else await storage.create("bot");
      await storage.remove("bot");
    }
    expect(await disk.fileSystem.readDirectory("/data/stores")).toEqual([]);
  });
});

describe("temporary files that a killed process left", () => {
  it("are deleted when the storage is opened, and never while another process has it open", async () => {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    const directory = temporaryDirectory(disk.directory);
    await disk.fileSystem.makeDirectory(directory);
    await disk.fileSystem.makeDirectory(`${directory}/loredex-graph-a`);
    await writeWhole(disk, `${directory}/loredex-graph-a/graph`, bytesOf("half a graph"));
    await expect(openOn(disk)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    expect(await disk.fileSystem.readDirectory(directory)).toEqual(["loredex-graph-a"]);
    await storage.close();
    await openOn(disk);
    expect(await disk.fileSystem.readDirectory(directory)).toEqual([]);
  });
});

describe("a clean end", () => {
  const CHANGES = ["write", "truncate", "sync", "dataSync", "syncDirectory"] as const;
  const changesOf = ({ fileSystem }: SimulatedDisk): number =>
    CHANGES.reduce((sum, operation) => sum + fileSystem.count(operation), 0);

  /** A disk with the store `bot`, which has a record and, if wanted, a snapshot and another record behind it. */
  async function written(hasSnapshot: boolean): Promise<SimulatedDisk> {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    await storage.create("bot");
    const { store } = await openStore(storage);
    await store.append(bytesOf("one"));
    if (hasSnapshot) await store.writeSnapshot(1, [{ name: "all", version: 1, chunks: [bytesOf("one")] }]);
    if (hasSnapshot) await store.append(bytesOf("two"));
    await store.close();
    await storage.close();
    return disk;
  }

  /** What opening the store `bot` of an open storage changes or syncs. */
  async function changesByOpening(disk: SimulatedDisk, storage: Storage): Promise<number> {
    const before = changesOf(disk);
    const { store } = await openStore(storage);
    const changes = changesOf(disk) - before;
    await store.close();
    return changes;
  }

  it.each([false, true])("spares the next opening every sync (snapshot: %s)", async (hasSnapshot) => {
    const disk = await written(hasSnapshot);
    const storage = await openOn(disk);
    expect(await changesByOpening(disk, storage)).toBe(0);
    expect(await changesByOpening(disk, storage)).toBe(0);
  });

  it("says nothing of a copy of the directory, which nobody may have synced", async () => {
    const disk = await written(true);
    const path = `${temporaryDirectory("/data")}/clean-end/stores`;
    const note = await readWhole(disk, path);
    await disk.fileSystem.unlink(path);
    await writeWhole(disk, path, note);
    const storage = await openOn(disk);
    expect(await changesByOpening(disk, storage)).toBeGreaterThan(0);
  });

  it("is believed once: after a crash all is synced again", async () => {
    const disk = await written(true);
    await openOn(disk);
    const killed = simulatedDisk(disk.fileSystem.afterKill());
    const storage = await openOn(killed);
    expect(await changesByOpening(killed, storage)).toBeGreaterThan(0);
    // From then on it is known to be on the disk, which the next end passes on.
    expect(await changesByOpening(killed, storage)).toBe(0);
    await storage.close();
    expect(await changesByOpening(killed, await openOn(killed))).toBe(0);
  });

  it("says which stores nobody has looked at since a crash", async () => {
    const disk = await written(false);
    await openOn(disk);
    const killed = simulatedDisk(disk.fileSystem.afterKill());
    await (await openOn(killed)).close();
    expect(await changesByOpening(killed, await openOn(killed))).toBeGreaterThan(0);
  });

  it("vouches for no store whose log or snapshot could not be synced", async () => {
    for (const [operation, pathEnd] of [
      ["dataSync", ".log"],
      ["syncDirectory", "/bot"],
    ] as const) {
      const disk = await written(false);
      const storage = await openOn(disk);
      const { store } = await openStore(storage);
      disk.fileSystem.setFault({ at: 1, kind: "failOnce", operation, pathEnd });
      if (operation === "dataSync") await expect(store.append(bytesOf("two"))).rejects.toThrow();
      else await expect(store.writeSnapshot(1, [{ name: "all", version: 1, chunks: [] }])).rejects.toThrow();
      expect(disk.fileSystem.faultHappened).toBe(true);
      await store.close();
      await storage.close();
      expect(await changesByOpening(disk, await openOn(disk))).toBeGreaterThan(0);
    }
  });

  it("that cannot be deleted keeps the directory closed: after a crash it would be believed", async () => {
    const disk = await written(false);
    failNext(disk, "unlink", "/clean-end/stores");
    await expect(openOn(disk)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await openOn(disk);
  });

  it("of which half is lost says nothing", async () => {
    const disk = await written(false);
    const path = `${temporaryDirectory(disk.directory)}/clean-end/stores`;
    const whole = await readWhole(disk, path);
    await writeWhole(disk, path, whole.subarray(0, whole.length - 1));
    expect(await changesByOpening(disk, await openOn(disk))).toBeGreaterThan(0);
  });
});

it("a record takes 32 bytes more in a file than it has", async () => {
  const { storage, store } = await newStore(simulatedDisk());
  await store.append(bytesOf("x".repeat(100)));
  expect(store.sizes().logBytesSinceSnapshot).toBe(132);
  await store.close();
  await storage.close();
});
