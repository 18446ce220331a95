import { expect, it } from "vitest";
import { LoredexError } from "../../src/model/errors.ts";
import type { Store } from "../../src/storage/store.ts";
import { type Fault, SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore, recoverHistory, textOf, textsOf } from "../../testing/told-stores.ts";
import { lying } from "./crash-life.ts";
import { historyOn, newStore, openOn, type SimulatedDisk, simulatedDisk } from "./kit.ts";

/** As a restore creates it: larger than a page, in pieces. */
const SECTIONS = () => [
  { name: "all", version: 1, chunks: ["x".repeat(5_000), "the end"].map(bytesOf) },
  { name: "more", version: 2, chunks: [] },
];

/** Creates a store on a disk with a fault. Resolves with whether it was said to be there, and the I/Os it took. */
async function create(
  disk: SimulatedDisk,
  fault: Fault | undefined,
): Promise<{ created: boolean; operations: number }> {
  const storage = await openOn(disk);
  const { fileSystem } = disk;
  const before = fileSystem.operations;
  fileSystem.setFault(fault === undefined ? undefined : { ...fault, at: before + fault.at });
  try {
    await storage.create("bot", { sequence: 9, sections: SECTIONS() });
    return { created: true, operations: fileSystem.operations - before };
  } catch (error) {
    if (!(error instanceof LoredexError) && !fileSystem.isDead) throw error;
    return { created: false, operations: fileSystem.operations - before };
  }
}

/** Whether the store is there, in which case it must be whole. */
async function isThere(fileSystem: SimulatedFileSystem): Promise<boolean> {
  const storage = await openOn(simulatedDisk(fileSystem));
  try {
    if (!(await storage.exists("bot"))) return false;
    expect((await storage.verify("bot")).problems).toEqual([]);
    const { store, history } = await openStore(storage);
    expect(history.report).toMatchObject({ lastSequence: 9, snapshotSequence: 9, damagedSnapshots: 0 });
    expect(textOf(history.snapshot?.sections.get("all")?.bytes ?? new Uint8Array())).toMatch(/^x{5000}the end$/);
    await store.close();
    return true;
  } finally {
    await storage.close();
  }
}

it("a store that begins with a snapshot is there whole or not at all, wherever its creation fails or the power is cut", async () => {
  const { operations } = await create(simulatedDisk(), undefined);
  expect(operations).toBeGreaterThan(15);
  for (const kind of ["failOnce", "failFrom", "crash"] as const) {
    for (let at = 1; at <= operations; at += 1) {
      for (const seed of [1, 2, 3]) {
        const disk = simulatedDisk(new SimulatedFileSystem({ seed: seed * 1_000 + at }));
        const { created } = await create(disk, { at, kind });
        const after = disk.fileSystem.afterPowerCut();
        const found = await isThere(after);
        if (created) expect(found, `${kind} at ${at}, seed ${seed}`).toBe(true);
        // What is left of one that failed stands in the way of nobody.
        if (!found) expect((await create(simulatedDisk(after), undefined)).created).toBe(true);
      }
    }
  }
});

/** A disk with a whole store of one record, which no engine has open. */
async function withOldStore(seed: number): Promise<SimulatedFileSystem> {
  const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
  const { storage, store } = await newStore(disk);
  await store.append(bytesOf("old"));
  await store.close();
  await storage.close();
  return disk.fileSystem;
}

async function replace(disk: SimulatedDisk, fault: Fault | undefined, check: () => void = () => undefined) {
  const storage = await openOn(disk);
  const { fileSystem } = disk;
  const before = fileSystem.operations;
  fileSystem.setFault(fault === undefined ? undefined : { ...fault, at: before + fault.at });
  const checked = async (store: Store): Promise<void> => {
    expect((await recoverHistory(store)).report).toMatchObject({ lastSequence: 9, snapshotSequence: 9 });
    check();
  };
  try {
    await storage.create("bot", { sequence: 9, sections: SECTIONS() }, { replaces: true, check: checked });
    return { created: true, operations: fileSystem.operations - before, storage };
  } catch (error) {
    if (!(error instanceof LoredexError) && !fileSystem.isDead) throw error;
    return { created: false, operations: fileSystem.operations - before, storage };
  }
}

it("a store that replaces another does so whole, wherever that fails or the power is cut", async () => {
  const { operations } = await replace(simulatedDisk(await withOldStore(1)), undefined);
  for (const kind of ["failOnce", "failFrom", "crash"] as const) {
    for (let at = 1; at <= operations; at += 1) {
      for (const seed of [1, 2, 3, 4, 5]) {
        const what = `${kind} at ${at}, seed ${seed}`;
        const disk = simulatedDisk(await withOldStore(seed * 1_000 + at));
        const { created } = await replace(disk, { at, kind });
        const after = simulatedDisk(disk.fileSystem.afterPowerCut());
        const { report } = await historyOn(after);
        expect([1, 9], what).toContain(report.lastSequence);
        if (created) expect(report.lastSequence, what).toBe(9);
        // What was refused has changed nothing.
        else if (kind === "failOnce") expect(report.lastSequence, what).toBe(1);
        expect(await after.fileSystem.readDirectory("/data/stores"), what).toEqual(["bot"]);
      }
    }
  }
});

it("a store that is found wanting never gets the name, and the one that has it stays", async () => {
  const disk = simulatedDisk(await withOldStore(1));
  const { created, storage } = await replace(disk, undefined, () => {
    throw new LoredexError("CORRUPT", "It is not as it should be.");
  });
  expect(created).toBe(false);
  await storage.close();
  expect(textsOf(await historyOn(disk))).toEqual(["old"]);
});

it.each(["sync", "syncDirectory"] as const)("a disk that only pretends to %s is caught", async (lie) => {
  let losses = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
    const storage = await openOn({ ...disk, fileSystem: lying(disk.fileSystem, lie) });
    await storage.create("bot", { sequence: 9, sections: SECTIONS() });
    const found = await isThere(disk.fileSystem.afterPowerCut()).catch(() => false);
    if (!found) losses += 1;
  }
  expect(losses).toBeGreaterThan(0);
});
