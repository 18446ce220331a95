import { createHash, type Hash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ArgumentPlace } from "@loredex/core";
import { patternOf } from "../belonging/target.ts";
import { kindOf, leadsToOwnFile, listFolder, matchesOf } from "../reading/read-source.ts";
import { optionsOf } from "../reading/settings.ts";

/** The fingerprint of a path without a file, or with one that may not be read. */
const NOTHING = "nothing";

/**
 * Returns a digest of the names, sizes and times of all files that an import of an argument would read. Without changes two checks are equal. No file is
 * opened.
 */
export async function fingerprint(argument: ArgumentPlace): Promise<string> {
  const { path } = argument;
  const pattern = patternOf(argument);
  const hash = createHash("sha256");
  try {
    const found = await stat(path);
    if (pattern !== undefined) await addMatches(argument, pattern, hash);
    else if (found.isDirectory()) await addFolder(path, await realpath(path), hash);
    else hash.update(await lineOf(path));
  } catch {
    return NOTHING;
  }
  return hash.digest("base64");
}

async function addMatches({ path, settings }: ArgumentPlace, pattern: string, hash: Hash): Promise<void> {
  const [ways, root] = await Promise.all([matchesOf(path, pattern), realpath(path)]);
  const { kind } = optionsOf(settings);
  const isRead = async (way: string): Promise<boolean> =>
    (kind ?? kindOf(way)) !== undefined && (await leadsToOwnFile(join(path, way), root));
  await addFiles(path, await those(ways, isRead), hash);
}

async function addFolder(folder: string, root: string, hash: Hash): Promise<void> {
  const entries = await listFolder(folder).catch(() => undefined);
  // The import that follows reports why it cannot be read.
  if (entries === undefined) return void hash.update("unreadable\n");
  const known = entries.filter((entry) => !entry.isDirectory() && kindOf(entry.name) !== undefined);
  const files = await those(
    known,
    async (entry) => !entry.isSymbolicLink() || (await leadsToOwnFile(join(folder, entry.name), root)),
  );
  await addFiles(
    folder,
    files.map(({ name }) => name),
    hash,
  );
  for (const entry of entries.filter((one) => one.isDirectory())) {
    hash.update(`${JSON.stringify(entry.name)}/\n`);
    await addFolder(join(folder, entry.name), root, hash);
  }
}

async function those<One>(all: readonly One[], isOne: (one: One) => Promise<boolean>): Promise<One[]> {
  const are = await Promise.all(all.map(isOne));
  return all.filter((_, i) => are[i] === true);
}

async function addFiles(folder: string, ways: readonly string[], hash: Hash): Promise<void> {
  hash.update(`${ways.length}\n`);
  const lines = await Promise.all(ways.map((way) => lineOf(join(folder, way))));
  for (const [i, way] of ways.entries()) hash.update(`${JSON.stringify(way)} ${lines[i]}\n`);
}

async function lineOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    return [size, mtimeMs, ctimeMs, ino].join(" ");
  } catch {
    return NOTHING;
  }
}
