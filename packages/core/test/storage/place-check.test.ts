import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openFileStorage } from "../../src/storage/file-storage.ts";
import type { FileSystem } from "../../src/storage/file-system.ts";
import { lockDirectory } from "../../src/storage/lock.ts";
import { nodeFileSystem } from "../../src/storage/node-file-system.ts";
import { comparableIdentity, displacement } from "../../src/storage/place-check.ts";
import type { Storage, Store } from "../../src/storage/store.ts";
import { bytesOf, openStore } from "../../testing/told-stores.ts";
import { seededRandom } from "../support/test-clock.ts";
import { type Disk, openOn, realDisks, simulatedDisk } from "./kit.ts";

const realDisk = realDisks();

interface Held {
  readonly disk: Disk;
  readonly storage: Storage & Required<Pick<Storage, "checkPlaces">>;
  readonly one: Store;
  readonly other: Store;
  readonly catalog: Store;
}

/** A real directory with three stores that have a record each, opened. */
async function held(stat?: FileSystem["stat"]): Promise<Held> {
  const { fileSystem: real, directory } = await realDisk();
  const fileSystem = stat === undefined ? real : { ...real, stat };
  const disk = { fileSystem, lockDirectory, directory: `${directory}/data` };
  const storage = await openFileStorage({ ...disk, segmentBytes: 200, random: seededRandom(7) });
  const stores: Store[] = [];
  for (const name of ["one", "other", "catalog"]) {
    await storage.create(name);
    const { store } = await openStore(storage, name);
    await store.append(bytesOf("first"));
    stores.push(store);
  }
  const [one, other, catalog] = stores;
  const { checkPlaces } = storage;
  if (checkPlaces === undefined || !one || !other || !catalog) throw new Error("no stores");
  return { disk, storage: Object.assign(storage, { checkPlaces }), one, other, catalog };
}

const ALL = async (sequence: number) => ({ sequence, sections: [] });
const SEGMENT = "segment-0000000000000001.log";
const path = (disk: Disk, store: string): string => `${disk.directory}/stores/${store}`;
const refused = (message: string) => ({ code: "READ_ONLY", message: expect.stringContaining(message) });

/** What may happen to one store from outside, and what its fault says. */
const TO_ONE: Readonly<Record<string, { readonly act: (disk: Disk) => Promise<void>; readonly says: string }>> = {
  "its segment was deleted": {
    act: (disk) => rm(`${path(disk, "one")}/${SEGMENT}`),
    says: "was removed or moved away",
  },
  "its segment was moved": {
    act: (disk) => rename(`${path(disk, "one")}/${SEGMENT}`, `${disk.directory}/elsewhere`),
    says: "was removed or moved away",
  },
  "its segment was replaced by a copy": {
    act: async (disk) => {
      await cp(`${path(disk, "one")}/${SEGMENT}`, `${disk.directory}/copy`);
      await rename(`${disk.directory}/copy`, `${path(disk, "one")}/${SEGMENT}`);
    },
    says: "was replaced by another one",
  },
  "its directory was deleted": {
    act: (disk) => rm(path(disk, "one"), { recursive: true }),
    says: "was removed or moved away",
  },
  "its directory was moved, with another one in its place": {
    act: async (disk) => {
      await rename(path(disk, "one"), `${disk.directory}/elsewhere`);
      await cp(`${disk.directory}/elsewhere`, path(disk, "one"), { recursive: true });
    },
    says: "was replaced by another one",
  },
};

/** What may happen to all, and what the fault says. */
const TO_ALL: Readonly<Record<string, { readonly act: (disk: Disk) => Promise<void>; readonly says: string }>> = {
  "the lock was deleted": {
    act: (disk) => rm(`${disk.directory}/lock`),
    says: "/lock was removed or moved away",
  },
  "the lock was replaced": {
    act: async (disk) => {
      await writeFile(`${disk.directory}/new`, "");
      await rename(`${disk.directory}/new`, `${disk.directory}/lock`);
    },
    says: "/lock was replaced by another one",
  },
  "the directory was deleted": {
    act: (disk) => rm(disk.directory, { recursive: true }),
    says: "/data was removed or moved away",
  },
  "the directory was moved": {
    act: (disk) => rename(disk.directory, `${disk.directory}-elsewhere`),
    says: "/data was removed or moved away",
  },
  "the directory was moved, with an empty one in its place": {
    act: async (disk) => {
      await rename(disk.directory, `${disk.directory}-elsewhere`);
      await mkdir(disk.directory);
    },
    says: "/data was replaced by another one",
  },
  "the catalog's directory was deleted": {
    act: (disk) => rm(path(disk, "catalog"), { recursive: true }),
    says: "without the catalog",
  },
};

describe("the file at a path", () => {
  it.each([
    ["ENOTDIR", "removed"],
    ["EACCES", undefined],
    ["EIO", undefined],
  ])("is told by what the disk says: %s", async (code, how) => {
    const stat = async (): Promise<never> => {
      throw Object.assign(new Error("The disk fails."), { code });
    };
    expect(await displacement({ stat }, "/data/lock", "1")).toBe(how);
  });
});

describe("what an open file is known by", () => {
  it.each<readonly [string, string | undefined, () => Promise<string>, string | undefined]>([
    ["its number", "1", async () => "1", "1"],
    ["its number, where it is not at its path any more", undefined, async () => "1", "1"],
    ["nothing, where its path has another one", "2", async () => "1", undefined],
    ["nothing, where the disk tells none", "1", () => Promise.reject(new Error("The disk fails.")), undefined],
  ])("is %s", async (_, identity, own, known) => {
    const stat = async () => (identity === undefined ? undefined : { kind: "file" as const, bytes: 0, identity });
    expect(await comparableIdentity({ stat }, "/data/lock", own)).toBe(known);
  });
});

describe("files that are removed or replaced beneath their holder", () => {
  it("nothing is lost while all is in its place, however often it is checked", async () => {
    const { storage, one, other, catalog } = await held();
    for (let round = 0; round < 20; round += 1) {
      expect(await storage.checkPlaces("catalog")).toEqual({ stores: new Map() });
      // Every third record or so begins a segment; a snapshot deletes older ones meanwhile.
      const appended = await Promise.all([
        one.append(bytesOf(`text ${round}`.repeat(9))),
        storage.checkPlaces("catalog"),
      ]);
      await Promise.all([
        one.writeSnapshot(appended[0], [{ name: "all", version: 1, chunks: [bytesOf("all")] }]),
        storage.checkPlaces("catalog"),
      ]);
    }
    await Promise.all([one.close(), storage.checkPlaces("catalog")]);
    await storage.remove("one");
    expect(await storage.checkPlaces("catalog")).toEqual({ stores: new Map() });
    await Promise.all([other.close(), catalog.close()]);
    await storage.close();
  });

  it("a segment that was begun since is missed like the first one", async () => {
    const { disk, storage, one, other, catalog } = await held();
    for (let round = 0; round < 4; round += 1) await one.append(bytesOf(`text ${round}`.repeat(30)));
    const newest = (await nodeFileSystem.readDirectory(path(disk, "one"))).sort().at(-1);
    expect(newest).not.toBe(SEGMENT);
    await rm(`${path(disk, "one")}/${newest}`);
    expect([...(await storage.checkPlaces("catalog")).stores.keys()]).toEqual(["one"]);
    for (const store of [one, other, catalog]) await store.close();
    await storage.close();
  });

  it("nothing is lost where a segment is followed by another, and deleted, while it is looked for", async () => {
    let meanwhile = async (): Promise<void> => undefined;
    const { disk, storage, one, other, catalog } = await held(async (path) => {
      if (path.endsWith(`one/${SEGMENT}`)) await meanwhile();
      return nodeFileSystem.stat(path);
    });
    meanwhile = async () => {
      meanwhile = async () => undefined;
      for (let round = 0; round < 6; round += 1) {
        const sequence = await one.append(bytesOf(`text ${round}`.repeat(30)));
        await one.writeSnapshot(sequence, [{ name: "all", version: 1, chunks: [bytesOf("all")] }]);
      }
      expect(await nodeFileSystem.stat(`${path(disk, "one")}/${SEGMENT}`)).toBeUndefined();
    };
    expect(await storage.checkPlaces("catalog")).toEqual({ stores: new Map() });
    expect(await one.append(bytesOf("last"))).toBe(8);
    for (const store of [one, other, catalog]) await store.close();
    await storage.close();
  });

  it("nothing is lost where a store is closed and removed while its segment is looked for", async () => {
    let meanwhile = async (): Promise<void> => undefined;
    const { storage, one, other, catalog } = await held(async (path) => {
      if (path.endsWith(`one/${SEGMENT}`)) await meanwhile();
      return nodeFileSystem.stat(path);
    });
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await one.close();
      await storage.remove("one");
    };
    expect(await storage.checkPlaces("catalog")).toEqual({ stores: new Map() });
    for (const store of [other, catalog]) await store.close();
    await storage.close();
  });

  it("nothing is lost on a disk that numbers one file differently each time", async () => {
    let number = 0;
    const renumbered: FileSystem["stat"] = async (path) => {
      const found = await realStat(path);
      return found && { ...found, identity: `${++number}` };
    };
    const realStat = nodeFileSystem.stat;
    vi.spyOn(nodeFileSystem, "stat").mockImplementation(renumbered);
    onTestFinished(() => void vi.restoreAllMocks());
    const { storage, one, other, catalog } = await held();
    for (let round = 0; round < 4; round += 1) {
      await one.append(bytesOf(`text ${round}`.repeat(30)));
      expect(await storage.checkPlaces("catalog")).toEqual({ stores: new Map() });
    }
    for (const store of [one, other, catalog]) await store.close();
    await storage.close();
  });

  it.each(Object.entries(TO_ONE))("%s: that store alone refuses writes", async (_name, { act, says }) => {
    const { disk, storage, one, other, catalog } = await held();
    await act(disk);
    const { directory, stores } = await storage.checkPlaces("catalog");
    expect(directory).toBeUndefined();
    expect([...stores.keys()]).toEqual(["one"]);
    expect(stores.get("one")).toMatchObject(refused(says));
    expect(stores.get("one")?.message).toContain("loredex backup");
    await expect(one.append(bytesOf("lost"))).rejects.toMatchObject(refused(says));
    await expect(one.writeSnapshot(1, [])).rejects.toMatchObject(refused(says));
    await one.writeCache("kept", bytesOf("lost"));
    expect(await one.readCache("kept")).toBeUndefined();
    expect(await other.append(bytesOf("second"))).toBe(2);
    for (const store of [one, other, catalog]) await store.close();
    await storage.close();
  });

  it.each(Object.entries(TO_ALL))(
    "%s: all stores refuse writes, and nothing is written there",
    async (_name, { act, says }) => {
      const { disk, storage, one, other, catalog } = await held();
      await act(disk);
      const { directory, stores } = await storage.checkPlaces("catalog");
      expect(directory).toMatchObject(refused(says));
      expect([...stores.keys()].sort()).toEqual(["catalog", "one", "other"]);
      for (const store of [one, other, catalog]) {
        await expect(store.append(bytesOf("lost"))).rejects.toMatchObject({ code: "READ_ONLY" });
      }
      await one.close();
      await expect(storage.create("new")).rejects.toMatchObject(refused(says));
      await expect(storage.open("one")).rejects.toMatchObject(refused(says));
      await expect(storage.remove("one")).rejects.toMatchObject(refused(says));
      await expect(storage.requireWritable()).rejects.toMatchObject(refused(says));
      for (const store of [other, catalog]) await store.close();
      await storage.close();
      // Another process may hold it by now: it must not take this end for its own clean one.
      expect(await disk.fileSystem.stat(`${disk.directory}/temporary`)).toBeUndefined();
    },
  );

  it.each(Object.entries({ ...TO_ONE, ...TO_ALL }))(
    "%s: without a check, no new segment, no snapshot and no purge is begun",
    async (name, { act, says }) => {
      const { disk, storage, one, other, catalog } = await held();
      const isOfCatalog = name.includes("catalog");
      const store = isOfCatalog ? catalog : one;
      // The segment has no records, so that a purge begins no other one.
      if (store === catalog) await store.purge(ALL);
      await act(disk);
      const says2 = isOfCatalog ? "was removed or moved away" : says;
      await expect(store.purge(ALL)).rejects.toMatchObject(refused(says2));
      await expect(store.writeSnapshot(1, [])).rejects.toMatchObject(refused(says2));
      for (const each of [one, other, catalog]) await each.close();
      await storage.close();
    },
  );

  it("a log whose segment was deleted begins no other one, and refuses all from there on", async () => {
    const { disk, storage, one, other, catalog } = await held();
    await rm(`${path(disk, "one")}/${SEGMENT}`);
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`.repeat(9));
    const outcomes = [];
    for (const text of texts) outcomes.push(await one.append(bytesOf(text)).catch((error) => error));
    expect(await disk.fileSystem.readDirectory(path(disk, "one"))).toEqual([]);
    expect(outcomes.at(-1)).toMatchObject(refused("was removed or moved away"));
    for (const each of [one, other, catalog]) await each.close();
    await storage.close();
  });
});

it("checks nothing on a disk that numbers one file differently each time", async () => {
  const disk = simulatedDisk();
  let number = 0;
  const { stat } = disk.fileSystem;
  disk.fileSystem.stat = async (path) => {
    const found = await stat.call(disk.fileSystem, path);
    return found === undefined ? undefined : { ...found, identity: `${number++}` };
  };
  const storage = await openOn(disk, { segmentBytes: 200 });
  await storage.create("one");
  const { store } = await openStore(storage, "one");
  for (let n = 0; n < 10; n++) await store.append(bytesOf("x".repeat(100)));
  expect(await storage.checkPlaces?.("catalog")).toMatchObject({ stores: new Map() });
  expect(await store.append(bytesOf("last"))).toBe(11);
  await store.close();
  await storage.close();
});
