import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Only the owner may read what was taken out of a bot. */
const MODE = 0o600;

/**
 * Writes a file that is either whole or not there: under another name until all of it is on disk.
 * @throws Error if the file exists already, or cannot be written
 */
export async function writeOutputFile<Result>(
  path: string,
  produce: (write: (bytes: Uint8Array | string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (await isThere(path)) throw new Error(`${path} is there already; choose another name, or move it away`);
  const part = `${path}.part`;
  const file = await open(part, "w", MODE).catch((error: unknown) => {
    throw new Error(`${path} cannot be written: ${reasonOf(error)}`);
  });
  try {
    const result = await filled(file, path, produce);
    await rename(part, path);
    await syncDirectory(dirname(path));
    return result;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function filled<Result>(
  file: FileHandle,
  path: string,
  produce: (write: (bytes: Uint8Array | string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await produce(async (bytes) => {
      await file.appendFile(bytes).catch((error: unknown) => {
        throw new Error(`${path} cannot be written: ${reasonOf(error)}`);
      });
    });
    await file.sync();
    return result;
  } finally {
    await file.close();
  }
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory for syncing.
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  await directory.sync().finally(() => directory.close());
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
