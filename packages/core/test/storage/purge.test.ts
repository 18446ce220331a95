import { expect, it } from "vitest";
import { LoredexError } from "../../src/model/errors.ts";
import { FileStore } from "../../src/storage/file-store.ts";
import type { FirstSnapshot, Purged, Store } from "../../src/storage/store.ts";
import { type Fault, SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore, recoverHistory, textOf, textsOf } from "../../testing/told-stores.ts";
import { filesWith } from "../support/files-of.ts";
import {
  historyOn,
  openOn,
  readWhole,
  type SimulatedDisk,
  simulatedDisk,
  storeFiles,
  storePath,
  writeWhole,
} from "./kit.ts";

const SECRET = "unmistakable";
const SIZES = { segmentBytes: 1_500 };

const section = (text: string) => ({ name: "all", version: 1, chunks: [bytesOf(text)] });
const snapshotOf = (sequence: number, text: string): FirstSnapshot => ({ sequence, sections: [section(text)] });

/** A store with the secret wherever one can be: records of several segments, two snapshots, a cache, a torn tail that was set aside. */
async function withSecrets(fileSystem: SimulatedFileSystem): Promise<SimulatedDisk> {
  const disk = simulatedDisk(fileSystem);
  const storage = await openOn(disk, SIZES);
  await storage.create("bot");
  const { store } = await openStore(storage);
  for (let n = 1; n <= 4; n += 1) await store.append(bytesOf(`${SECRET} ${"x".repeat(900)}`));
  await store.writeSnapshot(4, [section(`${SECRET} ${"y".repeat(3_000)}`)]);
  await store.append(bytesOf(SECRET));
  await store.writeSnapshot(5, [section(`${SECRET} and more`)]);
  await store.writeCache("graph", bytesOf(SECRET));
  await store.append(bytesOf(SECRET));
  await store.close();
  await storage.close();
  const newest = (await storeFiles(disk)).filter((name) => name.startsWith("segment-")).at(-1) ?? "";
  const whole = await readWhole(disk, storePath(disk, newest));
  await writeWhole(disk, storePath(disk, newest), Buffer.concat([whole, bytesOf(`torn ${SECRET}`)]));
  // The next opening sets the torn tail aside.
  await historyOn(disk);
  return disk;
}

/** What was left beside the store of this name while its storage was open. */
async function leaveRelics(disk: SimulatedDisk): Promise<void> {
  for (const left of [".new-bot", ".removed-bot", ".replaced-bot"]) {
    await disk.fileSystem.makeDirectory(`/data/stores/${left}`);
    await writeWhole(disk, `/data/stores/${left}/segment-0000000000000001.log`, bytesOf(SECRET));
  }
  await disk.fileSystem.syncDirectory("/data/stores");
}

const kindsOf = (files: readonly string[]) => new Set(files.map((file) => /\.\w+$/.exec(file)?.[0]));

/** Opens the store, and purges it to a snapshot of all that it has: records 1 to 6, in which the secret is not any more. */
async function purge(disk: SimulatedDisk, use: (store: Store) => Promise<void> = async () => undefined) {
  const storage = await openOn(disk, SIZES);
  const { store, history } = await openStore(storage);
  expect(history.report.lastSequence).toBe(6);
  await leaveRelics(disk);
  const purged = await store.purge(async (through) => snapshotOf(through, "what is left"));
  await use(store);
  await store.close();
  await storage.close();
  return purged;
}

it("nothing of what was before is in any file, and all that is there can be gone on with", async () => {
  const disk = await withSecrets(new SimulatedFileSystem());
  await writeWhole(disk, storePath(disk, "copy of mine.txt"), bytesOf("notes"));
  expect(kindsOf(await filesWith(disk, SECRET))).toEqual(new Set([".log", ".section", ".cache", ".broken"]));
  const purged = await purge(disk, async (store) => {
    expect(await store.readCache("graph")).toBeUndefined();
    expect(store.sizes().logBytesSinceSnapshot).toBe(0);
    await store.append(bytesOf("after"));
  });
  expect(purged.foreign).toEqual(["copy of mine.txt"]);
  // What is left of the log, two snapshots of two files each, the cache, and the torn tail.
  expect(purged.files).toBe(7);
  expect(purged.bytes).toBeGreaterThan(3_000);
  const cut = simulatedDisk(disk.fileSystem.afterPowerCut());
  expect(await filesWith(cut, SECRET)).toEqual([]);
  expect(await cut.fileSystem.readDirectory("/data/stores")).toEqual(["bot"]);
  const history = await historyOn(cut);
  expect(history.report).toMatchObject({ lastSequence: 7, snapshotSequence: 6, damagedSnapshots: 0, tornBytes: 0 });
  expect(textsOf(history)).toEqual(["after"]);
});

/** Purges on a disk with a fault. Whether it was said to be done, and the I/Os it took. */
async function tryPurge(disk: SimulatedDisk, fault?: Fault) {
  const storage = await openOn(disk, SIZES);
  const { store } = await openStore(storage);
  const { fileSystem } = disk;
  const before = fileSystem.operations;
  fileSystem.setFault(fault === undefined ? undefined : { ...fault, at: before + fault.at });
  let purged: Purged | undefined;
  try {
    purged = await store.purge(async (through) => snapshotOf(through, "what is left"));
  } catch (error) {
    if (!(error instanceof LoredexError) && !fileSystem.isDead) throw error;
  }
  const operations = fileSystem.operations - before;
  fileSystem.setFault(undefined);
  return { purged, operations, store, storage };
}

it("wherever it breaks off or the power is cut, what was there is there, and another purge ends it", async () => {
  const { operations } = await tryPurge(await withSecrets(new SimulatedFileSystem()));
  expect(operations).toBeGreaterThan(40);
  let [broken, done] = [0, 0];
  for (const kind of ["failOnce", "failFrom", "crash"] as const) {
    for (let at = 1; at <= operations; at += 1) {
      const what = `${kind} at ${at}`;
      const disk = await withSecrets(new SimulatedFileSystem({ seed: at }));
      const { purged } = await tryPurge(disk, { at, kind, code: at % 2 === 0 ? "EIO" : "ENOSPC" });
      const after = simulatedDisk(at % 3 === 0 ? disk.fileSystem.afterKill() : disk.fileSystem.afterPowerCut());
      if (purged === undefined) broken += 1;
      else done += 1;
      if (purged !== undefined) expect(await filesWith(after, SECRET), what).toEqual([]);
      const history = await historyOn(after);
      expect(history.report, what).toMatchObject({ lastSequence: 6, damagedSnapshots: 0 });
      const snapshot = textOf(history.snapshot?.sections.get("all")?.bytes ?? new Uint8Array());
      // Either the new one, or one of those before it with the log behind it.
      if (history.report.snapshotSequence === 6) expect(snapshot, what).toBe("what is left");
      else expect(textsOf(history), what).toEqual([SECRET]);
      const again = await tryPurge(after);
      expect(again.purged, what).toBeDefined();
      expect(await filesWith(after, SECRET), what).toEqual([]);
      expect((await again.storage.verify("bot")).problems, what).toEqual([]);
    }
  }
  expect(broken).toBeGreaterThan(60);
  expect(done).toBeGreaterThan(3);
}, 60_000);

it("goes on in the same process after a failure, with writes in between", async () => {
  const { operations } = await tryPurge(await withSecrets(new SimulatedFileSystem()));
  for (let at = 1; at <= operations; at += 1) {
    const disk = await withSecrets(new SimulatedFileSystem({ seed: at }));
    const { store, storage } = await tryPurge(disk, { at, kind: "failOnce", operation: "unlink" });
    const sequence = await store.append(bytesOf("between"));
    await store.purge(async (through) => snapshotOf(through, "all"));
    expect(await filesWith(disk, SECRET, "between"), `at ${at}`).toEqual([]);
    expect(store.sizes().logBytesSinceSnapshot).toBe(0);
    await store.close();
    await storage.close();
    expect((await historyOn(disk)).report).toMatchObject({ lastSequence: sequence, snapshotSequence: sequence });
  }
});

it("what is appended while it runs stays in the log", async () => {
  const disk = await withSecrets(new SimulatedFileSystem());
  const storage = await openOn(disk, SIZES);
  const { store } = await openStore(storage);
  const appended: Promise<number>[] = [];
  const purged = store.purge(async (through) => {
    appended.push(store.append(bytesOf("meanwhile")));
    await Promise.all(appended);
    return snapshotOf(through, "what is left");
  });
  await purged;
  expect(await Promise.all(appended)).toEqual([7]);
  await store.close();
  await storage.close();
  expect(await filesWith(disk, SECRET)).toEqual([]);
  const history = await historyOn(disk);
  expect(history.report).toMatchObject({ lastSequence: 7, snapshotSequence: 6 });
  expect(textsOf(history)).toEqual(["meanwhile"]);
});

it("files that somebody looks at stay until the look is over", async () => {
  const disk = await withSecrets(new SimulatedFileSystem());
  const place = { fileSystem: disk.fileSystem, directory: storePath(disk), name: "bot" };
  const store = new FileStore({ ...place, flushBytes: 3_000, onClosed: () => undefined });
  await recoverHistory(store);
  const before = await filesWith(disk, SECRET);
  const evict = store.hold();
  const purged = store.purge(async (through) => snapshotOf(through, "what is left"));
  await expect.poll(async () => (await storeFiles(disk)).filter((name) => name.endsWith(".manifest")).length).toBe(3);
  for (let turn = 1; turn <= 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await filesWith(disk, SECRET)).toEqual(before);
  evict();
  await purged;
  expect(await filesWith(disk, SECRET)).toEqual([]);
  await store.close();
});

it("a cache that is being written is waited for, and an empty store is purged like any other", async () => {
  const disk = simulatedDisk();
  const storage = await openOn(disk);
  await storage.create("bot");
  const { store } = await openStore(storage);
  const written = store.writeCache("graph", bytesOf(SECRET));
  const purged = await store.purge(async (through) => ({ sequence: through, sections: [] }));
  await written;
  expect(purged).toEqual({ files: 1, bytes: SECRET.length, foreign: [] });
  expect(await filesWith(disk, SECRET)).toEqual([]);
  await expect(store.purge(async () => snapshotOf(1, "of the future"))).rejects.toThrow("not appended");
  await store.append(bytesOf("one"));
  await expect(store.purge(async () => snapshotOf(0, ""))).rejects.toThrow("lacks records up to 1");
  await store.close();
  await expect(store.purge(async () => snapshotOf(1, ""))).rejects.toMatchObject({ code: "CLOSED" });
  await storage.close();
});

it("nothing is deleted for a snapshot that cannot be read again", async () => {
  const disk = await withSecrets(new SimulatedFileSystem());
  const storage = await openOn(disk, SIZES);
  const { store } = await openStore(storage);
  const before = await filesWith(disk, SECRET);
  const spoilt = async (through: number): Promise<FirstSnapshot> => {
    // A disk that forgets what it has just been told.
    disk.fileSystem.setFault({ at: 1, kind: "failOnce", operation: "read" });
    return snapshotOf(through, "what is left");
  };
  await expect(store.purge(spoilt)).rejects.toThrow("nothing was deleted");
  expect(await filesWith(disk, SECRET)).toEqual(before);
  await store.close();
  await storage.close();
});

it("nothing is left of a store that was removed, not even after a power cut", async () => {
  const disk = await withSecrets(new SimulatedFileSystem());
  const storage = await openOn(disk, SIZES);
  await leaveRelics(disk);
  await storage.remove("bot");
  const after = simulatedDisk(disk.fileSystem.afterPowerCut());
  expect(await filesWith(after, SECRET)).toEqual([]);
  expect(await after.fileSystem.readDirectory("/data/stores")).toEqual([]);
});
