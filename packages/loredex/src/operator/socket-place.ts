import { mkdtemp, readFile, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { SERVER_SOCKET_POINTER as POINTER, SERVER_SOCKET as SOCKET } from "@loredex/core";

/** Systems differ in how long the path of a socket may be; this much all of them take. */
const SOCKET_PATH_BYTES_MAX = 100;

const PRIVATE_PREFIX = "loredex-";
/** Where a private directory is made if even the system's own place for temporary files has too long a path. */
const SHORT_TEMPORARY = "/tmp";

/**
 * Where a server listens for commands: in the data directory, or, where that path is too long for a socket, in a private
 * directory elsewhere that a file in the data directory points to.
 */
export interface SocketPlace {
  readonly path: string;
  /** Removes what was made for it. To be called after the server has closed. */
  clear(): Promise<void>;
}

/** Only for whoever holds the directory's lock: a socket that is there all the same belongs to a server that has died. */
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
  // A pointer that was tampered with must not cost anyone a file or a directory.
  if (pointed !== undefined && basename(pointed) === SOCKET && basename(dirname(pointed)).startsWith(PRIVATE_PREFIX)) {
    if (await isSocket(pointed)) await removeFile(pointed);
    await rmdir(dirname(pointed)).catch(() => undefined);
  }
  await removeFile(join(directory, POINTER));
  await removeFile(join(resolve(directory), SOCKET));
}

/** Of a folder in its place the system says what it is. */
async function removeFile(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function pointedPath(directory: string): Promise<string | undefined> {
  return readFile(join(directory, POINTER), "utf8").catch(() => undefined);
}

/** Nobody else may enter it (mode 0700), so nobody else can put a socket of theirs in its place. */
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
