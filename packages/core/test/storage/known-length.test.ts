import { describe, expect, it } from "vitest";
import { openFileInspection } from "../../src/storage/file-inspection.ts";
import { SEGMENT_HEADER_BYTES } from "../../src/storage/frame.ts";
import type { Storage } from "../../src/storage/store.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore } from "../../testing/told-stores.ts";
import { openOn, readWhole, type SimulatedDisk, simulatedDisk, storeFiles, storePath, writeWhole } from "./kit.ts";

const TEXTS = ["first", "second", "third"];
const LENGTHS = "/data/temporary/clean-end/lengths";
const VISITOR = { section: () => undefined, record: () => undefined };

/** A disk with a store of some segments, closed cleanly. */
async function closed(segmentBytes = 1_000): Promise<SimulatedDisk> {
  const disk = simulatedDisk(new SimulatedFileSystem());
  const storage = await openOn(disk, { segmentBytes });
  await storage.create("bot");
  const { store } = await openStore(storage);
  for (const text of TEXTS) await store.append(bytesOf(text));
  await store.close();
  await storage.close();
  return disk;
}

async function lastSegment(disk: SimulatedDisk): Promise<string> {
  const files = await storeFiles(disk);
  return storePath(disk, files.filter((name) => name.endsWith(".log")).at(-1));
}

async function cut(disk: SimulatedDisk, path: string, bytes: number): Promise<void> {
  const file = await disk.fileSystem.open(path, "update");
  await file.truncate(bytes);
  await file.sync();
  await file.close();
}

async function sizeOf(disk: SimulatedDisk, path: string): Promise<number> {
  return (await disk.fileSystem.stat(path))?.bytes ?? 0;
}

/** How the store is opened; nothing is left open. */
async function outcome(storage: Storage): Promise<string> {
  const store = await storage.open("bot");
  let records = 0;
  const visitor = { snapshot: () => undefined, record: () => void records++ };
  return store.recover(visitor).then(
    async ({ tornBytes }) => {
      await store.close();
      return `${records} records, ${tornBytes} torn bytes`;
    },
    (error) => String(error.code),
  );
}

describe("a log that was closed", () => {
  it("is damaged by every cut, at the end of a record as well, and told so by verify and salvage, with a server and without", async () => {
    const bytes = await sizeOf(await closed(), await lastSegment(await closed()));
    for (let kept = 0; kept < bytes; kept += 1) {
      const disk = await closed();
      await cut(disk, await lastSegment(disk), kept);
      const told = [kept < SEGMENT_HEADER_BYTES ? {} : { file: await lastSegment(disk), offset: kept }];
      const inspection = await openFileInspection(disk);
      expect((await inspection.verify("bot")).problems, `${kept} bytes kept`).toMatchObject(told);
      expect((await inspection.salvage("bot", VISITOR)).logProblems).toMatchObject(told);
      await inspection.close();
      const storage = await openOn(disk);
      expect((await storage.verify("bot")).problems).toMatchObject(told);
      expect(await outcome(storage), `${kept} bytes kept`).toBe("CORRUPT");
      expect((await storage.salvage("bot", VISITOR)).logProblems).toMatchObject(told);
      await storage.close();
      // Nothing has changed, so that it is still known.
      const again = await openOn(disk);
      expect(await outcome(again)).toBe("CORRUPT");
      await again.close();
      expect(await sizeOf(disk, await lastSegment(disk))).toBe(kept);
    }
  });

  it("is damaged twice where it was cut and a record before was changed", async () => {
    const disk = await closed();
    const last = await lastSegment(disk);
    const bytes = await readWhole(disk, last);
    await cut(disk, last, bytes.length - 1);
    bytes.writeUInt8(bytes.readUInt8(SEGMENT_HEADER_BYTES + 1) ^ 1, SEGMENT_HEADER_BYTES + 1);
    await writeWhole(disk, last, bytes.subarray(0, bytes.length - 1));
    const inspection = await openFileInspection(disk);
    for (const problems of [
      (await inspection.verify("bot")).problems,
      (await inspection.salvage("bot", VISITOR)).logProblems,
    ]) {
      expect(problems).toMatchObject([{ offset: SEGMENT_HEADER_BYTES }, { offset: bytes.length - 1 }]);
    }
    await inspection.close();
  });

  it("is damaged where its last segment is missing or has no whole header any more", async () => {
    for (const harm of ["missing", "cut"]) {
      const disk = await closed(1);
      const last = await lastSegment(disk);
      if (harm === "missing") await disk.fileSystem.unlink(last);
      else await cut(disk, last, 10);
      const inspection = await openFileInspection(disk);
      expect((await inspection.verify("bot")).problems, harm).toMatchObject([
        { file: last, offset: harm === "cut" ? 10 : 0 },
      ]);
      await inspection.close();
      const storage = await openOn(disk);
      expect(await outcome(storage), harm).toBe("CORRUPT");
      await storage.close();
    }
  });

  it("is damaged where its last record was changed at its length", async () => {
    const disk = await closed();
    const last = await lastSegment(disk);
    const bytes = await readWhole(disk, last);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    await writeWhole(disk, last, bytes);
    const inspection = await openFileInspection(disk);
    expect((await inspection.verify("bot")).problems).toMatchObject([{ file: last }]);
    await inspection.close();
    const storage = await openOn(disk);
    expect(await outcome(storage)).toBe("CORRUPT");
    await storage.close();
  });

  it("is not known where it was lost while it was open: what is put back there is opened, although it ends before", async () => {
    const disk = await closed();
    const last = await lastSegment(disk);
    const before = await readWhole(disk, last);
    for (const text of ["fourth", "fifth"]) {
      const storage = await openOn(disk);
      const { store } = await openStore(storage);
      await store.append(bytesOf(text));
      if (text === "fifth") {
        await disk.fileSystem.unlink(last);
        await writeWhole(disk, last, before);
        await storage.checkPlaces?.("catalog");
      }
      await store.close();
      await storage.close();
    }
    const storage = await openOn(disk);
    expect((await storage.verify("bot")).problems).toEqual([]);
    expect(await outcome(storage)).toBe("3 records, 0 torn bytes");
    await storage.close();
  });

  it("is opened as it is where nothing was cut, however often, and where more came after it", async () => {
    const disk = await closed();
    for (let life = 0; life < 3; life += 1) {
      const storage = await openOn(disk);
      expect((await storage.verify("bot")).problems).toEqual([]);
      const { store, history } = await openStore(storage);
      expect(history.records).toHaveLength(TEXTS.length + life);
      await store.append(bytesOf(`life ${life}`));
      await store.writeSnapshot(0, []);
      await store.close();
      await storage.close();
    }
  });

  it("may be torn where the end was none or is not known, as of an older version", async () => {
    for (const end of ["killed", "unknown"]) {
      const disk = await closed();
      let next = disk;
      if (end === "unknown") await disk.fileSystem.unlink(LENGTHS);
      else {
        const storage = await openOn(disk);
        await openStore(storage);
        next = simulatedDisk(disk.fileSystem.afterKill());
      }
      const last = await lastSegment(next);
      await cut(next, last, (await sizeOf(next, last)) - 1);
      const storage = await openOn(next);
      expect(await outcome(storage), end).toMatch(/^2 records, \d+ torn bytes$/);
      await storage.close();
    }
  });

  it("is not known any more after its store was removed", async () => {
    const disk = await closed();
    expect((await readWhole(disk, LENGTHS)).includes("bot")).toBe(true);
    const storage = await openOn(disk);
    await storage.remove("bot");
    await storage.close();
    expect((await readWhole(disk, LENGTHS)).includes("bot")).toBe(false);
  });

  it("is another one after the store was removed and made again, or replaced", async () => {
    for (const replaces of [true, false]) {
      const disk = await closed();
      const storage = await openOn(disk);
      if (!replaces) await storage.remove("bot");
      await storage.create("bot", undefined, { replaces });
      expect(await outcome(storage)).toBe("0 records, 0 torn bytes");
      await storage.close();
      const again = await openOn(disk);
      expect(await outcome(again)).toBe("0 records, 0 torn bytes");
      await again.close();
    }
  });
});
