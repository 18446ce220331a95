import { mkdtemp, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The path of a socket fits in about a hundred bytes on every system. */
const SOCKET_PATH_BYTES_MAX = 100;

const SOCKET = "loredex.sock";
const POINTER = "loredex.sock-path";

/** Where a server listens for commands: in the data directory, or where that one's path is too long, in a private directory that a file there points to. */
export interface SocketPlace {
  readonly path: string;
  /** Removes what was made for it, after the server has closed. */
  clear(): Promise<void>;
}

/** Called by whoever holds the lock of the directory: a socket that is still there belongs to a process that is gone. */
export async function makeSocketPlace(directory: string): Promise<SocketPlace> {
  const path = join(resolve(directory), SOCKET);
  await removeStale(directory);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) {
    return { path, clear: () => rm(path, { force: true }) };
  }
  const elsewhere = await mkdtemp(join(tmpdir(), "loredex-"));
  const pointer = join(directory, POINTER);
  await writeFile(pointer, join(elsewhere, SOCKET), { mode: 0o600 });
  return {
    path: join(elsewhere, SOCKET),
    clear: async () => {
      await rm(pointer, { force: true });
      await rm(elsewhere, { recursive: true, force: true });
    },
  };
}

/** Where a running server of this directory would listen; undefined if none has left a trace. */
export async function findSocket(directory: string): Promise<string | undefined> {
  const path = join(resolve(directory), SOCKET);
  if (await isSocket(path)) return path;
  const pointed = await readFile(join(directory, POINTER), "utf8").catch(() => undefined);
  return pointed !== undefined && (await isSocket(pointed)) ? pointed : undefined;
}

async function removeStale(directory: string): Promise<void> {
  const pointed = await readFile(join(directory, POINTER), "utf8").catch(() => undefined);
  if (pointed !== undefined && (await isSocket(pointed))) await rm(dirname(pointed), { recursive: true, force: true });
  await rm(join(directory, POINTER), { force: true });
  const path = join(directory, SOCKET);
  if (await isSocket(path)) await unlink(path);
}

async function isSocket(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
}
