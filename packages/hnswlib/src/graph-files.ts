import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Most bytes of one read: the system reads less than 2 GiB in a call. */
const READ_BYTES_MAX = 1_073_741_824;

/**
 * Calls `use` with the path of a temporary file, and deletes the file when `use` has settled. The graph library reads and writes only files
 * by name. Each file is in a directory of its own below `directory`, which only this user may read. The next engine that opens the data
 * directory deletes files that a crash has left.
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

/** The bytes of a file behind `room` bytes that the caller fills; undefined if both together exceed `bytesMax`. */
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

/** Writes a file that only this user may read. */
export async function write(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600 });
}
