import { describe, expect, it } from "vitest";
import type { FileSystem, OpenFile } from "../../src/storage/file-system.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf } from "../../testing/told-stores.ts";

const SEEDS = Array.from({ length: 60 }, (_, index) => index);

async function contentOf(fileSystem: FileSystem, path: string): Promise<string> {
  const file = await fileSystem.open(path, "read");
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  await file.close();
  return bytes.toString("latin1");
}

/** A synced file `/a` of 1,024 bytes "a", open for more. */
async function syncedFile(disk: SimulatedFileSystem): Promise<OpenFile> {
  const file = await disk.open("/a", "create");
  await file.write([bytesOf("a".repeat(1024))], 0);
  await file.dataSync();
  await disk.syncDirectory("/");
  return file;
}

describe("a power cut on the simulated disk", () => {
  it("keeps what was synced, whatever the seed", async () => {
    for (const seed of SEEDS) {
      const disk = new SimulatedFileSystem({ seed });
      const file = await syncedFile(disk);
      await file.write([bytesOf("b".repeat(4096))], 1024);
      const after = await contentOf(disk.afterPowerCut(), "/a");
      expect(after.slice(0, 1024)).toBe("a".repeat(1024));
      expect(after.length).toBeLessThanOrEqual(1024 + 4096);
    }
  });

  it("keeps, loses or tears what was not, and can keep the end of a write without its beginning", async () => {
    const ends = new Set<string>();
    for (const seed of SEEDS) {
      const disk = new SimulatedFileSystem({ seed });
      const file = await syncedFile(disk);
      await file.write([bytesOf("b".repeat(4096))], 1024);
      const rest = (await contentOf(disk.afterPowerCut(), "/a")).slice(1024);
      if (rest === "") ends.add("lost");
      else if (rest === "b".repeat(4096)) ends.add("kept");
      else if (/^b+$/.test(rest)) ends.add("beginning");
      else if (rest.startsWith("b")) ends.add("holes");
      else if (rest.includes("bbb")) ends.add("end without beginning");
    }
    expect([...ends].sort()).toEqual(["beginning", "end without beginning", "holes", "kept", "lost"]);
  });

  it("may lose a name that was not synced, with or without what it names", async () => {
    const found = new Set<string>();
    for (const seed of SEEDS) {
      const disk = new SimulatedFileSystem({ seed });
      const file = await syncedFile(disk);
      await disk.rename("/a", "/b");
      const created = await disk.open("/c", "create");
      await created.write([bytesOf("c")], 0);
      await file.close();
      const names = (await disk.afterPowerCut().readDirectory("/")).sort().join();
      found.add(names);
    }
    expect([...found].sort()).toEqual(["a", "a,c", "b", "b,c"]);
  });

  it("may bring an unlinked file back", async () => {
    const found = new Set<string>();
    for (const seed of SEEDS) {
      const disk = new SimulatedFileSystem({ seed });
      await syncedFile(disk);
      await disk.unlink("/a");
      found.add((await disk.afterPowerCut().readDirectory("/")).join());
    }
    expect([...found].sort()).toEqual(["", "a"]);
  });

  it("does nothing to what a killed process leaves to the next", async () => {
    const disk = new SimulatedFileSystem();
    const file = await syncedFile(disk);
    await file.write([bytesOf("b")], 1024);
    const next = disk.afterKill();
    expect(await contentOf(next, "/a")).toBe(`${"a".repeat(1024)}b`);
    await expect(file.write([bytesOf("c")], 0)).rejects.toMatchObject({ code: "EIO" });
    await expect(disk.readDirectory("/")).rejects.toMatchObject({ code: "EIO" });
  });
});

describe("faults on the simulated disk", () => {
  it("fail one I/O, or all from one on", async () => {
    const disk = new SimulatedFileSystem();
    disk.setFault({ at: 2, kind: "failOnce", code: "EMFILE" });
    await disk.stat("/a");
    await expect(disk.stat("/a")).rejects.toMatchObject({ code: "EMFILE" });
    await disk.stat("/a");
    disk.setFault({ at: 5, kind: "failFrom" });
    await disk.stat("/a");
    await expect(disk.stat("/a")).rejects.toMatchObject({ code: "EIO" });
    await expect(disk.readDirectory("/")).rejects.toMatchObject({ code: "EIO" });
    expect(disk.operations).toBe(6);
    expect(disk.count("stat")).toBe(5);
  });

  it("end the process at a crash, whose I/O happened, did not, or did in part", async () => {
    const lengths = new Set<number>();
    for (const seed of SEEDS) {
      const disk = new SimulatedFileSystem({ seed });
      const file = await syncedFile(disk);
      disk.setFault({ at: disk.operations + 1, kind: "crash" });
      await expect(file.write([bytesOf("b".repeat(100))], 1024)).rejects.toMatchObject({ code: "EIO" });
      await expect(disk.stat("/a")).rejects.toMatchObject({ code: "EIO" });
      expect(disk.faultHappened).toBe(true);
      lengths.add((await contentOf(disk.afterKill(), "/a")).length - 1024);
    }
    expect(lengths.has(100)).toBe(true);
    expect([...lengths].some((length) => length < 100)).toBe(true);
  });

  it("let a failed sync lose bytes that are still seen, and that no later sync brings back", async () => {
    let lost = 0;
    for (const seed of SEEDS) {
      const disk = new SimulatedFileSystem({ seed });
      const file = await syncedFile(disk);
      await file.write([bytesOf("b".repeat(1024))], 1024);
      disk.setFault({ at: disk.operations + 1, kind: "failOnce" });
      await expect(file.dataSync()).rejects.toMatchObject({ code: "EIO" });
      await file.dataSync();
      expect((await contentOf(disk, "/a")).slice(1024)).toBe("b".repeat(1024));
      if ((await contentOf(disk.afterPowerCut(), "/a")).slice(1024) !== "b".repeat(1024)) lost += 1;
    }
    expect(lost).toBeGreaterThan(0);
  });

  it("let the disk be full: what fits is written", async () => {
    const disk = new SimulatedFileSystem({ capacityBytes: 1030 });
    const file = await syncedFile(disk);
    await file.write([bytesOf("A")], 0);
    await expect(file.write([bytesOf("b".repeat(10))], 1024)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await file.size()).toBe(1030);
    disk.capacityBytes = 2000;
    await file.write([bytesOf("b".repeat(10))], 1024);
    expect(await file.size()).toBe(1034);
  });
});

describe("the simulated lock", () => {
  it("has one holder, and is free after a kill", async () => {
    const disk = new SimulatedFileSystem();
    const lock = await disk.lockDirectory("/data");
    await expect(disk.lockDirectory("/data")).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    await lock.release();
    await disk.lockDirectory("/data");
    await disk.afterKill().lockDirectory("/data");
  });
});
