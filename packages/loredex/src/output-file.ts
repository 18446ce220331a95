import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UserFileError } from "@loredex/import/files";

/** Only the owner may read data of a bot. */
const MODE = 0o600;

/**
 * Writes a file that is complete or absent: it has another name until all of it is on disk.
 * @throws Error if the file exists already, UserFileError if it cannot be written
 */
export async function writeOutputFile<Result>(
  path: string,
  produce: (write: (bytes: Uint8Array | string) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  if (await isThere(path)) throw new Error(`${path} is there already; choose another name, or move it away`);
  const written = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw new UserFileError(path, "written", error);
    });
  const part = `${path}.part`;
  const file = await written(open(part, "w", MODE));
  try {
    let result: Result;
    try {
      result = await produce((bytes) => written(file.appendFile(bytes)));
      await written(file.sync());
    } finally {
      await written(file.close());
    }
    await written(rename(part, path));
    await written(syncDirectory(dirname(path)));
    return result;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
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
