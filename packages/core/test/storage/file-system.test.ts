import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../src/storage/file-system.ts";
import { bytesOf, type Disk, realDisks, simulatedDisk, textOf } from "./kit.ts";

const realDisk = realDisks();

async function emptySimulated(): Promise<Disk> {
  const disk = simulatedDisk();
  await disk.fileSystem.makeDirectory(disk.directory);
  return disk;
}

async function contentOf(fileSystem: FileSystem, path: string): Promise<string> {
  const file = await fileSystem.open(path, "read");
  const bytes = new Uint8Array(await file.size());
  await file.read(bytes, 0);
  await file.close();
  return textOf(bytes);
}

async function put(fileSystem: FileSystem, path: string, text: string): Promise<void> {
  const file = await fileSystem.open(path, "create");
  await file.write([bytesOf(text)], 0);
  await file.close();
}

describe.each([
  ["the real disk", () => realDisk()],
  ["the simulated disk", emptySimulated],
])("a file system: %s", (_name, make) => {
  it("writes several chunks one after the other, and reads what was written", async () => {
    const { fileSystem, directory } = await make();
    const file = await fileSystem.open(`${directory}/a`, "create");
    await file.write([bytesOf("one "), new Uint8Array(0), bytesOf("two "), bytesOf("three")], 0);
    await file.write([bytesOf("TWO")], 4);
    const target = new Uint8Array(20);
    expect(await file.read(target, 4)).toBe(9);
    expect(textOf(target.subarray(0, 9))).toBe("TWO three");
    expect(await file.read(target, 100)).toBe(0);
    expect(await file.size()).toBe(13);
    await file.dataSync();
    await file.sync();
    await file.close();
  });

  it("fills a gap with zeros", async () => {
    const { fileSystem, directory } = await make();
    const file = await fileSystem.open(`${directory}/a`, "create");
    await file.write([bytesOf("x")], 3);
    await file.truncate(6);
    const target = new Uint8Array(6).fill(9);
    expect(await file.read(target, 0)).toBe(6);
    expect([...target]).toEqual([0, 0, 0, 120, 0, 0]);
    await file.truncate(2);
    expect(await file.size()).toBe(2);
    await file.close();
  });

  it("opens as asked: create empties, update and read need the file", async () => {
    const { fileSystem, directory } = await make();
    const path = `${directory}/a`;
    await expect(fileSystem.open(path, "read")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(fileSystem.open(path, "update")).rejects.toMatchObject({ code: "ENOENT" });
    await put(fileSystem, path, "old content");
    const update = await fileSystem.open(path, "update");
    await update.write([bytesOf("new")], 0);
    await update.close();
    expect(await contentOf(fileSystem, path)).toBe("new content");
    await (await fileSystem.open(path, "create")).close();
    expect(await contentOf(fileSystem, path)).toBe("");
    const reading = await fileSystem.open(path, "read");
    await expect(reading.write([bytesOf("x")], 0)).rejects.toMatchObject({ code: "EBADF" });
    await reading.close();
  });

  it("renames over an existing file, and unlinks", async () => {
    const { fileSystem, directory } = await make();
    await put(fileSystem, `${directory}/a`, "a");
    await put(fileSystem, `${directory}/b`, "b");
    await fileSystem.rename(`${directory}/a`, `${directory}/b`);
    expect(await fileSystem.readDirectory(directory)).toEqual(["b"]);
    expect(await contentOf(fileSystem, `${directory}/b`)).toBe("a");
    await fileSystem.syncDirectory(directory);
    await fileSystem.unlink(`${directory}/b`);
    expect(await fileSystem.readDirectory(directory)).toEqual([]);
    await expect(fileSystem.unlink(`${directory}/b`)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(fileSystem.rename(`${directory}/b`, `${directory}/c`)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("makes, renames and removes directories", async () => {
    const { fileSystem, directory } = await make();
    const path = `${directory}/sub`;
    await fileSystem.makeDirectory(path);
    await expect(fileSystem.makeDirectory(path)).rejects.toMatchObject({ code: "EEXIST" });
    await expect(fileSystem.makeDirectory(`${directory}/no/sub`)).rejects.toMatchObject({ code: "ENOENT" });
    await put(fileSystem, `${path}/a`, "a");
    await expect(fileSystem.removeDirectory(path)).rejects.toMatchObject({ code: "ENOTEMPTY" });
    await fileSystem.rename(path, `${directory}/other`);
    expect(await contentOf(fileSystem, `${directory}/other/a`)).toBe("a");
    await fileSystem.unlink(`${directory}/other/a`);
    await fileSystem.removeDirectory(`${directory}/other`);
    expect(await fileSystem.readDirectory(directory)).toEqual([]);
    await expect(fileSystem.readDirectory(path)).rejects.toMatchObject({ code: "ENOENT" });
    await expect(fileSystem.syncDirectory(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("tells what a path names", async () => {
    const { fileSystem, directory } = await make();
    await put(fileSystem, `${directory}/a`, "abc");
    expect(await fileSystem.stat(`${directory}/a`)).toMatchObject({ kind: "file", bytes: 3 });
    const identity = async (name: string) => (await fileSystem.stat(`${directory}/${name}`))?.identity;
    const before = await identity("a");
    await put(fileSystem, `${directory}/copy`, "abc");
    await fileSystem.rename(`${directory}/a`, `${directory}/b`);
    expect(await identity("b")).toBe(before);
    expect(await identity("copy")).not.toBe(before);
    expect(await fileSystem.stat(directory)).toMatchObject({ kind: "directory" });
    expect(await fileSystem.stat(`${directory}/none`)).toBeUndefined();
  });
});
