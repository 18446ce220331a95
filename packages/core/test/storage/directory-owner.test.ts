import { chown, mkdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { givesFilesTo, otherOwner } from "../../src/storage/directory-owner.ts";
import { lockDirectory } from "../../src/storage/lock.ts";
import { nodeFileSystem } from "../../src/storage/node-file-system.ts";
import { realDisks } from "./kit.ts";

const realDisk = realDisks();
const ownUser = process.geteuid?.();
const ANOTHER = 65_534;

describe.skipIf(ownUser === undefined)("the owner of a data directory (where users have numbers)", () => {
  it("is nobody else while there is nothing in it, nor where the data is our own", async () => {
    const { directory } = await realDisk();
    expect(await otherOwner(directory)).toBeUndefined();
    expect(await otherOwner(`${directory}/none`)).toBeUndefined();
    await mkdir(`${directory}/stores`);
    expect(await otherOwner(directory)).toBeUndefined();
  });

  it.skipIf(ownUser !== 0)("is whoever has the data, and not whoever has the folder (needs root)", async () => {
    const { directory } = await realDisk();
    await mkdir(`${directory}/stores`);
    await chown(directory, ANOTHER, ANOTHER);
    expect(await otherOwner(directory)).toBeUndefined();
    await chown(`${directory}/stores`, ANOTHER, ANOTHER);
    expect(await otherOwner(directory)).toBe(ANOTHER);
  });

  it.skipIf(ownUser !== 0)("is to root whoever has the folder while there is no data in it (needs root)", async () => {
    const { directory } = await realDisk();
    await chown(directory, ANOTHER, ANOTHER);
    expect(await otherOwner(directory)).toBe(ANOTHER);
    expect(await otherOwner(`${directory}/none`)).toBeUndefined();
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: "WRONG_USER" });
    expect(await nodeFileSystem.readDirectory(directory)).toEqual([]);
  });

  it("is asked of the disk by a file that does not stay", async () => {
    const { directory } = await realDisk();
    expect(await givesFilesTo(directory, ownUser ?? 0)).toBe(true);
    expect(await givesFilesTo(directory, ANOTHER)).toBe(ownUser === ANOTHER);
    expect(await givesFilesTo(`${directory}/none`, ANOTHER)).toBe(false);
    expect(await nodeFileSystem.readDirectory(directory)).toEqual([]);
  });
});
