import { createHash, type Hash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What a path looks like that nothing is at, or nothing that may be looked at. */
const NOTHING = "nothing";

/**
 * What a folder or a file looks like from outside: names, sizes and times of all its files, as a digest. While nothing changes two
 * looks are alike; no file is opened. As in an import, links to folders are not followed, and hidden names are not looked at.
 */
export async function fingerprint(path: string): Promise<string> {
  const hash = createHash("sha256");
  try {
    if ((await stat(path)).isDirectory()) await addFolder(path, hash);
    else hash.update(await lineOf(path));
  } catch {
    return NOTHING;
  }
  return hash.digest("base64");
}

async function addFolder(folder: string, hash: Hash): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  // The import that follows says why it cannot be read.
  if (entries === undefined) return void hash.update("unreadable\n");
  const shown = entries.filter(({ name }) => !name.startsWith(".")).sort((a, b) => (a.name < b.name ? -1 : 1));
  hash.update(`${shown.length}\n`);
  const lines = await Promise.all(shown.map((entry) => (entry.isDirectory() ? "" : lineOf(join(folder, entry.name)))));
  for (const [i, entry] of shown.entries()) {
    hash.update(`${JSON.stringify(entry.name)} ${lines[i]}\n`);
    if (entry.isDirectory()) await addFolder(join(folder, entry.name), hash);
  }
}

async function lineOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs, ctimeMs, ino } = await stat(path);
    return [size, mtimeMs, ctimeMs, ino].join(" ");
  } catch {
    return NOTHING;
  }
}
