import { open } from "node:fs/promises";
import { basename, sep } from "node:path";

/** As much of a file's beginning as must not be all zeros. */
const BEGINNING_BYTES = 512;

/**
 * What is wrong with a file, as far as its length and its beginning tell: files that an installation or a disk has spoiled are gone, cut off or filled
 * with zeros. Undefined if it looks whole. Its bytes are proved where they are loaded.
 */
export async function flawOf(path: string, bytes: number): Promise<string | undefined> {
  const name = basename(path);
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path);
  } catch (error) {
    return isAbsent(error) ? `${name} is missing` : `${name} can't be read`;
  }
  try {
    const { size } = await file.stat();
    if (size !== bytes) return `${name} has ${size} of ${bytes} bytes`;
    const { buffer } = await file.read(Buffer.alloc(Math.min(bytes, BEGINNING_BYTES)), 0, undefined, 0);
    return buffer.every((byte) => byte === 0) ? `${name} is empty but for zeros` : undefined;
  } catch {
    return `${name} can't be read`;
  } finally {
    await file.close();
  }
}

/** The command that has npm put back a package that is not whole. Npm takes one whose folder is there for whole, so the folder has to go. */
export function reinstalling(folder: string, platform: NodeJS.Platform = process.platform): string {
  return `${platform === "win32" ? "rmdir /s /q" : "rm -r"} "${folder}" && npm install`;
}

/** Whether a folder is where npm has put a package: all that is in it comes back. A checkout is not. */
export function isInstalled(folder: string, name: string): boolean {
  return folder.endsWith(["", "node_modules", ...name.split("/")].join(sep));
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
