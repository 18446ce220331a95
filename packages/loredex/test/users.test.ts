import { chmod, chown, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { loredex, startServer } from "./support/cli.ts";
import { canBeNobody, dataOfNobody, folders, NOBODY } from "./support/nobody.ts";
import { run } from "./support/run.ts";
import { tree } from "./support/tree.ts";

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

  it("is whose it is, to root, while there is nothing in it: a service that has not run yet can be started after", async () => {
    const { directory } = await folders();
    await mkdir(directory);
    await chown(directory, NOBODY, NOBODY);
    const refused = await run("bot", "create", "docs", "--data", directory);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`${directory} belongs to the user`) });
    expect(await readdir(directory)).toEqual([]);
    const server = await startServer(directory, { user: NOBODY });
    expect((await run("bot", "create", "docs", "--data", directory)).code).toBe(0);
    expect(await server.stop("SIGTERM")).toBe(0);
    for (const line of await tree(directory)) expect(line).toMatch(/^\S+ 65534 /);
  });

  it("is anybody's where it is missing", async () => {
    const { directory } = await folders();
    expect((await run("bot", "create", "docs", "--data", directory)).code).toBe(0);
    expect((await run("bot", "list", "--data", directory)).code).toBe(0);
    const refused = await loredex(["serve", "--data", directory, "--port", "0"], { user: NOBODY });
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/belongs to the user root \(uid 0\)/) });
    expect(refused.err).toContain(`chown -R ${NOBODY} ${directory}`);
  });
});

it.skipIf(!canBeNobody)(
  "a server that may make no socket in its data directory says so, and blames no port",
  async () => {
    const { directory } = await dataOfNobody();
    // A server that died has left it, and it cannot be replaced.
    await writeFile(join(directory, "loredex.sock"), "");
    await chmod(directory, 0o500);
    const refused = await loredex(["serve", "--port", "8123", "--data", directory], { user: NOBODY });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`The socket for commands, ${directory}/loredex.sock, cannot be made`);
    expect(refused.err).not.toContain("port");
  },
);
