import { execFileSync } from "node:child_process";
import { chown, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { loredex, startServer } from "./support/cli.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** Nearly every system has this user, and nothing belongs to it. */
const NOBODY = 65_534;

/** Becoming another user needs root; that one must be able to read the sources that it runs. */
const canBeNobody = ((): boolean => {
  if (process.geteuid?.() !== 0) return false;
  try {
    const source = fileURLToPath(new URL("../src/cli.ts", import.meta.url));
    const read = "require('node:fs').readFileSync(process.argv[1])";
    execFileSync(process.execPath, ["-e", read, source], { uid: NOBODY, gid: NOBODY, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** A directory that `nobody` may write to, the data directory that is to be in it, and a file to import. */
async function folders() {
  const home = await temporaryDirectory();
  await chown(home, NOBODY, NOBODY);
  const file = join(home, "tide.md");
  await writeFile(file, "# Tide\n\nThe tide comes twice a day.\n");
  return { home, directory: join(home, "data"), file };
}

/** The same, with a bot `docs` that `nobody` has made. */
async function dataOfNobody() {
  const there = await folders();
  const made = await loredex(["bot", "create", "docs", "--data", there.directory], { user: NOBODY });
  expect(made.code, made.err).toBe(0);
  return there;
}

/** Every path with its owner, its mode, its size and its last change. The data directory itself is left out: a file of a moment may have been in it. */
async function tree(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const lines = names.map(async (name) => {
    const { uid, size, mtimeMs, mode } = await lstat(join(directory, name));
    return `${name} ${uid} ${mode} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}

describe.skipIf(!canBeNobody)("a data directory of another user (needs root, and sources that all can read)", () => {
  it("is refused before anything is written, whatever the command, and the refusal names the user to become", async () => {
    const { home, directory, file } = await dataOfNobody();
    const backup = join(home, "docs.backup");
    expect((await loredex(["backup", "docs", backup, "--data", directory], { user: NOBODY })).code).toBe(0);
    const before = await tree(directory);
    const commands = [
      ["import", "docs", file],
      ["bot", "create", "other"],
      ["bot", "list"],
      ["bot", "set", "docs", "--quota", "5"],
      ["search", "docs", "tide"],
      ["key", "rotate", "docs"],
      ["backup", "docs", join(home, "mine.backup")],
      ["restore", backup, "--as", "again"],
      ["verify"],
      ["salvage", "docs", "--to", join(home, "saved.jsonl")],
      ["serve", "--port", "0"],
    ];
    for (const command of commands) {
      const refused = await run(...command, "--data", directory);
      expect(refused, command.join(" ")).toMatchObject({ code: 1, out: "" });
      expect(refused.err, command.join(" ")).toContain(`${directory} belongs to the user`);
      expect(refused.err).toMatch(/\(uid 65534\), and this program runs as root \(uid 0\).*sudo -u \S+/);
    }
    await expect(Engine.open({ directory })).rejects.toMatchObject({ code: "WRONG_USER" });
    expect(await tree(directory)).toEqual(before);
    expect((await loredex(["import", "docs", file, "--data", directory], { user: NOBODY })).code).toBe(0);
  });

  it("takes commands of root through the running server, and everything in it stays the server's", async () => {
    const { directory, file } = await dataOfNobody();
    const server = await startServer(directory, { user: NOBODY });
    expect(await run("import", "docs", file, "--data", directory)).toMatchObject({ code: 0 });
    expect((await run("bot", "create", "more", "--data", directory)).code).toBe(0);
    expect(await server.stop("SIGTERM")).toBe(0);
    for (const line of await tree(directory)) expect(line).toMatch(/^\S+ 65534 /);
  });

  it("is anybody's as long as there is nothing in it", async () => {
    const { directory } = await folders();
    await mkdir(directory);
    await chown(directory, NOBODY, NOBODY);
    expect((await run("bot", "create", "docs", "--data", directory)).code).toBe(0);
    expect((await run("bot", "list", "--data", directory)).code).toBe(0);
    const refused = await loredex(["serve", "--data", directory, "--port", "0"], { user: NOBODY });
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/belongs to the user root \(uid 0\)/) });
    expect(refused.err).toContain(`chown -R ${NOBODY} ${directory}`);
  });
});
