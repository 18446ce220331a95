import { describe, expect, it } from "vitest";
import { openFileStorage } from "../../src/storage/file-storage.ts";
import type { Store } from "../../src/storage/store.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, type History, openStore, textOf, textsOf } from "../../testing/told-stores.ts";
import { seededRandom } from "../support/test-clock.ts";
import {
  historyOn,
  newStore,
  readWhole,
  type SimulatedDisk,
  simulatedDisk,
  storeFiles,
  storePath,
  writeWhole,
} from "./kit.ts";

/** Every record fills a segment of its own. */
const ONE_A_SEGMENT = { segmentBytes: 129 };

async function append(store: Store, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) await store.append(bytesOf(`r${n}`));
}

function stateAt(sequence: number): string {
  return Array.from({ length: sequence }, (_, index) => `r${index + 1}`).join();
}

async function snapshotAt(store: Store, sequence: number): Promise<void> {
  await store.writeSnapshot(sequence, [{ name: "all", version: 1, chunks: [bytesOf(stateAt(sequence))] }]);
}

/** The state that a history stands for. */
function stateOf(history: History): string {
  const all = history.snapshot?.sections.get("all");
  return [...(all === undefined ? [] : [textOf(all.bytes)]), ...textsOf(history)].join();
}

async function damage(disk: SimulatedDisk, name: string): Promise<void> {
  const bytes = await readWhole(disk, storePath(disk, name));
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1);
  await writeWhole(disk, storePath(disk, name), bytes);
}

/** A store with a snapshot at 2, one at 4, and records up to 5. */
async function twoSnapshots(seed = 1) {
  const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
  const { storage, store } = await newStore(disk, ONE_A_SEGMENT);
  await append(store, 1, 2);
  await snapshotAt(store, 2);
  await append(store, 3, 4);
  await snapshotAt(store, 4);
  await append(store, 5, 5);
  return { disk, storage, store };
}

async function closed({ disk, storage, store }: Awaited<ReturnType<typeof twoSnapshots>>): Promise<SimulatedDisk> {
  await store.close();
  await storage.close();
  return disk;
}

describe("the files of snapshots", () => {
  it("are the newest and the one before, with the log from the older one on", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk, ONE_A_SEGMENT);
    await append(store, 1, 2);
    await snapshotAt(store, 2);
    // There is no older snapshot: the log from the beginning stands in for it.
    expect(await storeFiles(disk)).toEqual([
      "segment-0000000000000001.log",
      "segment-0000000000000002.log",
      "snapshot-0000000001-all.section",
      "snapshot-0000000001.manifest",
    ]);
    await append(store, 3, 4);
    await snapshotAt(store, 4);
    await append(store, 5, 6);
    await snapshotAt(store, 6);
    expect(await storeFiles(disk)).toEqual([
      "segment-0000000000000005.log",
      "segment-0000000000000006.log",
      "snapshot-0000000002-all.section",
      "snapshot-0000000002.manifest",
      "snapshot-0000000003-all.section",
      "snapshot-0000000003.manifest",
    ]);
  });

  it("are never those of an earlier one, even at the same record", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk);
    await append(store, 1, 2);
    await snapshotAt(store, 2);
    await snapshotAt(store, 2);
    await store.close();
    const { store: reopened } = await openStore(storage);
    await snapshotAt(reopened, 2);
    expect((await storeFiles(disk)).filter((name) => name.endsWith(".manifest"))).toEqual([
      "snapshot-0000000002.manifest",
      "snapshot-0000000003.manifest",
    ]);
  });

  it("that nobody finished are deleted when the store is opened", async () => {
    const disk = await closed(await twoSnapshots());
    const leftovers = [
      "snapshot-0000000003-all.section",
      "snapshot-0000000003-other.section.tmp",
      "snapshot-0000000003.manifest.tmp",
    ];
    for (const name of leftovers) await writeWhole(disk, storePath(disk, name), bytesOf("x"));
    expect(stateOf(await historyOn(disk))).toBe(stateAt(5));
    const files = await storeFiles(disk);
    for (const name of leftovers) expect(files).not.toContain(name);
  });

  it("leave what they do not know alone", async () => {
    const disk = await closed(await twoSnapshots());
    for (const name of ["notes.txt", "segment-1.log", "segment-0000000000000001.log-at-5.broken"]) {
      await writeWhole(disk, storePath(disk, name), bytesOf("x"));
    }
    expect(stateOf(await historyOn(disk))).toBe(stateAt(5));
    expect(await storeFiles(disk)).toEqual(
      expect.arrayContaining(["notes.txt", "segment-1.log", "segment-0000000000000001.log-at-5.broken"]),
    );
  });
});

describe("a damaged snapshot", () => {
  it.each(["snapshot-0000000002.manifest", "snapshot-0000000002-all.section"])(
    "falls back to the one before and the log: %s damaged, missing, unreadable",
    async (name) => {
      const disk = await closed(await twoSnapshots());
      await damage(disk, name);
      let history = await historyOn(disk);
      expect(stateOf(history)).toBe(stateAt(5));
      expect(history.report).toMatchObject({ snapshotSequence: 2, damagedSnapshots: 1, lastSequence: 5 });

      await disk.fileSystem.unlink(storePath(disk, name));
      history = await historyOn(disk);
      expect(stateOf(history)).toBe(stateAt(5));
      expect(history.report).toMatchObject({ snapshotSequence: 2 });
    },
  );

  it.each(["open", "read"] as const)(
    "falls back when the disk cannot %s it, but not for another reason",
    async (operation) => {
      const disk = await closed(await twoSnapshots());
      const fault = { at: 1, kind: "failFrom", operation, pathEnd: "snapshot-0000000002.manifest" } as const;
      disk.fileSystem.setFault({ ...fault, code: "EIO" });
      const history = await historyOn(disk);
      expect(stateOf(history)).toBe(stateAt(5));
      expect(history.report).toMatchObject({ snapshotSequence: 2, damagedSnapshots: 1 });
      disk.fileSystem.setFault({ ...fault, code: "EMFILE" });
      await expect(historyOn(disk)).rejects.toMatchObject({ code: "TOO_MANY_OPEN_FILES" });
      disk.fileSystem.setFault(undefined);
      expect((await historyOn(disk)).report).toMatchObject({ snapshotSequence: 4, damagedSnapshots: 0 });
    },
  );

  it("is kept until a good one replaces it; the good older one is kept then", async () => {
    const { disk, storage, store } = await twoSnapshots();
    await store.close();
    await damage(disk, "snapshot-0000000002.manifest");
    const { store: reopened } = await openStore(storage);
    await append(reopened, 6, 6);
    await snapshotAt(reopened, 6);
    expect((await storeFiles(disk)).filter((name) => name.startsWith("snapshot-"))).toEqual([
      "snapshot-0000000001-all.section",
      "snapshot-0000000001.manifest",
      "snapshot-0000000003-all.section",
      "snapshot-0000000003.manifest",
    ]);
    await reopened.close();
    await storage.close();
    await damage(disk, "snapshot-0000000003.manifest");
    expect(stateOf(await historyOn(disk))).toBe(stateAt(6));
  });

  it("is refused by name when there is nothing to fall back to", async () => {
    const disk = await closed(await twoSnapshots());
    await damage(disk, "snapshot-0000000001.manifest");
    await damage(disk, "snapshot-0000000002-all.section");
    await expect(historyOn(disk)).rejects.toMatchObject({
      code: "CORRUPT",
      message: expect.stringContaining("snapshot-0000000002-all.section: its checksum is wrong"),
    });
  });

  it("is replaced by the whole log while that is still there", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk, ONE_A_SEGMENT);
    await append(store, 1, 3);
    await snapshotAt(store, 2);
    await store.close();
    await storage.close();
    await damage(disk, "snapshot-0000000001-all.section");
    const history = await historyOn(disk);
    expect(stateOf(history)).toBe(stateAt(3));
    expect(history.report).toMatchObject({ snapshotSequence: 0, replayedRecords: 3, damagedSnapshots: 1 });
  });

  it("is told by its length as well", async () => {
    const disk = await closed(await twoSnapshots());
    await damage(disk, "snapshot-0000000001.manifest");
    const name = "snapshot-0000000002-all.section";
    const bytes = await readWhole(disk, storePath(disk, name));
    await writeWhole(disk, storePath(disk, name), bytes.subarray(1));
    const [length, reason] = [bytes.length, `${name}: it has ${bytes.length - 1} bytes instead of ${bytes.length}`];
    await expect(historyOn(disk)).rejects.toThrow(reason);
    await writeWhole(disk, storePath(disk, name), Buffer.concat([bytes, bytes]));
    await expect(historyOn(disk)).rejects.toThrow(`${name}: it has ${2 * length} bytes, too many`);
  });

  it("of another store is passed over", async () => {
    const disk = await closed(await twoSnapshots());
    const other = simulatedDisk();
    const storage = await openFileStorage({ ...other, random: seededRandom(99) });
    await storage.create("bot");
    const { store } = await openStore(storage);
    await append(store, 1, 5);
    await store.writeSnapshot(5, [{ name: "all", version: 1, chunks: [bytesOf("foreign")] }]);
    for (const ending of ["-all.section", ".manifest"]) {
      const bytes = await readWhole(other, storePath(other, `snapshot-0000000001${ending}`));
      await writeWhole(disk, storePath(disk, `snapshot-0000000009${ending}`), bytes);
    }
    const history = await historyOn(disk);
    expect(stateOf(history)).toBe(stateAt(5));
    expect(history.report).toMatchObject({ snapshotSequence: 4, damagedSnapshots: 1 });
  });
});

describe("writing a snapshot", () => {
  it("pulls its chunks one at a time, each after the one before was written", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    await append(store, 1, 1);
    const writes: number[] = [];
    function* chunks() {
      for (let n = 0; n < 4; n += 1) {
        writes.push(disk.fileSystem.count("write"));
        yield bytesOf(`chunk ${n} `);
      }
    }
    await store.writeSnapshot(1, [{ name: "all", version: 1, chunks: chunks() }]);
    const [first = 0] = writes;
    expect(writes).toEqual([first, first + 1, first + 2, first + 3]);
  });

  it("fails with the producer's own error, and harms nothing", async () => {
    const { disk, storage, store } = await twoSnapshots();
    const before = await storeFiles(disk);
    const failure = new Error("no more");
    async function* chunks() {
      yield bytesOf("some");
      throw failure;
    }
    const good = { name: "good", version: 1, chunks: [bytesOf("x")] };
    const broken = store.writeSnapshot(5, [good, { name: "all", version: 1, chunks: chunks() }]);
    await expect(broken).rejects.toBe(failure);
    expect(await storeFiles(disk)).toEqual(before);
    await snapshotAt(store, 5);
    await closed({ disk, storage, store });
    const history = await historyOn(disk);
    expect(stateOf(history)).toBe(stateAt(5));
    expect(history.report.snapshotSequence).toBe(5);
  });

  it("refuses sections that could not be told apart or named", async () => {
    const { store } = await twoSnapshots();
    const section = (name: string, version = 1) => ({ name, version, chunks: [bytesOf("x")] });
    const refused = [
      [section("a"), section("a")],
      [section("A")],
      [section("")],
      [section("../a")],
      [section("a", -1)],
      [section("a", 0.5)],
      [section("a".repeat(65))],
    ];
    for (const sections of refused) {
      await expect(store.writeSnapshot(5, sections)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    }
  });

  it("refuses one that is older than the newest", async () => {
    const { store } = await twoSnapshots();
    await expect(snapshotAt(store, 3)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  });

  it("takes one after the other when several are asked for", async () => {
    const { disk, storage, store } = await twoSnapshots();
    await append(store, 6, 7);
    await Promise.all([snapshotAt(store, 5), snapshotAt(store, 6), snapshotAt(store, 7)]);
    await closed({ disk, storage, store });
    const history = await historyOn(disk);
    expect(history.report.snapshotSequence).toBe(7);
    expect((await storeFiles(disk)).filter((name) => name.endsWith(".manifest")).length).toBe(2);
  });

  it("on a full disk fails as such; the log and the last snapshot stay, and the next one succeeds", async () => {
    const { disk, storage, store } = await twoSnapshots();
    const before = await storeFiles(disk);
    disk.fileSystem.capacityBytes = store.sizes().totalBytes + 200;
    const large = [{ name: "all", version: 1, chunks: [new Uint8Array(50), new Uint8Array(500)] }];
    await expect(store.writeSnapshot(5, large)).rejects.toMatchObject({ code: "DISK_FULL" });
    expect(await storeFiles(disk)).toEqual(before);
    await append(store, 6, 6);
    disk.fileSystem.capacityBytes = Number.POSITIVE_INFINITY;
    await snapshotAt(store, 6);
    await closed({ disk, storage, store });
    expect(stateOf(await historyOn(disk))).toBe(stateAt(6));
  });

  it("counts the log from the call on, also when it had to wait for another", async () => {
    const { store } = await twoSnapshots();
    const snapshots = [snapshotAt(store, 5), snapshotAt(store, 5)];
    await append(store, 6, 7);
    await Promise.all(snapshots);
    expect(store.sizes().logBytesSinceSnapshot).toBe(2 * 34);
  });

  it("leaves no damaged snapshot behind, wherever the power is cut", async () => {
    let operations = 0;
    for (let at = 1; at === 1 || at <= operations; at += 1) {
      for (let seed = 1; seed <= 30; seed += 1) {
        const { disk, store } = await twoSnapshots(seed);
        const before = disk.fileSystem.operations;
        if (operations > 0) disk.fileSystem.setFault({ at: before + at, kind: "crash" });
        const written = await snapshotAt(store, 5).then(
          () => true,
          () => false,
        );
        if (operations === 0) operations = disk.fileSystem.operations - before;
        const history = await historyOn(simulatedDisk(disk.fileSystem.afterPowerCut()));
        expect(stateOf(history), `crash at ${at}, seed ${seed}`).toBe(stateAt(5));
        expect(history.report.damagedSnapshots, `crash at ${at}, seed ${seed}`).toBe(0);
        if (written) expect(history.report.snapshotSequence).toBe(5);
      }
    }
    expect(operations).toBeGreaterThan(15);
  });

  it("is followed by the deletion of what it made superfluous, after the next start if a kill came in between", async () => {
    const { disk, store } = await twoSnapshots();
    disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "unlink" });
    await snapshotAt(store, 5);
    const after = simulatedDisk(disk.fileSystem.afterKill());
    expect((await storeFiles(after)).filter((name) => name.endsWith(".manifest"))).toHaveLength(3);
    expect(stateOf(await historyOn(after))).toBe(stateAt(5));
    const names = await storeFiles(after);
    expect(names.filter((name) => name.endsWith(".manifest"))).toEqual([
      "snapshot-0000000002.manifest",
      "snapshot-0000000003.manifest",
    ]);
    expect(names.filter((name) => name.endsWith(".log"))[0]).toBe("segment-0000000000000005.log");
    // The older one still leads to the same state.
    await damage(after, "snapshot-0000000003-all.section");
    expect(stateOf(await historyOn(after))).toBe(stateAt(5));
  });

  it("fails at any of its I/Os without harm", async () => {
    let failures = 0;
    for (let at = 1; ; at += 1) {
      const { disk, storage, store } = await twoSnapshots();
      disk.fileSystem.setFault({ at: disk.fileSystem.operations + at, kind: "failOnce" });
      const written = await snapshotAt(store, 5).then(
        () => true,
        () => false,
      );
      const happened = disk.fileSystem.faultHappened;
      disk.fileSystem.setFault(undefined);
      if (!written) failures += 1;
      await append(store, 6, 6);
      await closed({ disk, storage, store });
      const after = simulatedDisk(disk.fileSystem.afterPowerCut());
      expect(stateOf(await historyOn(after)), `fault at ${at}`).toBe(stateAt(6));
      if (!happened) break;
    }
    expect(failures).toBeGreaterThan(8);
  });
});
