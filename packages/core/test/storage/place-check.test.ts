import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openFileStorage } from "../../src/storage/file-storage.ts";
import { lockDirectory } from "../../src/storage/lock.ts";
import type { Storage, Store } from "../../src/storage/store.ts";
import { seededRandom } from "../support/test-clock.ts";
import { bytesOf, type Disk, openOn, openStore, realDisks, simulatedDisk } from "./kit.ts";

const realDisk = realDisks();

interface Held {
  readonly disk: Disk;
  readonly storage: Storage & Required<Pick<Storage, "checkPlaces">>;
  readonly one: Store;
  readonly other: Store;
  readonly catalog: Store;
}

/** A real directory with three stores that have a record each, opened. */
async function held(): Promise<Held> {
  const { fileSystem, directory } = await realDisk();
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
    "%s: without a check, no new segment and no snapshot is begun",
    async (name, { act, says }) => {
      const { disk, storage, one, other, catalog } = await held();
      const isOfCatalog = name.includes("catalog");
      const store = isOfCatalog ? catalog : one;
      await act(disk);
      const says2 = isOfCatalog ? "was removed or moved away" : says;
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
