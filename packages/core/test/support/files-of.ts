import type { Disk } from "../storage/kit.ts";
import { readWhole } from "../storage/kit.ts";

/** Every file below a directory, by its path, in order. */
export async function filesOf(disk: Disk, directory = disk.directory): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of (await disk.fileSystem.readDirectory(directory)).sort()) {
    const path = `${directory}/${name}`;
    const kind = (await disk.fileSystem.stat(path))?.kind;
    if (kind === "file") files.set(path, await readWhole(disk, path));
    else if (kind === "directory") for (const [below, bytes] of await filesOf(disk, path)) files.set(below, bytes);
  }
  return files;
}

/** The paths of the files that hold any of these words, in whatever case. */
export async function filesWith(disk: Disk, ...words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [path, bytes] of await filesOf(disk)) {
    const text = bytes.toString("latin1").toLowerCase();
    if (words.some((word) => text.includes(word.toLowerCase()))) found.push(path);
  }
  return found;
}
