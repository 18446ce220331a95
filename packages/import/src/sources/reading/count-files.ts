import { join } from "node:path";
import type { SourceInfo } from "@loredex/core";
import { hasPlace, type Target, targetOf, targetOfArgument } from "../belonging/target.ts";
import { kindOf, leadsToOwnFile, listFolder } from "./read-source.ts";

/**
 * Counts the files that an import of these paths will read, for its progress. Undefined if it is unknown beforehand, as for addresses and patterns. Unreadable
 * paths count as 0: the import reports them.
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

/** Counts the files that a sync of these sources will read. */
export async function countFilesOf(sources: readonly SourceInfo[]): Promise<number | undefined> {
  const places = sources.flatMap((source) => source.arguments).filter(hasPlace);
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
