import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bytesOfFile, reasonOf, UserFileError } from "@loredex/import/files";
import { beforeEach, describe, expect, it } from "vitest";
import { commandEnvironment, commandOf, loredex } from "./support/cli.ts";
import { canBeNobody, NOBODY } from "./support/nobody.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

let folder: string;
let data: string;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await temporaryDirectory();
  data = at("data");
  await run("bot", "create", "acme", "--data", data);
  await mkdir(at("folder"));
  await writeFile(at("file"), "x\n");
  await writeFile(at("empty.jsonl"), "");
  await symlink(at("circle"), at("circle"));
});

/** Codes of the system and calls of its functions, as Node words them. */
const RAW = /\bE[A-Z]{3,}\b|\b(open|read|stat|lstat|scandir|mkdir) '/;

/** Every command that reads a file of the user's. */
const READERS: readonly (readonly [string, (path: string) => string[]])[] = [
  ["restore", (path) => ["restore", path]],
  ["eval", (path) => ["eval", "acme", path]],
  ["import", (path) => ["import", "acme", path]],
];

describe.each(READERS)("%s of a file that cannot be read", (_, command) => {
  it.each([
    ["missing.jsonl", "there is no such file or folder"],
    ["file/below.jsonl", "a part of its path is a file, not a folder"],
    ["circle", "its links lead in a circle"],
    [`${"n".repeat(300)}.jsonl`, "its name is too long"],
  ])("%s: names it and says why", async (name, why) => {
    const { code, out, err } = await run(...command(at(name)), "--data", data);
    expect(code).toBeGreaterThan(0);
    expect(out).toBe("");
    expect(err).toContain(at(name));
    expect(err).toContain(why);
    expect(err).not.toMatch(RAW);
  });
});

it.each(READERS.filter(([name]) => name !== "import"))(
  "%s says that a folder or a device is no file",
  async (_, command) => {
    const ofFolder = await run(...command(at("folder")), "--data", data);
    expect(ofFolder).toMatchObject({
      out: "",
      err: expect.stringContaining(`${at("folder")} cannot be read: this is a folder`),
    });
    const ofDevice = await run(...command("/dev/zero"), "--data", data);
    expect(ofDevice).toMatchObject({
      out: "",
      err: expect.stringContaining("/dev/zero cannot be read: this is no file"),
    });
  },
);

const isRoot = process.getuid?.() === 0;

it.skipIf(isRoot && !canBeNobody)(
  "a file without permission is told (as root: needs sources that all can read)",
  async () => {
    await writeFile(at("mine.jsonl"), "{}\n", { mode: 0o600 });
    await chmod(folder, 0o755);
    const user = isRoot ? NOBODY : undefined;
    if (user === undefined) await chmod(at("mine.jsonl"), 0o000);
    // The commands that read a file before they look at the data: nobody else may open that.
    for (const command of [
      ["restore", at("mine.jsonl")],
      ["eval", "acme", at("mine.jsonl")],
    ]) {
      const { err } = await loredex([...command, "--data", data], user === undefined ? {} : { user });
      expect(err).toBe(`loredex: ${at("mine.jsonl")} cannot be read: this user has no permission\n`);
    }
  },
);

it("an empty file has nothing to restore, to ask or to import", async () => {
  const empty = at("empty.jsonl");
  expect(await run("restore", empty, "--data", data)).toMatchObject({
    code: 1,
    err: expect.stringContaining("cut off"),
  });
  expect(await run("eval", "acme", empty, "--data", data)).toMatchObject({
    code: 2,
    err: expect.stringContaining("has no questions"),
  });
  expect(await run("import", "acme", empty, "--data", data)).toMatchObject({
    code: 0,
    err: expect.stringContaining("0 added"),
  });
});

describe.each([["backup", (path: string) => ["backup", "acme", path]]])(
  "%s to a place that cannot be written",
  (_, command) => {
    it.each([
      ["missing/below", "there is no such file or folder"],
      ["file/below", "a part of its path is a file, not a folder"],
      ["n".repeat(300), "its name is too long"],
    ])("%s: names it, says why, and leaves nothing", async (name, why) => {
      const before = await readdir(folder);
      const { code, out, err } = await run(...command(at(name)), "--data", data);
      expect({ code, out, err }).toEqual({ code: 1, out: "", err: `loredex: ${at(name)} cannot be written: ${why}\n` });
      expect(await readdir(folder)).toEqual(before);
    });
  },
);

describe.skipIf(process.platform !== "linux")("on a full disk", () => {
  /** Runs the program with its output, or what it logs, on a device that has no room. */
  const onFull = (redirection: string, ...argv: readonly string[]) =>
    spawnSync("sh", ["-c", `"$@" ${redirection}`, "sh", ...commandOf(argv)], {
      encoding: "utf8",
      env: commandEnvironment(),
      timeout: 50_000,
    });

  it("output that cannot be written is told, and a server that cannot tell its address ends", () => {
    for (const command of [
      ["bot", "list"],
      ["serve", "--port", "0"],
    ]) {
      const { status, stderr } = onFull("> /dev/full", ...command, "--data", data);
      expect(stderr).toContain("loredex: the output cannot be written: the disk is full\n");
      expect(status).toBe(1);
    }
  });

  it("a log that cannot be written keeps no command from its work", () => {
    const { status, stdout } = onFull("2> /dev/full", "import", "acme", at("empty.jsonl"), "--json", "--data", data);
    expect(JSON.parse(stdout)).toMatchObject({ added: 0 });
    expect(status).toBe(0);
  });
});

describe("a data directory", () => {
  it.each([["bot", "create", "other"], ["bot", "list"], ["serve", "--port", "0"], ["verify"]])(
    "that is a file is told: %s %s",
    async (...words) => {
      const { code, err } = await run(...words.filter((word) => word !== undefined), "--data", at("file"));
      expect(code).toBe(1);
      expect(err).toContain(`${at("file")} is a file, not a directory`);
      expect(err).not.toMatch(RAW);
    },
  );

  it("below a file is told", async () => {
    const { code, err } = await run("bot", "create", "other", "--data", at("file/below"));
    expect(code).toBe(1);
    expect(err).toContain(at("file/below"));
    expect(err).toContain("a part of its path is a file");
    expect(err).not.toMatch(RAW);
  });

  it.skipIf(!canBeNobody)("that may not be made is told (needs root, and sources that all can read)", async () => {
    await chmod(folder, 0o755);
    const { code, err } = await loredex(["bot", "create", "other", "--data", at("new")], { user: NOBODY });
    expect(code).toBe(1);
    expect(err).toContain(`${at("new")}: this user has no permission`);
    expect(err).not.toMatch(RAW);
  });
});

it("what the system says is put into words, whoever says it", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(reasonOf(full)).toBe("the disk is full");
  expect(new UserFileError("a.md", "written", full).message).toBe("a.md cannot be written: the disk is full");
  expect(reasonOf(new UserFileError("a.md", "read", full))).toBe("the disk is full");
  const reading = async (): Promise<void> => {
    for await (const _ of bytesOfFile(at("missing")));
  };
  await expect(reading()).rejects.toBeInstanceOf(UserFileError);
});
