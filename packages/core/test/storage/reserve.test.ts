import { describe, expect, it } from "vitest";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import { openFileStorage } from "../../src/storage/file-storage.ts";
import type { FileSystem, OpenFile } from "../../src/storage/file-system.ts";
import { RESERVE_BYTES, Reserve } from "../../src/storage/reserve.ts";
import type { Storage, Store } from "../../src/storage/store.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore } from "../../testing/told-stores.ts";
import { seededRandom } from "../support/test-clock.ts";
import { historyOn, type SimulatedDisk, type Sizes, simulatedDisk, writeWhole } from "./kit.ts";

const RESERVE = "/data/reserve";
/** A record that brings something, and one that takes something away. */
const PUT = new Uint8Array(3_000).fill(120);
const frees = (store: Store, text: string): Promise<number> => store.append(bytesOf(text), undefined, true);

async function opened(disk: SimulatedDisk, sizes: Sizes = {}): Promise<{ storage: Storage; told: string[] }> {
  const told: string[] = [];
  const reserveLogger = ({ event }: LogEvent): void => void told.push(event);
  const storage = await openFileStorage({
    ...disk,
    segmentBytes: 20_000,
    ...sizes,
    random: seededRandom(7),
    reserveLogger,
  });
  return { storage, told };
}

const bytesOfReserve = async ({ fileSystem }: SimulatedDisk): Promise<number | undefined> =>
  (await fileSystem.stat(RESERVE))?.bytes;

/** Writes until the disk has no room for another such record. */
async function fill(store: Store): Promise<void> {
  for (;;) {
    const outcome = await store.append(PUT).catch((error) => error);
    if (typeof outcome !== "number") return expect(outcome).toMatchObject({ code: "DISK_FULL" });
  }
}

describe("the reserve", () => {
  it("is given up once for the logs of two stores that fail at the same time", async () => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 4 * RESERVE_BYTES }));
    const { storage, told } = await opened(disk);
    const stores: Store[] = [];
    for (const name of ["one", "other"]) {
      await storage.create(name);
      stores.push((await openStore(storage, name)).store);
    }
    const [one, other] = stores;
    if (one === undefined || other === undefined) throw new Error("no stores");
    await fill(one);
    disk.fileSystem.capacityBytes -= (await disk.fileSystem.freeBytes()) ?? 0;
    const deleted = await Promise.allSettled([frees(one, "delete".padEnd(200)), frees(other, "delete".padEnd(200))]);
    expect(deleted.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    expect(told).toEqual(["reserveReleased"]);
    for (const store of stores) await store.close();
    await storage.close();
  });

  it("is made again when somebody has deleted it", async () => {
    const disk = simulatedDisk();
    const { storage, told } = await opened(disk);
    await disk.fileSystem.unlink(RESERVE);
    await storage.checkPlaces?.("catalog");
    expect(await bytesOfReserve(disk)).toBe(RESERVE_BYTES);
    expect(told).toEqual(["reserveMade"]);
    await storage.close();
  });

  it("counts as given up where somebody has deleted it", async () => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 4 * RESERVE_BYTES }));
    const { storage, told } = await opened(disk);
    await storage.create("bot");
    const { store } = await openStore(storage);
    await fill(store);
    await disk.fileSystem.unlink(RESERVE);
    disk.fileSystem.capacityBytes -= (await disk.fileSystem.freeBytes()) ?? 0;
    // Others have used up its room.
    await expect(frees(store, "delete".padEnd(200))).rejects.toMatchObject({ code: "DISK_FULL" });
    disk.fileSystem.capacityBytes += 1_000;
    expect(await frees(store, "delete".padEnd(200))).toBeGreaterThan(0);
    await expect(store.append(bytesOf("x"))).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(told).toEqual(["reserveReleased"]);
    disk.fileSystem.capacityBytes += 4 * RESERVE_BYTES;
    await storage.checkPlaces?.("catalog");
    expect(await bytesOfReserve(disk)).toBe(RESERVE_BYTES);
    expect(await store.append(bytesOf("x"))).toBeGreaterThan(0);
    await store.close();
    await storage.close();
  });

  it("lets deleting continue on a full disk, is kept for that, and is made again when there is room", async () => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 4 * RESERVE_BYTES }));
    const { storage, told } = await opened(disk);
    await storage.create("bot");
    const { store } = await openStore(storage);
    expect(await bytesOfReserve(disk)).toBe(RESERVE_BYTES);
    await storage.checkPlaces?.("catalog");
    await fill(store);
    expect(await bytesOfReserve(disk)).toBe(RESERVE_BYTES);
    // Deletions alone, until the room that is left is used up and long after it.
    for (let n = 0; n < 500; n += 1) expect(await frees(store, `delete ${n}`.padEnd(200))).toBeGreaterThan(0);
    expect(await bytesOfReserve(disk)).toBeUndefined();
    expect(told).toEqual(["reserveReleased"]);
    // Others would take what is left.
    await expect(store.append(bytesOf("x"))).rejects.toMatchObject({ code: "DISK_FULL" });
    const mixed = await Promise.allSettled([store.append(PUT), frees(store, "delete"), store.append(PUT)]);
    expect(mixed.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
    await storage.checkPlaces?.("catalog");
    expect(await bytesOfReserve(disk)).toBeUndefined();
    disk.fileSystem.capacityBytes = 8 * RESERVE_BYTES;
    await storage.checkPlaces?.("catalog");
    expect(await bytesOfReserve(disk)).toBe(RESERVE_BYTES);
    await storage.checkPlaces?.("catalog");
    expect(told).toEqual(["reserveReleased", "reserveMade"]);
    const last = await store.append(PUT);
    await store.close();
    await storage.close();
    expect((await historyOn(simulatedDisk(disk.fileSystem.afterPowerCut()))).report.lastSequence).toBe(last);
  });

  it("is given up also where a new segment finds no room, and a write with deletions behind it fails but once", async () => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 4 * RESERVE_BYTES }));
    const { storage } = await opened(disk, { segmentBytes: 200 });
    await storage.create("bot");
    const { store } = await openStore(storage);
    await fill(store);
    const mixed = await Promise.allSettled([store.append(PUT), frees(store, "delete")]);
    expect(mixed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (let n = 0; n < 50; n += 1) expect(await frees(store, `delete ${n}`.padEnd(300))).toBeGreaterThan(0);
    await store.close();
    await storage.close();
  });

  it("is given up for deletions that wait behind a write, so that the next ones are made", async () => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 4 * RESERVE_BYTES }));
    const { storage } = await opened(disk, { flushBytes: 1_000 });
    await storage.create("bot");
    const { store } = await openStore(storage);
    await fill(store);
    const both = await Promise.allSettled([store.append(PUT), frees(store, "delete")]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await bytesOfReserve(disk)).toBeUndefined();
    expect(await frees(store, "delete")).toBeGreaterThan(0);
    await store.close();
    await storage.close();
  });

  it.each(["unlink", "syncDirectory"] as const)("is given up or kept where a %s fails just then", async (operation) => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: 4 * RESERVE_BYTES }));
    const { storage } = await opened(disk);
    await storage.create("bot");
    const { store } = await openStore(storage);
    await fill(store);
    const pathEnd = operation === "unlink" ? "/reserve" : "/data";
    disk.fileSystem.setFault({ at: disk.fileSystem.operations + 1, kind: "failFrom", operation, pathEnd });
    const outcomes = new Set<boolean>();
    for (let n = 0; n < 50; n += 1) outcomes.add(await frees(store, "x".repeat(300)).then(Boolean, () => false));
    // What it frees is free also where the disk does not say so; where it could not be given up, it is there.
    expect([outcomes.has(false), await bytesOfReserve(disk)]).toEqual(
      operation === "unlink" ? [true, RESERVE_BYTES] : [false, undefined],
    );
    disk.fileSystem.setFault(undefined);
    disk.fileSystem.capacityBytes *= 2;
    await storage.checkPlaces?.("catalog");
    expect(await bytesOfReserve(disk)).toBe(RESERVE_BYTES);
    expect(await store.append(PUT)).toBeGreaterThan(0);
    await store.close();
    await storage.close();
  });

  it("is made again whole where it is found in part", async () => {
    const disk = simulatedDisk();
    await disk.fileSystem.makeDirectory("/data");
    await writeWhole(disk, RESERVE, PUT);
    const { storage, told } = await opened(disk);
    expect([await bytesOfReserve(disk), told]).toEqual([RESERVE_BYTES, []]);
    await storage.close();
  });

  it("is made and given up one after the other", async () => {
    const { fileSystem } = simulatedDisk();
    await fileSystem.makeDirectory("/data");
    const [begun, writing] = [deferred(), deferred()];
    const open: FileSystem["open"] = async (path, mode) => {
      const file = await fileSystem.open(path, mode);
      const write: OpenFile["write"] = async (chunks, position) => {
        begun.resolve();
        await writing.promise;
        await file.write(chunks, position);
      };
      return { ...file, write };
    };
    let freeBytes: number | undefined = 0;
    const slow = new Proxy(fileSystem, {
      get: (disk, name) =>
        name === "open" ? open : name === "freeBytes" ? async () => freeBytes : Reflect.get(disk, name).bind(disk),
    });
    const deps = { fileSystem: slow, directory: "/data", random: seededRandom(7), logger: () => undefined };
    const reserve = await Reserve.open(deps);
    freeBytes = undefined;
    const making = reserve.restore();
    await begun.promise;
    const given = reserve.release(0);
    writing.resolve();
    await making;
    expect(await given).toBe(true);
    expect([reserve.refusal()?.code, await fileSystem.stat(RESERVE)]).toEqual(["DISK_FULL", undefined]);
  });

  it("is not there on a disk that is too small, which is told, and takes no room away from it", async () => {
    const disk = simulatedDisk(new SimulatedFileSystem({ capacityBytes: RESERVE_BYTES + 50_000 }));
    const { storage, told } = await opened(disk);
    expect(told).toEqual(["reserveMissing"]);
    await storage.create("bot");
    const { store } = await openStore(storage);
    for (let n = 0; n < 90; n += 1) await store.append(PUT);
    expect(await bytesOfReserve(disk)).toBeUndefined();
    await storage.checkPlaces?.("catalog");
    expect(told).toEqual(["reserveMissing"]);
    disk.fileSystem.capacityBytes *= 10;
    await storage.checkPlaces?.("catalog");
    expect(told).toEqual(["reserveMissing", "reserveMade"]);
    await store.close();
    await storage.close();
  });

  it.each(["write", "sync", "open"] as const)(
    "that cannot be made for a failing %s is told, and all else works",
    async (operation) => {
      const disk = simulatedDisk();
      disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation, pathEnd: "/reserve" });
      const { storage, told } = await opened(disk);
      expect([told, await bytesOfReserve(disk)]).toEqual([["reserveMissing"], undefined]);
      await storage.create("bot");
      const { store } = await openStore(storage);
      expect(await store.append(PUT)).toBe(1);
      await store.close();
      await storage.close();
    },
  );
});
