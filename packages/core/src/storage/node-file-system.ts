/** The file system of the machine, by `node:fs`. It uses callbacks on plain descriptors, the fastest way to the thread pool and back. */

import {
  access,
  close,
  constants,
  fdatasync,
  fstat,
  fsync,
  ftruncate,
  mkdir,
  open,
  readdir,
  read as readSome,
  rename,
  rmdir,
  type Stats,
  type StatsFs,
  stat,
  statfs,
  unlink,
  write,
  writev,
} from "node:fs";
import type { FileSystem, OpenFile, OpenMode } from "./file-system.ts";

/** Most bytes of one system call. Systems accept less than 2 GiB. */
const CALL_BYTES_MAX = 1_073_741_824;

/** Only the owner may read the data. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

const FLAGS: Readonly<Record<OpenMode, number>> = {
  read: constants.O_RDONLY,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
  update: constants.O_RDWR,
};

type Failure = NodeJS.ErrnoException | null;

/** Runs one callback-style call without a result. */
function done(call: (callback: (error: Failure) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Runs one callback-style call with a result. */
function result<T>(call: (callback: (error: Failure, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}

function errorWithCode(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/** The identity of a file: its device and inode numbers. */
export function identityOf({ dev, ino }: Pick<Stats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** The rest of `chunks` after their first `bytes`. */
function after(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let skip = bytes;
  for (const chunk of chunks) {
    if (skip >= chunk.length) skip -= chunk.length;
    else {
      rest.push(skip === 0 ? chunk : chunk.subarray(skip));
      skip = 0;
    }
  }
  return rest;
}

/** Runs one system call, which may write fewer bytes than given. Resolves with their number. */
function writeSome(descriptor: number, chunks: readonly Uint8Array[], position: number): Promise<number> {
  const [first] = chunks;
  if (first !== undefined && (chunks.length === 1 || first.length > CALL_BYTES_MAX)) {
    return result((callback) =>
      write(descriptor, first, 0, Math.min(first.length, CALL_BYTES_MAX), position, callback),
    );
  }
  let bytes = 0;
  const fitting: Uint8Array[] = [];
  for (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > CALL_BYTES_MAX) break;
    fitting.push(chunk);
  }
  return result((callback) => writev(descriptor, fitting, position, callback));
}

async function writeAll(descriptor: number, chunks: readonly Uint8Array[], position: number): Promise<void> {
  let rest = chunks;
  let at = position;
  while (rest.some((chunk) => chunk.length > 0)) {
    const written = await writeSome(descriptor, rest, at);
    if (written === 0) throw errorWithCode("EIO", "the disk took no bytes");
    at += written;
    rest = after(rest, written);
  }
}

async function readAll(descriptor: number, target: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < target.length) {
    const wanted = Math.min(target.length - filled, CALL_BYTES_MAX);
    const got = await result<number>((callback) =>
      readSome(descriptor, target, filled, wanted, position + filled, callback),
    );
    if (got === 0) break;
    filled += got;
  }
  return filled;
}

function openFile(descriptor: number): OpenFile {
  return {
    read: (target, position) => readAll(descriptor, target, position),
    write: (chunks, position) => writeAll(descriptor, chunks, position),
    truncate: (bytes) => done((callback) => ftruncate(descriptor, bytes, callback)),
    dataSync: () => done((callback) => fdatasync(descriptor, callback)),
    sync: () => done((callback) => fsync(descriptor, callback)),
    size: async () => (await result<Stats>((callback) => fstat(descriptor, callback))).size,
    identity: async () => identityOf(await result<Stats>((callback) => fstat(descriptor, callback))),
    close: () => done((callback) => close(descriptor, callback)),
  };
}

async function syncDirectory(path: string): Promise<void> {
  // Windows cannot open a directory for syncing; its file systems journal names on their own.
  if (process.platform === "win32") return;
  const descriptor = await result<number>((callback) => open(path, constants.O_RDONLY, callback));
  try {
    await done((callback) => fsync(descriptor, callback));
  } finally {
    await done((callback) => close(descriptor, callback));
  }
}

export const nodeFileSystem: FileSystem = {
  open: async (path, mode) => openFile(await result((callback) => open(path, FLAGS[mode], FILE_MODE, callback))),
  requireAccess: (path) => done((callback) => access(path, constants.R_OK | constants.W_OK, callback)),
  stat: (path) =>
    new Promise((resolve, reject) => {
      stat(path, (error, found) => {
        if (error) {
          if (error.code === "ENOENT") resolve(undefined);
          else reject(error);
        } else {
          const kind = found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
          resolve({ kind, bytes: found.size, identity: identityOf(found) });
        }
      });
    }),
  rename: (from, to) => done((callback) => rename(from, to, callback)),
  unlink: (path) => done((callback) => unlink(path, callback)),
  readDirectory: (path) => result((callback) => readdir(path, callback)),
  makeDirectory: (path) => done((callback) => mkdir(path, DIRECTORY_MODE, callback)),
  removeDirectory: (path) => done((callback) => rmdir(path, callback)),
  freeBytes: async (path) => {
    const { blocks, bavail, bsize } = await result<StatsFs>((callback) => statfs(path, callback));
    // Some virtual file systems report no sizes.
    return blocks === 0 ? undefined : bavail * bsize;
  },
  syncDirectory,
};
