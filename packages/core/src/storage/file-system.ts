/**
 * The port of the disk. It has only the operations that logs and snapshots need.
 *
 * Obligations of an implementation:
 * - Paths use `/` between their parts. Errors carry the system's short code in `code` (`ENOENT`, `ENOSPC`, `EIO`, ...).
 * - Written bytes are visible to the next read at once. They survive a power cut only after a sync.
 * - Syncing a file keeps its bytes and its length, not its name: a created, renamed or unlinked name is durable only
 *   after {@link FileSystem.syncDirectory} of the directory that holds it.
 * - If a sync fails, earlier writes may be lost even if a later sync of the same file succeeds.
 */

/** `read`: an existing file, for reading. `create`: made or emptied, for both. `update`: an existing file, for both. */
export type OpenMode = "read" | "create" | "update";

/** The file or directory at a path. */
export interface FileStatus {
  readonly kind: "file" | "directory" | "other";
  readonly bytes: number;
  /** The system's number of the file. A copy has another one. */
  readonly identity: string;
}

/** An open file. Reads and writes are by position. */
export interface OpenFile {
  /** Fills `target` from `position` on. Resolves with the number of bytes read, which is smaller than the target only at the end of the file. */
  read(target: Uint8Array, position: number): Promise<number>;
  /** Writes all chunks in order from `position` on. If it rejects, any of their bytes may have been written. */
  write(chunks: readonly Uint8Array[], position: number): Promise<void>;
  /** Cuts the file to `bytes`, or extends it by zeros. */
  truncate(bytes: number): Promise<void>;
  /** Makes content and length durable. */
  dataSync(): Promise<void>;
  /** Makes content, length and all metadata of the file durable, also after a truncation. */
  sync(): Promise<void>;
  size(): Promise<number>;
  /** The identity of this file, as in {@link FileStatus}, also if its path names another file or none. */
  identity(): Promise<string>;
  /** Must be called once, also after an error. */
  close(): Promise<void>;
}

/** Operations on paths. */
export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  /** Rejects unless this process may read and change the file or directory. Changes nothing. */
  requireAccess(path: string): Promise<void>;
  /** Undefined if nothing is there. */
  stat(path: string): Promise<FileStatus | undefined>;
  /** Atomic; `to` is replaced if it is a file. Both paths are in the same directory. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Names only, in no order. */
  readDirectory(path: string): Promise<string[]>;
  /** `EEXIST` if the path exists, `ENOENT` if its parent does not. */
  makeDirectory(path: string): Promise<void>;
  /** The directory must be empty. */
  removeDirectory(path: string): Promise<void>;
  /** Bytes that this process may still write on the disk of a path; undefined if the disk gives no number. */
  freeBytes(path: string): Promise<number | undefined>;
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>;
}

/** What happened to a file at its path: it was removed, or replaced by another. */
export type Displacement = "removed" | "replaced";

/** A lock file or data directory that is no longer at its path, although a process holds it. */
export interface LostPlace {
  readonly what: "lock" | "directory";
  readonly path: string;
  readonly how: Displacement;
}

/** A held lock. It is free as soon as it is released or its process ends, however it ends. */
export interface DirectoryLock {
  /** The lock file or directory that is no longer at its path; undefined if both are. If one is lost, another process may hold the same data. */
  lost(): Promise<LostPlace | undefined>;
  release(): Promise<void>;
}

/** Takes the exclusive lock of an existing directory. Throws `DIRECTORY_IN_USE` at once if it is held, `WRONG_USER` if the data is another user's. */
export type LockDirectory = (directory: string) => Promise<DirectoryLock>;
