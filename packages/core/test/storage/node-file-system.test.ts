import fs, { type PathLike, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeFileSystem } from "../../src/storage/node-file-system.ts";
import { bytesOf } from "../../testing/told-stores.ts";
import { readWhole, realDisks } from "./kit.ts";

const limits = { bytesPerCall: Number.POSITIVE_INFINITY, calls: 0 };
const { write, writev, read } = fs;

/** A system that takes and gives only a few bytes a call, as any system may. */
beforeAll(() => {
  type Done = (error: NodeJS.ErrnoException | null, bytes: number) => void;
  const some = {
    write(fd: number, bytes: Uint8Array, offset: number, length: number, position: number, done: Done) {
      limits.calls += 1;
      write(fd, bytes, offset, Math.min(length, limits.bytesPerCall), position, done);
    },
    writev(fd: number, chunks: Uint8Array[], position: number, done: Done) {
      limits.calls += 1;
      const all = Buffer.concat(chunks);
      write(fd, all, 0, Math.min(all.length, limits.bytesPerCall), position, done);
    },
    read(fd: number, target: Uint8Array, offset: number, length: number, position: number, done: Done) {
      read(fd, target, offset, Math.min(length, limits.bytesPerCall), position, done);
    },
  };
  Object.assign(fs, some);
  syncBuiltinESMExports();
});

afterAll(() => {
  Object.assign(fs, { write, writev, read });
  syncBuiltinESMExports();
});

const realDisk = realDisks();
const modeOf = (path: PathLike) => statSync(path).mode & 0o777;

describe("the real file system", () => {
  it.each([1, 3, 7, 1000])("goes on after short writes and reads, %i bytes a call", async (bytesPerCall) => {
    const disk = await realDisk();
    const path = `${disk.directory}/a`;
    limits.bytesPerCall = bytesPerCall;
    try {
      const file = await nodeFileSystem.open(path, "create");
      const chunks = ["alpha ", "", "beta ", "gamma delta", " epsilon"].map(bytesOf);
      await file.write(chunks, 2);
      await file.write([bytesOf("0123456789")], 0);
      await file.close();
      expect((await readWhole(disk, path)).toString()).toBe("0123456789ta gamma delta epsilon");
    } finally {
      limits.bytesPerCall = Number.POSITIVE_INFINITY;
    }
  });

  it("fails rather than trying forever when the disk takes nothing", async () => {
    const disk = await realDisk();
    const file = await nodeFileSystem.open(`${disk.directory}/a`, "create");
    limits.bytesPerCall = 0;
    try {
      await expect(file.write([bytesOf("x")], 0)).rejects.toMatchObject({ code: "EIO" });
    } finally {
      limits.bytesPerCall = Number.POSITIVE_INFINITY;
      await file.close();
    }
  });

  it("writes one chunk, or many, in one call", async () => {
    const disk = await realDisk();
    const file = await nodeFileSystem.open(`${disk.directory}/a`, "create");
    limits.calls = 0;
    await file.write([bytesOf("one")], 0);
    expect(limits.calls).toBe(1);
    await file.write([bytesOf("two"), bytesOf("three")], 3);
    expect(limits.calls).toBe(2);
    await file.close();
  });

  it.skipIf(process.platform === "win32")("lets only the owner look into what it makes", async () => {
    const { directory } = await realDisk();
    await nodeFileSystem.makeDirectory(`${directory}/sub`);
    await (await nodeFileSystem.open(`${directory}/sub/a`, "create")).close();
    expect(modeOf(`${directory}/sub`)).toBe(0o700);
    expect(modeOf(`${directory}/sub/a`)).toBe(0o600);
  });

  it("tells how much is free on a disk, and nothing of what is none", async () => {
    const { directory } = await realDisk();
    expect(await nodeFileSystem.freeBytes(directory)).toBeGreaterThan(0);
    if (process.platform === "linux") expect(await nodeFileSystem.freeBytes("/proc")).toBeUndefined();
  });
});
