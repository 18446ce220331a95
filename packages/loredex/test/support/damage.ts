import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Flips one bit in the log of a store on the real disk: of record `record`, counted from 0 in its newest segment. */
export async function damageLog(directory: string, store: string, record: number): Promise<string> {
  const folder = join(directory, "stores", store);
  const segment =
    (await readdir(folder))
      .filter((name) => name.endsWith(".log"))
      .sort()
      .at(-1) ?? "";
  const path = join(folder, segment);
  const bytes = await readFile(path);
  let at = 128;
  for (let skipped = 0; skipped < record; skipped += 1) at += 32 + bytes.readUInt32LE(at + 4);
  bytes.writeUInt8(bytes.readUInt8(at + 60) ^ 8, at + 60);
  await writeFile(path, bytes);
  return path;
}
