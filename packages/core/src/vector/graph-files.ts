import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The only way in and out of the graph library is a file by name. These are temporary ones, in a directory of their own that only
 * this user may read, and that is gone when `use` has settled.
 */
export async function withTemporaryFile<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-graph-"));
  try {
    return await use(join(directory, "graph"));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The bytes of a file, behind `room` bytes that are left for the caller to fill. */
export async function readBehind(path: string, room: number): Promise<Uint8Array> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(room + size);
    for (let at = room; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at);
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
