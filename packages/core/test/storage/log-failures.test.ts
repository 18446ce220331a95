import { describe, expect, it } from "vitest";
import type { FileOperation } from "../../testing/simulated-file-system.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore, textsOf } from "../../testing/told-stores.ts";
import { historyOn, newStore, openOn, type SimulatedDisk, simulatedDisk } from "./kit.ts";

const SEEDS = Array.from({ length: 40 }, (_, index) => index);

/** The next I/O of this kind fails, once. */
function failNext(disk: SimulatedDisk, operation: FileOperation, code = "EIO"): void {
  disk.fileSystem.setFault({ at: disk.fileSystem.operations + 1, kind: "failOnce", operation, code });
}

/** The disk as the next process finds it, after a kill or after a power cut. */
function next(disk: SimulatedDisk, after: "kill" | "power cut"): SimulatedDisk {
  return simulatedDisk(after === "kill" ? disk.fileSystem.afterKill() : disk.fileSystem.afterPowerCut());
}

async function results(appends: readonly Promise<number>[]): Promise<(number | string)[]> {
  const settled = await Promise.allSettled(appends);
  return settled.map((each) => (each.status === "fulfilled" ? each.value : String(each.reason.code)));
}

describe("a full disk", () => {
  it("refuses the write, leaves nothing of it, and takes writes again when there is room", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    expect(await store.append(bytesOf("one"))).toBe(1);
    disk.fileSystem.capacityBytes = 300;
    const full = store.append(new Uint8Array(500).fill(120));
    await expect(full).rejects.toMatchObject({
      code: "DISK_FULL",
      message: expect.stringContaining("Free some space"),
    });
    expect(await store.append(bytesOf("two"))).toBe(2);
    disk.fileSystem.capacityBytes = Number.POSITIVE_INFINITY;
    expect(await store.append(new Uint8Array(500).fill(121))).toBe(3);
    expect(textsOf(await historyOn(next(disk, "power cut")))).toEqual(["one", "two", "y".repeat(500)]);
  });

  it("fails all that wait behind the refused write with the same error", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk, { flushBytes: 100 });
    disk.fileSystem.capacityBytes = 300;
    const appends = ["a", "b".repeat(400), "c", "d"].map((text) => store.append(bytesOf(text)));
    expect(await results(appends)).toEqual([1, "DISK_FULL", "DISK_FULL", "DISK_FULL"]);
    const errors = await Promise.all(appends.slice(1).map((append) => append.catch((error: unknown) => error)));
    expect(new Set(errors).size).toBe(1);
    expect(await store.append(bytesOf("e"))).toBe(2);
    expect(textsOf(await historyOn(next(disk, "power cut")))).toEqual(["a", "e"]);
  });

  it("tells all that failed before anyone else can append", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk, { flushBytes: 100 });
    disk.fileSystem.capacityBytes = 300;
    const told: string[] = [];
    const append = (text: string): Promise<unknown> =>
      store.append(bytesOf(text), () => told.push(text.slice(0, 1))).catch(() => told.join(""));
    expect(await Promise.all(["a", "b".repeat(400), "c", "d"].map(append))).toEqual([1, "bcd", "bcd", "bcd"]);
  });

  it("never shows a refused write after a power cut, even in the moment after the refusal", async () => {
    for (const seed of SEEDS) {
      const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
      const { store } = await newStore(disk);
      await store.append(bytesOf("one"));
      disk.fileSystem.capacityBytes = 128 + 35 + 1000;
      const appends = ["two", "x".repeat(900), "y".repeat(900)].map((text) => store.append(bytesOf(text)));
      expect(await results(appends)).toEqual(["DISK_FULL", "DISK_FULL", "DISK_FULL"]);
      disk.fileSystem.capacityBytes = Number.POSITIVE_INFINITY;
      const history = await historyOn(next(disk, "power cut"));
      expect(textsOf(history)).toEqual(["one"]);
      expect(history.report.tornBytes).toBe(0);
    }
  });

  it("while a new segment is begun keeps the log whole, however large segments may be when there is room again", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    await store.append(new Uint8Array(66_000).fill(120));
    disk.fileSystem.setFault({ at: 1, kind: "failOnce", operation: "write", pathEnd: ".log", code: "ENOSPC" });
    await expect(store.append(bytesOf("refused"))).rejects.toMatchObject({ code: "DISK_FULL" });
    // Beside a larger snapshot the old segment would not be full yet.
    await store.writeSnapshot(1, [{ name: "all", version: 1, chunks: [new Uint8Array(4_000_000)] }]);
    expect(await store.append(bytesOf("two"))).toBe(2);
    const history = await historyOn(next(disk, "kill"));
    expect(textsOf(history)).toEqual(["two"]);
    expect(history.report).toMatchObject({ snapshotSequence: 1, tornBytes: 0 });
  });

  it("while a new segment is begun refuses the write, and begins it when there is room", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk, { segmentBytes: 160 });
    await store.append(bytesOf("one"));
    for (const capacityBytes of [163, 200, 292]) {
      disk.fileSystem.capacityBytes = capacityBytes;
      await expect(store.append(bytesOf("two"))).rejects.toMatchObject({ code: "DISK_FULL" });
    }
    disk.fileSystem.capacityBytes = Number.POSITIVE_INFINITY;
    expect(await store.append(bytesOf("two"))).toBe(2);
    expect(textsOf(await historyOn(next(disk, "power cut")))).toEqual(["one", "two"]);
  });
});

describe("a write that fails otherwise", () => {
  it("is cut off again; the store stays usable", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk);
    await store.append(bytesOf("one"));
    failNext(disk, "write");
    await expect(store.append(bytesOf("two"))).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(await store.append(bytesOf("three"))).toBe(2);
    expect(textsOf(await historyOn(next(disk, "power cut")))).toEqual(["one", "three"]);
  });

  it("makes the store read-only if it cannot be cut off", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk);
    await store.append(bytesOf("one"));
    disk.fileSystem.setFault({ at: disk.fileSystem.operations + 1, kind: "failFrom", code: "ENOSPC" });
    expect(await results([store.append(bytesOf("two")), store.append(bytesOf("three"))])).toEqual([
      "READ_ONLY",
      "READ_ONLY",
    ]);
    disk.fileSystem.setFault(undefined);
    await expect(store.append(bytesOf("four"))).rejects.toMatchObject({ code: "READ_ONLY" });
    await store.close();
    await storage.close();
    expect(textsOf(await historyOn(next(disk, "power cut")))[0]).toBe("one");
  });
});

describe("a failed sync", () => {
  it("makes the store read-only for good; it is not tried again on that file", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk);
    await store.append(bytesOf("one"));
    failNext(disk, "dataSync");
    const syncs = disk.fileSystem.count("dataSync") + disk.fileSystem.count("sync");
    const error = await store.append(bytesOf("two")).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "READ_ONLY", message: expect.stringContaining("then restart") });
    expect(error).toMatchObject({ cause: { cause: { code: "EIO" } } });
    await expect(store.append(bytesOf("three"))).rejects.toMatchObject({ code: "READ_ONLY" });
    await expect(store.writeSnapshot(1, [])).rejects.toMatchObject({ code: "READ_ONLY" });
    await store.close();
    await storage.close();
    expect(disk.fileSystem.count("dataSync") + disk.fileSystem.count("sync") - syncs).toBe(1);
    expect(textsOf(await historyOn(disk))).toEqual(["one"]);
  });

  it("fails all that wait", async () => {
    const disk = simulatedDisk();
    const { store } = await newStore(disk, { flushBytes: 100 });
    failNext(disk, "dataSync");
    const appends = ["a".repeat(90), "b", "c"].map((text) => store.append(bytesOf(text)));
    expect(await results(appends)).toEqual(["READ_ONLY", "READ_ONLY", "READ_ONLY"]);
  });

  it("of a new segment's name or header makes the store read-only", async () => {
    for (const operation of ["sync", "syncDirectory"] as const) {
      const disk = simulatedDisk();
      const { store } = await newStore(disk, { segmentBytes: 128 });
      await store.append(bytesOf("one"));
      failNext(disk, operation);
      await expect(store.append(bytesOf("two"))).rejects.toMatchObject({ code: "READ_ONLY" });
      await expect(store.append(bytesOf("three"))).rejects.toMatchObject({ code: "READ_ONLY" });
      expect(textsOf(await historyOn(next(disk, "power cut")))).toEqual(["one"]);
    }
  });

  it("does not fool the next process: what it sees is on disk, or it does not see it", async () => {
    for (const seed of SEEDS) {
      const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
      const { store } = await newStore(disk);
      await store.append(bytesOf("one"));
      // The sync fails and so does everything after it: the records stay in the system's memory, which takes them for written.
      disk.fileSystem.setFault({ at: disk.fileSystem.operations + 2, kind: "failFrom" });
      const appends = Array.from({ length: 8 }, (_, index) => store.append(bytesOf(`${index}`.repeat(700))));
      expect(new Set(await results(appends))).toEqual(new Set(["READ_ONLY"]));

      const restarted = next(disk, "kill");
      const storage = await openOn(restarted);
      const { store: reopened, history } = await openStore(storage);
      await reopened.append(bytesOf("acknowledged"));
      await reopened.close();
      await storage.close();
      const after = textsOf(await historyOn(next(restarted, "power cut")));
      expect(after).toEqual([...textsOf(history), "acknowledged"]);
    }
  });
});

describe("a failed sync of a new segment", () => {
  it.each(["sync", "syncDirectory"] as const)(
    "does not fool the next process: what that one writes is on disk (%s)",
    async (operation) => {
      for (const seed of SEEDS) {
        const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
        const { store } = await newStore(disk, { segmentBytes: 128 });
        await store.append(bytesOf("one"));
        disk.fileSystem.setFault({ at: disk.fileSystem.operations + 1, kind: "failFrom", operation });
        await expect(store.append(bytesOf("two"))).rejects.toMatchObject({ code: "READ_ONLY" });
        const restarted = next(disk, "kill");
        const { store: reopened } = await openStore(await openOn(restarted));
        expect(await reopened.append(bytesOf("acknowledged"))).toBe(2);
        expect(textsOf(await historyOn(next(restarted, "power cut")))).toEqual(["one", "acknowledged"]);
      }
    },
  );
});

describe("a disk that cannot be read", () => {
  it("fails the recovery with an error that says so, and nothing is taken for damage", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk);
    await store.append(bytesOf("one"));
    await store.close();
    await storage.close();
    // The first that it reads is what the last end has left, which it can do without.
    disk.fileSystem.setFault({
      at: disk.fileSystem.operations + 1,
      kind: "failOnce",
      operation: "read",
      pathEnd: ".log",
    });
    await expect(historyOn(disk)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(textsOf(await historyOn(disk))).toEqual(["one"]);
  });
});
