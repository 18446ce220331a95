import { type NewPlace, SimulatedDatabase, type StorageContractOptions, storageContract } from "@loredex/core/testing";
import { describe, expect, it } from "vitest";
import { openMemoryStorage } from "../../packages/core/src/storage/memory-storage.ts";
import { type Disk, openOn, realDisks, simulatedDisk } from "../../packages/core/test/storage/kit.ts";

const realDisk = realDisks();

/** Small segments: a history of some kilobytes takes several. */
const filesOn = (disk: Disk) => () => openOn(disk, { segmentBytes: 4096 });

const onDatabase = (database: SimulatedDatabase) => async () => database.open();

const STORAGES: readonly (readonly [name: string, newPlace: NewPlace, options: StorageContractOptions])[] = [
  ["files on the real disk", async () => filesOn(await realDisk()), {}],
  ["files on the simulated disk", async () => filesOn(simulatedDisk()), {}],
  ["a simulated database", async () => onDatabase(new SimulatedDatabase()), { shared: true }],
  ["memory", async () => async () => openMemoryStorage(), { keeps: false }],
];

describe.each(STORAGES)("the contract of a storage: %s", (_name, newPlace, options) => {
  for (const { name, run } of storageContract(newPlace, options)) it(name, run);

  it("is kept of blocks too: this storage has them", async () => {
    const storage = await (await newPlace())();
    await storage.create("bot");
    const store = await storage.open("bot");
    expect(store.blocks).toBeTypeOf("function");
    await store.close();
    await storage.close();
  });
});
