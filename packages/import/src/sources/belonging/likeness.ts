import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { ArgumentPlace } from "@loredex/core";
import { bytesOfFile } from "../../files/user-files.ts";
import type { KnownFiles } from "./known-files.ts";
import { isGone, type Target } from "./target.ts";

/** So many files of a folder are looked for in another one. */
const LOOKED_FOR_MAX = 1_000;

/**
 * Whether what an argument points at looks like what an argument of the source brought from elsewhere: at least half of the files
 * that it had are there, and of those that are still at their old place, at least half are the same. A single file is looked
 * at alike: once its old place is empty, it is the one of its name.
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

/** The files that an argument of a source had, as ways from it: the first of them. */
export function filesOf(
  { name }: ArgumentPlace,
  { source, files }: { readonly source: string; readonly files: KnownFiles },
): readonly string[] {
  const paths = files.of(source).flatMap(({ argument, path }) => (argument === name ? [path ?? ""] : []));
  // A file that a link has led to lies elsewhere, and says nothing of this.
  return [...new Set(paths)].filter((path) => !isAbsolute(path)).slice(0, LOOKED_FOR_MAX);
}

/** What cannot be read is not the same as anything. */
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
