import { execFileSync } from "node:child_process";
import { chown, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { CLI } from "./cli.ts";
import { run } from "./run.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Nearly every system has this user, and nothing belongs to it. */
export const NOBODY = 65_534;

/** Becoming another user needs root; that one must be able to read what it runs. */
export const canBeNobody = ((): boolean => {
  if (process.geteuid?.() !== 0) return false;
  try {
    const read = "require('node:fs').readFileSync(process.argv[1])";
    execFileSync(process.execPath, ["-e", read, CLI], { uid: NOBODY, gid: NOBODY, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** A directory that `nobody` may write to, the data directory that is to be in it, and a file to import. */
export async function folders() {
  const home = await temporaryDirectory();
  await chown(home, NOBODY, NOBODY);
  const file = join(home, "tide.md");
  await writeFile(file, "# Tide\n\nThe tide comes twice a day.\n");
  return { home, directory: join(home, "data"), file };
}

/** The same, with a bot `docs`, as if `nobody` had made it. */
export async function dataOfNobody() {
  const there = await folders();
  const made = await run("bot", "create", "docs", "--data", there.directory);
  expect(made.code, made.err).toBe(0);
  await giveToNobody(there.directory);
  return there;
}

/** Gives a directory and all that is in it to `nobody`: a process of that user's for every command takes far longer. */
export async function giveToNobody(directory: string): Promise<void> {
  const below = (await readdir(directory, { recursive: true })).map((name) => join(directory, name));
  await Promise.all([directory, ...below].map((path) => chown(path, NOBODY, NOBODY)));
}
