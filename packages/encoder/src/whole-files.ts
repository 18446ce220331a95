import { open } from "node:fs/promises";
import { basename, sep } from "node:path";

/** Bytes at the beginning of a file that must not be all zeros. */
const BEGINNING_BYTES = 512;

/**
 * Checks a file's length and beginning. A failed installation or disk leaves files that are missing, cut off or filled with zeros. Returns the flaw, or
 * undefined if the file seems complete. Its contents are verified where they are loaded.
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

/** Returns the command with which npm restores a damaged package. Npm takes an existing folder for a complete package, so the folder must be removed. */
export function reinstalling(folder: string, platform: NodeJS.Platform = process.platform): string {
  return `${platform === "win32" ? "rmdir /s /q" : "rm -r"} "${folder}" && npm install`;
}

/** True if npm installed the package in this folder, so that npm can restore all of it. A checkout is none. */
export function isInstalled(folder: string, name: string): boolean {
  return folder.endsWith(["", "node_modules", ...name.split("/")].join(sep));
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
