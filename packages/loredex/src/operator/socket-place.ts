import { mkdtemp, readFile, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { SERVER_SOCKET_POINTER as POINTER, SERVER_SOCKET as SOCKET } from "@loredex/core";

/** The longest path of a socket, in bytes, that all systems accept. */
const SOCKET_PATH_BYTES_MAX = 100;

const PRIVATE_PREFIX = "loredex-";
/** The parent of a private directory, if the path of the system's temporary directory is too long. */
const SHORT_TEMPORARY = "/tmp";

/**
 * The place of a server's command socket: in the data directory, if its path is short enough for a socket.
 * Otherwise in a private directory elsewhere, and a file in the data directory points to it.
 */
export interface SocketPlace {
  readonly path: string;
  /** Removes the files of the place. To be called after the server has closed. */
  clear(): Promise<void>;
}

/** Makes the place. The caller must hold the directory's lock: an existing socket then belongs to a dead server. */
export async function makeSocketPlace(directory: string): Promise<SocketPlace> {
  await clearPlace(directory);
  const near = join(resolve(directory), SOCKET);
  let path = near;
  if (isTooLong(near)) {
    path = join(await privateDirectory(), SOCKET);
    await writeFile(join(directory, POINTER), path, { mode: 0o600 });
  }
  return { path, clear: () => clearPlace(directory) };
}

async function clearPlace(directory: string): Promise<void> {
  const pointed = await pointedPath(directory);
  // A forged pointer must not delete a foreign file or directory.
  if (pointed !== undefined && basename(pointed) === SOCKET && basename(dirname(pointed)).startsWith(PRIVATE_PREFIX)) {
    if (await isSocket(pointed)) await removeFile(pointed);
    await rmdir(dirname(pointed)).catch(() => undefined);
  }
  await removeFile(join(directory, POINTER));
  await removeFile(join(resolve(directory), SOCKET));
}

/** Removes a file, if it exists. For a folder in its place the system's error says so. */
async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function pointedPath(directory: string): Promise<string | undefined> {
  return readFile(join(directory, POINTER), "utf8").catch(() => undefined);
}

/** Makes a directory with mode 0700: no other user may enter it, and so none can replace the socket. */
async function privateDirectory(): Promise<string> {
  const beside = (folder: string): string => join(folder, PRIVATE_PREFIX);
  const isShort = !isTooLong(join(`${beside(tmpdir())}123456`, SOCKET));
  return mkdtemp(beside(isShort ? tmpdir() : SHORT_TEMPORARY));
}

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX;
}

async function isSocket(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
}
