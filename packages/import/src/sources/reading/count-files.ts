import { join } from "node:path";
import type { SourceInfo } from "@loredex/core";
import { STDIN, type Target, targetOf, targetOfArgument } from "../belonging/target.ts";
import { kindOf, leadsToOwnFile, listFolder } from "./read-source.ts";

/**
 * How many files an import of these paths will read, for its progress; undefined where that is not known beforehand, as of addresses and patterns. What cannot
 * be looked at counts for nothing: the import says so.
 */
export function countFiles(paths: readonly string[]): Promise<number | undefined> {
  return countAt(paths.map(targetOf));
}

async function countAt(targets: readonly Promise<Target>[]): Promise<number | undefined> {
  let files = 0;
  for (const there of await Promise.allSettled(targets)) {
    const target = there.status === "fulfilled" ? there.value : undefined;
    if (target?.kind === "address" || target?.glob !== undefined) return undefined;
    if (target?.kind === "folder") files += await countIn(target.given, target.real);
    else if (target !== undefined) files += 1;
  }
  return files;
}

/** The same of bringing sources up to date. */
export async function countFilesOf(sources: readonly SourceInfo[]): Promise<number | undefined> {
  const places = sources.flatMap((source) => source.arguments).filter(({ path }) => path !== STDIN);
  return countAt(places.map(targetOfArgument));
}

async function countIn(folder: string, root: string): Promise<number> {
  const entries = await listFolder(folder).catch(() => []);
  let files = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files += await countIn(path, root);
    else if (kindOf(path) !== undefined && (!entry.isSymbolicLink() || (await leadsToOwnFile(path, root)))) files += 1;
  }
  return files;
}
