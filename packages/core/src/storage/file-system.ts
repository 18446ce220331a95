/**
 * The disk as the storage room sees it: as little as the log and the snapshots need.
 *
 * What every implementation owes:
 * - Paths use `/` between their parts. Errors carry the system's short code in `code` (`ENOENT`, `ENOSPC`, `EIO`, ...).
 * - What was written is seen by the next read at once; it survives a power cut only once it has been synced.
 * - Syncing a file keeps its bytes and its length, not its name: a created, renamed or unlinked name is durable only
 *   after {@link FileSystem.syncDirectory} of the directory that holds it.
 * - When a sync fails, what was written before it may be lost even if a later sync of the same file succeeds.
 */

/** `read`: an existing file, for reading. `create`: made or emptied, for both. `update`: an existing file, for both. */
export type OpenMode = "read" | "create" | "update";

/** What a path names. */
export interface FileStatus {
  readonly kind: "file" | "directory" | "other";
  readonly bytes: number;
  /** Which one it is, as the system numbers them: a copy is another one. */
  readonly identity: string;
}

export interface OpenFile {
  /** Fills `target` from `position` on; resolves with the bytes read: fewer than asked for only where the file ends. */
  read(target: Uint8Array, position: number): Promise<number>;
  /** Writes all chunks one after the other from `position` on, or rejects; then any part of them may have been written. */
  write(chunks: readonly Uint8Array[], position: number): Promise<void>;
  /** Cuts the file to `bytes`, or extends it by zeros. */
  truncate(bytes: number): Promise<void>;
  /** Makes content and length durable. */
  dataSync(): Promise<void>;
  /** Makes content, length and all else about the file durable, also after it was cut. */
  sync(): Promise<void>;
  size(): Promise<number>;
  /** As in {@link FileStatus}: which file this is, also when its path names another one or nothing. */
  identity(): Promise<string>;
  /** Must be called once, also after an error. */
  close(): Promise<void>;
}

export interface FileSystem {
  open(path: string, mode: OpenMode): Promise<OpenFile>;
  /** Rejects unless this process may read and change what is there. It changes nothing. */
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
  /** What this process may still write on the disk of a path; undefined where the disk does not say. */
  freeBytes(path: string): Promise<number | undefined>;
  /** Makes the names in a directory durable. */
  syncDirectory(path: string): Promise<void>;
}

/** What has become of a path: nothing is there, or something else. */
export type Displacement = "removed" | "replaced";

/** Something that must stay where it is as long as a process holds a data directory, and has not. */
export interface LostPlace {
  readonly what: "lock" | "directory";
  readonly path: string;
  readonly how: Displacement;
}

/** A held lock. It is free the moment it is released or its process ends, however it ends. */
export interface DirectoryLock {
  /** Whether the lock file and its directory are still those at their paths. Else another process may hold the same data. */
  lost(): Promise<LostPlace | undefined>;
  release(): Promise<void>;
}

/** Takes the exclusive lock of an existing directory, or throws `DIRECTORY_IN_USE` at once, or `WRONG_USER` where the data is another user's. */
export type LockDirectory = (directory: string) => Promise<DirectoryLock>;
