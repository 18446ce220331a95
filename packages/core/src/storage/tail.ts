/** Repairs of the end of the newest segment after a crash. */

import type { FileSystem, OpenFile } from "./file-system.ts";

const COPY_BYTES = 1_048_576;

/**
 * Copies the bytes from `from` to `end` of a file of `directory` to a `*.broken` file beside it, durably.
 * They may be all that is left of the last writes before a crash.
 */
export async function copyAside(
  { fileSystem, directory }: { readonly fileSystem: FileSystem; readonly directory: string },
  name: string,
  file: OpenFile,
  from: number,
  end: number,
): Promise<void> {
  if (from >= end) return;
  const path = await freeName(fileSystem, `${directory}/${name}-at-${from}`);
  const copy = await fileSystem.open(`${path}.tmp`, "create");
  try {
    await copyBytes(file, copy, from, end, 0);
    await copy.sync();
  } finally {
    await copy.close();
  }
  await fileSystem.rename(`${path}.tmp`, path);
  await fileSystem.syncDirectory(directory);
}

/**
 * Writes the bytes from `from` to `end` again in place, and syncs the file. Recovered records must be durable,
 * but the last flush may be only in the system's memory, which after a failed sync takes it for written.
 */
export async function writeAgain(file: OpenFile, from: number, end: number): Promise<void> {
  await copyBytes(file, file, from, end, from);
  await file.sync();
}

async function copyBytes(source: OpenFile, target: OpenFile, from: number, end: number, to: number): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(COPY_BYTES, Math.max(0, end - from)));
  for (let at = from; at < end; ) {
    const read = await source.read(piece.subarray(0, Math.min(piece.length, end - at)), at);
    if (read === 0) return;
    await target.write([piece.subarray(0, read)], to + at - from);
    at += read;
  }
}

/** The first free name for a torn tail. An earlier tail from the same place is kept. */
async function freeName(fileSystem: FileSystem, path: string): Promise<string> {
  let name = `${path}.broken`;
  for (let count = 2; (await fileSystem.stat(name)) !== undefined; count += 1) name = `${path}-${count}.broken`;
  return name;
}
