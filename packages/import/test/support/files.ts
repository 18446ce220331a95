import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files below a directory, with the folders that they need. */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** A line of .jsonl. */
export function documentLine(id: string, md = `Text of ${id}.`): string {
  return JSON.stringify({ resourceDocId: id, type: "DOCUMENT", content: [{ md }] });
}
