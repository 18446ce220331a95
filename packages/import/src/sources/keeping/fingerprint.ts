import { createHash, type Hash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ArgumentPlace } from "@loredex/core";
import { patternOf } from "../belonging/target.ts";
import { kindOf, listFolder, matchesOf } from "../reading/read-source.ts";

/** What a path looks like that nothing is at, or nothing that may be looked at. */
const NOTHING = "nothing";

/**
 * What an argument on the disk looks like from outside: names, sizes and times of all files that an import would read, as a digest. While nothing
 * changes two looks are alike; no file is opened.
 */
export async function fingerprint(argument: ArgumentPlace): Promise<string> {
  const { path } = argument;
  const pattern = patternOf(argument);
  const hash = createHash("sha256");
  try {
    const found = await stat(path);
    if (pattern !== undefined) await addMatches(path, pattern, hash);
    else if (found.isDirectory()) await addFolder(path, hash);
    else hash.update(await lineOf(path));
  } catch {
    return NOTHING;
  }
  return hash.digest("base64");
}

async function addMatches(folder: string, pattern: string, hash: Hash): Promise<void> {
  const ways = await matchesOf(folder, pattern);
  await addFiles(folder, ways, hash);
}

async function addFolder(folder: string, hash: Hash): Promise<void> {
  const entries = await listFolder(folder).catch(() => undefined);
  // The import that follows says why it cannot be read.
  if (entries === undefined) return void hash.update("unreadable\n");
  const files = entries.filter((entry) => !entry.isDirectory() && kindOf(entry.name) !== undefined);
  await addFiles(
    folder,
    files.map(({ name }) => name),
    hash,
  );
  for (const entry of entries.filter((one) => one.isDirectory())) {
    hash.update(`${JSON.stringify(entry.name)}/\n`);
    await addFolder(join(folder, entry.name), hash);
  }
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
