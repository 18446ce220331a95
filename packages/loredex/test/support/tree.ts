import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Every path with its owner, its mode, its size and its last change. The data directory itself is left out: a file of a moment may have been in it. */
export async function tree(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const lines = names.map(async (name) => {
    const { uid, size, mtimeMs, mode } = await lstat(join(directory, name));
    return `${name} ${uid} ${mode} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}
