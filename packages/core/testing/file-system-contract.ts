import { strict as assert } from "node:assert";
import type { FileSystem } from "../src/storage/file-system.ts";
import { type ContractCase, casesOf, type Demands } from "./contract.ts";
import { bytesOf, textOf } from "./told-stores.ts";

/** A file system, and an existing, empty directory on it. */
export interface EmptyDirectory {
  readonly fileSystem: FileSystem;
  /** Its path, without a `/` at the end. */
  readonly directory: string;
}

type NewDirectory = () => Promise<EmptyDirectory>;

const NOT_FOUND = { code: "ENOENT" };
const EXISTS = { code: "EEXIST" };

async function contentOf(fileSystem: FileSystem, path: string): Promise<string | undefined> {
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

const DEMANDS: Demands<NewDirectory> = {
  "a file gets several chunks in order, and gives what was written": async (newDirectory) => {
    const { fileSystem, directory } = await newDirectory();
    const file = await fileSystem.open(`${directory}/a`, "create");
    await file.write([bytesOf("one "), new Uint8Array(0), bytesOf("two "), bytesOf("three")], 0);
    await file.write([bytesOf("TWO")], 4);
    const target = new Uint8Array(20);
    assert.equal(await file.read(target, 4), 9);
    assert.equal(textOf(target.subarray(0, 9)), "TWO three");
    assert.equal(await file.read(target, 100), 0);
    assert.equal(await file.size(), 13);
    await file.dataSync();
    await file.sync();
    await file.close();
  },

  "a file has zeros in a gap": async (newDirectory) => {
    const { fileSystem, directory } = await newDirectory();
    const file = await fileSystem.open(`${directory}/a`, "create");
    await file.write([bytesOf("x")], 3);
    await file.truncate(6);
    const target = new Uint8Array(6).fill(9);
    assert.equal(await file.read(target, 0), 6);
    assert.deepEqual([...target], [0, 0, 0, 120, 0, 0]);
    await file.truncate(2);
    assert.equal(await file.size(), 2);
    await file.close();
  },

  "a file opens as asked: create empties it, update and read need it": async (newDirectory) => {
    const { fileSystem, directory } = await newDirectory();
    const path = `${directory}/a`;
    await assert.rejects(fileSystem.open(path, "read"), NOT_FOUND);
    await assert.rejects(fileSystem.open(path, "update"), NOT_FOUND);
    await put(fileSystem, path, "old content");
    const update = await fileSystem.open(path, "update");
    await update.write([bytesOf("new")], 0);
    await update.close();
    assert.equal(await contentOf(fileSystem, path), "new content");
    await (await fileSystem.open(path, "create")).close();
    assert.equal(await contentOf(fileSystem, path), "");
    const reading = await fileSystem.open(path, "read");
    await assert.rejects(reading.write([bytesOf("x")], 0), { code: "EBADF" });
    await reading.close();
  },

  "a file is renamed over an existing one, and unlinked": async (newDirectory) => {
    const { fileSystem, directory } = await newDirectory();
    await put(fileSystem, `${directory}/a`, "a");
    await put(fileSystem, `${directory}/b`, "b");
    await fileSystem.rename(`${directory}/a`, `${directory}/b`);
    assert.deepEqual(await fileSystem.readDirectory(directory), ["b"]);
    assert.equal(await contentOf(fileSystem, `${directory}/b`), "a");
    await fileSystem.syncDirectory(directory);
    await fileSystem.unlink(`${directory}/b`);
    assert.deepEqual(await fileSystem.readDirectory(directory), []);
    await assert.rejects(fileSystem.unlink(`${directory}/b`), NOT_FOUND);
    await assert.rejects(fileSystem.rename(`${directory}/b`, `${directory}/c`), NOT_FOUND);
  },

  "directories are made, renamed and removed": async (newDirectory) => {
    const { fileSystem, directory } = await newDirectory();
    const path = `${directory}/sub`;
    await fileSystem.makeDirectory(path);
    await assert.rejects(fileSystem.makeDirectory(path), EXISTS);
    await assert.rejects(fileSystem.makeDirectory(`${directory}/no/sub`), NOT_FOUND);
    await put(fileSystem, `${path}/a`, "a");
    await assert.rejects(fileSystem.removeDirectory(path), { code: "ENOTEMPTY" });
    await fileSystem.rename(path, `${directory}/other`);
    assert.equal(await contentOf(fileSystem, `${directory}/other/a`), "a");
    await fileSystem.unlink(`${directory}/other/a`);
    await fileSystem.removeDirectory(`${directory}/other`);
    assert.deepEqual(await fileSystem.readDirectory(directory), []);
    await assert.rejects(fileSystem.readDirectory(path), NOT_FOUND);
    await assert.rejects(fileSystem.syncDirectory(path), NOT_FOUND);
  },

  "a path names a file or a directory, whose identity a copy does not have": async (newDirectory) => {
    const { fileSystem, directory } = await newDirectory();
    await put(fileSystem, `${directory}/a`, "abc");
    const before = await fileSystem.stat(`${directory}/a`);
    assert.deepEqual([before?.kind, before?.bytes], ["file", 3]);
    await put(fileSystem, `${directory}/copy`, "abc");
    await fileSystem.rename(`${directory}/a`, `${directory}/b`);
    assert.equal((await fileSystem.stat(`${directory}/b`))?.identity, before?.identity);
    assert.notEqual((await fileSystem.stat(`${directory}/copy`))?.identity, before?.identity);
    const open = await fileSystem.open(`${directory}/b`, "read");
    assert.equal(await open.identity(), before?.identity);
    await open.close();
    assert.equal((await fileSystem.stat(directory))?.kind, "directory");
    assert.equal(await fileSystem.stat(`${directory}/none`), undefined);
    await fileSystem.requireAccess(directory);
  },
};

/**
 * The contract of the port `FileSystem`. It cannot tell whether synced bytes survive a power cut.
 * @param newDirectory makes an empty directory for each case
 */
export function fileSystemContract(newDirectory: NewDirectory): ContractCase[] {
  return casesOf(DEMANDS, newDirectory);
}
