import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { ArgumentPlace } from "@loredex/core";
import { bytesOfFile } from "../../files/user-files.ts";
import type { KnownFiles } from "./known-files.ts";
import { isGone, type Target } from "./target.ts";

/** Maximum files of a folder that are searched in another one. */
const LOOKED_FOR_MAX = 1_000;

/**
 * True if the argument's target resembles an earlier argument of the source elsewhere. At least half of the earlier files must exist here; of those still at
 * the old place, at least half must be the same. A single file is checked in the same way: once its old place is empty, it is the file of its name.
 */
export async function isAlike(
  target: Target,
  known: ArgumentPlace,
  { source, files }: { readonly source: string; readonly files: KnownFiles },
): Promise<boolean> {
  const sample = filesOf(known, { source, files });
  let [there, standing, same] = [0, 0, 0];
  for (const path of sample) {
    const [before, now] = [join(known.path, path), join(target.real, path)];
    if (!(await isGone(now))) there += 1;
    if (await isGone(before)) continue;
    standing += 1;
    if (await isSameFile(before, now)) same += 1;
  }
  return there * 2 >= sample.length && same * 2 >= standing;
}

/** Returns the relative paths of an argument's first files. */
export function filesOf(
  { name }: ArgumentPlace,
  { source, files }: { readonly source: string; readonly files: KnownFiles },
): readonly string[] {
  const paths = files.of(source).flatMap(({ argument, path }) => (argument === name ? [path ?? ""] : []));
  // A file outside, found through a link, tells nothing about the folder.
  return [...new Set(paths)].filter((path) => !isAbsolute(path)).slice(0, LOOKED_FOR_MAX);
}

/** An unreadable file equals no other. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  try {
    const [first, second] = await Promise.all([stat(one), stat(other)]);
    if (!first.isFile() || !second.isFile() || first.size !== second.size) return false;
    return (await digestOfFile(one)) === (await digestOfFile(other));
  } catch {
    return false;
  }
}

export async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of bytesOfFile(path)) hash.update(bytes);
  return hash.digest("base64");
}
