import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rename, symlink, writeFile } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { lockDirectory, requireUnlocked } from "../../src/storage/lock.ts";
import { nodeFileSystem } from "../../src/storage/node-file-system.ts";
import { openOn, realDisks } from "./kit.ts";

const realDisk = realDisks();
const holder = fileURLToPath(new URL("./lock-holder.mjs", import.meta.url));
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
});

/** Another process that holds the lock of a directory. */
async function holdElsewhere(directory: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [holder, directory], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  if (child.stdout === null) throw new Error("the child has no output");
  const [said] = await once(child.stdout, "data");
  expect(String(said).trim()).toBe("held");
  return child;
}

describe("the lock of a data directory", () => {
  it("has one holder in a process, by whatever path, and is free when it was released", async () => {
    const { directory } = await realDisk();
    const lock = await lockDirectory(directory);
    const refusal = { code: "DIRECTORY_IN_USE", message: expect.stringContaining(directory) };
    await expect(lockDirectory(directory)).rejects.toMatchObject(refusal);
    await expect(
      lockDirectory(`${directory}/../${directory.slice(directory.lastIndexOf("/") + 1)}`),
    ).rejects.toMatchObject({
      code: "DIRECTORY_IN_USE",
    });
    const link = `${(await realDisk()).directory}/link`;
    await symlink(directory, link);
    await expect(lockDirectory(link)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    await lock.release();
    await lock.release();
    await (await lockDirectory(directory)).release();
  });

  it("is asked for also by whoever finds that another has made the directory meanwhile", async () => {
    const disk = await realDisk();
    // Each folder is there just before it is made.
    const makeDirectory = async (path: string): Promise<void> => {
      await nodeFileSystem.makeDirectory(path);
      await nodeFileSystem.makeDirectory(path);
    };
    const late = { ...disk, fileSystem: { ...nodeFileSystem, makeDirectory }, directory: `${disk.directory}/new/data` };
    const storage = await openOn(late);
    await expect(openOn(late)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    await storage.close();
  });

  it("is one's who opens a missing directory at the same time as others, and the others learn that it is in use", async () => {
    const disk = await realDisk();
    const missing = { ...disk, directory: `${disk.directory}/new/data` };
    const openings = await Promise.allSettled([openOn(missing), openOn(missing), openOn(missing)]);
    const refused = openings.filter((opening) => opening.status === "rejected");
    expect(refused.map(({ reason }) => reason)).toMatchObject(Array(2).fill({ code: "DIRECTORY_IN_USE" }));
    for (const opening of openings) if (opening.status === "fulfilled") await opening.value.close();
  });

  it("is not asked for where a file is made in the place of the directory meanwhile", async () => {
    const disk = await realDisk();
    const makeDirectory = async (path: string): Promise<void> => {
      await writeFile(path, "");
      await nodeFileSystem.makeDirectory(path);
    };
    const late = { ...disk, fileSystem: { ...nodeFileSystem, makeDirectory }, directory: `${disk.directory}/data` };
    await expect(openOn(late)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  });

  it("is refused while another process holds it, and free the moment that one is killed", async () => {
    const { directory } = await realDisk();
    const child = await holdElsewhere(directory);
    await expect(lockDirectory(directory)).rejects.toMatchObject({
      code: "DIRECTORY_IN_USE",
      message: expect.stringMatching(/in use by another program.*Stop that one first/),
    });
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    await (await lockDirectory(directory)).release();
  });

  it("is held by a server that answers, also without its file, and not by the socket that one left", async () => {
    const { directory } = await realDisk();
    const server = createServer().listen(`${directory}/loredex.sock`);
    await once(server, "listening");
    const refusal = { code: "DIRECTORY_IN_USE", message: expect.stringContaining("a running server") };
    for (const ask of [requireUnlocked, lockDirectory]) await expect(ask(directory)).rejects.toMatchObject(refusal);
    await rename(`${directory}/loredex.sock`, `${directory}/left`);
    server.close();
    await once(server, "close");
    await rename(`${directory}/left`, `${directory}/loredex.sock`);
    await requireUnlocked(directory);
    await (await lockDirectory(directory)).release();
  });

  it.skipIf(process.platform !== "linux")("is held by a server that is too busy to take a connection", async () => {
    const { directory } = await realDisk();
    const path = `${directory}/loredex.sock`;
    const program = `require("node:net").createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log("up"))`;
    const child = spawn(process.execPath, ["-e", program, path], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    if (child.stdout === null) throw new Error("the child has no output");
    await once(child.stdout, "data");
    child.kill("SIGSTOP");
    const waiting = Array.from({ length: 4 }, () => createConnection(path));
    const [refused] = await Promise.race(waiting.map((connection) => once(connection, "error")));
    expect(refused).toMatchObject({ code: "EAGAIN" });
    await expect(requireUnlocked(directory)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    for (const connection of waiting) connection.destroy();
  });

  it("is not inherited by a child process", async () => {
    const { directory } = await realDisk();
    const lock = await lockDirectory(directory);
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    if (child.stdout === null) throw new Error("the child has no output");
    await once(child.stdout, "data");
    await lock.release();
    await (await holdElsewhere(directory)).kill("SIGKILL");
  });

  it("says what is wrong when there is no such directory", async () => {
    const { directory } = await realDisk();
    await expect(lockDirectory(`${directory}/none`)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await expect(lockDirectory(`${directory}/none`)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  });
});

describe("a file storage", () => {
  it("holds the lock until it is closed", async () => {
    const disk = await realDisk();
    const storage = await openOn(disk);
    await expect(openOn(disk)).rejects.toMatchObject({ code: "DIRECTORY_IN_USE" });
    await storage.close();
    await (await openOn(disk)).close();
  });

  it("makes its directory with all parents", async () => {
    const { directory, ...disk } = await realDisk();
    const deep = { ...disk, directory: `${directory}/a/b/c` };
    await (await openOn(deep)).close();
    expect((await nodeFileSystem.readDirectory(deep.directory)).sort()).toEqual(["lock", "stores", "temporary"]);
  });

  it("gives the lock back when it cannot be opened", async () => {
    const disk = await realDisk();
    await (await nodeFileSystem.open(`${disk.directory}/stores`, "create")).close();
    await expect(openOn(disk)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await (await lockDirectory(disk.directory)).release();
  });
});
