import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What the system reads in one call is less than 2 GiB. */
const READ_BYTES_MAX = 1_073_741_824;

/**
 * The only way in and out of the graph library is a file by name. These are temporary ones, each in a directory of its own below
 * `directory`, that only this user may read, and that is gone when `use` has settled. What a crash leaves there is deleted by whoever
 * opens the data directory next.
 */
export async function withTemporaryFile<Result>(
  directory: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(directory, "loredex-graph-"));
  try {
    return await use(join(own, "graph"));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** The bytes of a file, behind `room` bytes that are left for the caller to fill; undefined if that is more than `bytesMax`. */
export async function readBehind(
  path: string,
  room: number,
  bytesMax: number,
  readBytesMax = READ_BYTES_MAX,
): Promise<Uint8Array | undefined> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (room + size > bytesMax) return undefined;
    const bytes = new Uint8Array(room + size);
    for (let at = room; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, Math.min(bytes.length - at, readBytesMax));
      if (bytesRead === 0) throw new Error(`The file ${path} ended at byte ${at - room} of ${size}.`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

export async function write(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600 });
}
