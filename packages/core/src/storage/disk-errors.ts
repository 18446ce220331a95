/** Errors of the disk, as errors of Loredex that say what to do. */

import { CorruptError, LoredexError } from "../model/errors.ts";
import { systemReason } from "../platform/system-reasons.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";

/** The system's short code of an error (`ENOSPC`, `EIO`, ...), or of its cause. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof LoredexError) return systemCodeOf(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Turns an error of the disk into one of Loredex: `DISK_FULL`, `TOO_MANY_OPEN_FILES`, `NO_ACCESS` for a missing permission, else
 * `STORAGE_FAILED`. A LoredexError is returned unchanged.
 */
export function diskError(action: string, path: string, cause: unknown): LoredexError {
  if (cause instanceof LoredexError) return cause;
  const code = systemCodeOf(cause);
  if (code === "ENOSPC" || code === "EDQUOT") return diskFull(action, path, cause);
  // The limit of this process, or of the whole machine.
  if (code === "EMFILE" || code === "ENFILE") {
    return new LoredexError(
      "TOO_MANY_OPEN_FILES",
      `Too many files are open: cannot ${action} ${path}. It works again when some are closed; raise the limit of open files (ulimit -n) if this comes again.`,
      { cause },
    );
  }
  const reason = systemReason(cause);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    const advice =
      code === "EROFS"
        ? "Mount it for writing, or name a data directory on another disk."
        : "Give the data directory to the user that this program runs as (chown -R), with all permissions of the owner.";
    return new LoredexError("NO_ACCESS", `Cannot ${action} ${path}: ${reason}. ${advice}`, { cause });
  }
  return new LoredexError("STORAGE_FAILED", `Cannot ${action} ${path}: ${reason}. Check the disk.`, { cause });
}

export function diskFull(action: string, path: string, cause?: unknown): LoredexError {
  return new LoredexError(
    "DISK_FULL",
    `The disk is full: cannot ${action} ${path}. Free some space; writing works again as soon as there is room.`,
    { cause },
  );
}

export function fileForDirectory(path: string): LoredexError {
  return new LoredexError("STORAGE_FAILED", `${path} is a file, not a directory; name another data directory.`);
}

/** `CORRUPT`: stored bytes differ from the written ones. `sequence` is the first record that cannot be read. */
export function corruptAt(path: string, offset: number, sequence: number, reason: string): LoredexError {
  return new CorruptError(
    `${path} is damaged at byte ${offset}, at record ${sequence}: ${reason}. Nothing was changed; keep a copy of its directory, then restore it from a backup.`,
    { file: path, offset, sequence },
  );
}

/** Wraps a file system: its errors become those of {@link diskError}. */
export function withDiskErrors(inner: FileSystem): FileSystem {
  const naming =
    (action: string, path: string) =>
    (cause: unknown): never => {
      throw diskError(action, path, cause);
    };
  const openFile = (file: OpenFile, path: string): OpenFile => ({
    read: (target, position) => file.read(target, position).catch(naming("read", path)),
    write: (chunks, position) => file.write(chunks, position).catch(naming("write", path)),
    truncate: (bytes) => file.truncate(bytes).catch(naming("cut", path)),
    dataSync: () => file.dataSync().catch(naming("sync", path)),
    sync: () => file.sync().catch(naming("sync", path)),
    size: () => file.size().catch(naming("read the size of", path)),
    identity: () => file.identity().catch(naming("look at", path)),
    close: () => file.close().catch(naming("close", path)),
  });
  return {
    open: (path, mode) =>
      inner.open(path, mode).then((file) => openFile(file, path), naming(mode === "create" ? "create" : "open", path)),
    requireAccess: (path) => inner.requireAccess(path).catch(naming("read and write", path)),
    stat: (path) => inner.stat(path).catch(naming("look at", path)),
    rename: (from, to) => inner.rename(from, to).catch(naming(`rename to ${to} the file`, from)),
    unlink: (path) => inner.unlink(path).catch(naming("delete", path)),
    readDirectory: (path) => inner.readDirectory(path).catch(naming("list", path)),
    makeDirectory: (path) => inner.makeDirectory(path).catch(naming("create the directory", path)),
    removeDirectory: (path) => inner.removeDirectory(path).catch(naming("delete the directory", path)),
    freeBytes: (path) => inner.freeBytes(path).catch(naming("look at the disk of", path)),
    syncDirectory: (path) => inner.syncDirectory(path).catch(naming("sync the directory", path)),
  };
}
